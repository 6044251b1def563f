/* env.h: every environment variable Gantry reads, in one table (env.def), and the only getenv. The
 * table in ARCHITECTURE.md is generated from env.def. Thread-safe while no thread calls setenv. */
#ifndef GANTRY_BASE_ENV_H
#define GANTRY_BASE_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum env_variable {
#define ENV(NAME, default_text, meaning) ENV_##NAME,
#include "base/env.def"
#undef ENV
    ENV_COUNT
};

/* The text (borrowed from the environment) or NULL when unset or empty. */
const char *env_text(enum env_variable variable);
/* A whole number; `fallback` when unset or malformed. */
int64_t env_int(enum env_variable variable, int64_t fallback);
/* Name, default (as text for people) and one-sentence meaning, for `gantry env` and the manual.
 * Static. */
const char *env_name(enum env_variable variable);
const char *env_default(enum env_variable variable);
const char *env_meaning(enum env_variable variable);
/* The value of an `--name=value` flag inside XLA_FLAGS, copied into `out` with its NUL; false when
 * absent or longer than out_size. The last one wins, quotes are taken off, and a bare `--name` is
 * "true". */
bool env_xla_flag(const char *name, char *out, size_t out_size);
/* The names of XLA_FLAGS one after another: `position` is NULL at first, then what the last call
 * returned; NULL is returned after the last name. `name` is cut to `size` bytes, its NUL
 * included. */
const char *env_xla_flag_name(const char *position, char *name, size_t size);

#endif
