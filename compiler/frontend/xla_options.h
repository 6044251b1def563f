/* xla_options.h: compile options of XLA by name, which are the fields of its DebugOptions: their
 * names and the types of their values, in xla_options.def. Thread-safe. */
#ifndef GANTRY_COMPILER_FRONTEND_XLA_OPTIONS_H
#define GANTRY_COMPILER_FRONTEND_XLA_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "compiler/frontend/compile_options.pb-c.h"

/* INVALID_ARGUMENT, with XLA's words, if the name is none of the options (and with the nearest one
 * that is), or if the value is not of the option's type. Clients send numbers as text, too. A value
 * of NULL is not given, and fits. `any_name`: a name xla_... that is not listed is an option, too,
 * with any value. */
struct error *xla_options_check(const char *name, const Gantry__OptionOverride__Value *value,
                                bool any_name);

/* The value of an option that is a boolean: true or false, 1 or 0, or one of these as text (in
 * words, also with a capital letter). INVALID_ARGUMENT, which names the option, otherwise. */
struct error *xla_options_bool(const char *name, const Gantry__OptionOverride__Value *value,
                               bool *out);

#endif
