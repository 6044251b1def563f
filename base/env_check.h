/* env_check.h: reports invalid and mistyped environment variables. Thread-safe while no thread
 * calls setenv. */
#ifndef GANTRY_BASE_ENV_CHECK_H
#define GANTRY_BASE_ENV_CHECK_H

#include "base/env.h"
#include "base/error.h"
#include "base/text.h"

/* Returns INVALID_ARGUMENT when a GANTRY_ variable of env.def has an invalid value, or when an
 * unknown name with that prefix resembles a known one. The message names the variable, its value
 * and the allowed values. Other unknown names are only logged, since they may belong to other
 * software. */
struct error *env_check(void);

/* Appends the allowed values of a variable: "0 to 2", "auto, 0 or 1", "a number of bytes as
 * 512M". */
void env_add_allowed(enum env_variable variable, struct text *out);

#endif
