/* env.h: every environment variable that Gantry reads, in one table (env.def). No other module
 * calls getenv. The table in docs/settings.md is generated from env.def. A variable with an invalid
 * value reads as unset; env_check() reports it as an error. Thread-safe while no thread calls
 * setenv. */
#ifndef GANTRY_BASE_ENV_H
#define GANTRY_BASE_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum env_variable {
#define ENV(NAME, type, default_text, meaning) ENV_##NAME,
#include "base/env.def"
#undef ENV
    ENV_COUNT
};

enum { ENV_CHOICES = 8 };
enum env_type { ENV_TEXT, ENV_NUMBER, ENV_CHOICE, ENV_BYTES, ENV_FOLDER };
struct env_rule { /* the values that a variable may have; see env.def */
    enum env_type type;
    int64_t min, max;                 /* ENV_NUMBER */
    const char *choices[ENV_CHOICES]; /* ENV_CHOICE; NULL after the last */
};

/* The text (borrowed from the environment) or NULL when unset or empty. */
const char *env_text(enum env_variable variable);
/* The value of a NUMBER or BYTES; `fallback` when unset or invalid. */
int64_t env_int(enum env_variable variable, int64_t fallback);
/* The index of the value of a ONE_OF in its list; -1 when unset or not in the list. */
int env_choice(enum env_variable variable);
/* Parses a number of bytes below 2^63, with or without a unit, in the form that BYTES accepts. */
bool env_parse_bytes(const char *text, int64_t *out);
/* Whether the text is a valid value of the variable. */
bool env_allows(enum env_variable variable, const char *text);

/* Name, default (as text for users), one-sentence meaning and rule, for `gantry env` and the
 * manual. Static. */
const char *env_name(enum env_variable variable);
const char *env_default(enum env_variable variable);
const char *env_meaning(enum env_variable variable);
const struct env_rule *env_rule(enum env_variable variable);

/* The value of an `--name=value` flag inside XLA_FLAGS, copied into `out` with its NUL; false when
 * absent or longer than out_size. The last occurrence wins, quotes are removed, and a bare `--name`
 * is "true". */
bool env_xla_flag(const char *name, char *out, size_t out_size);
/* Iterates over the flag names in XLA_FLAGS: pass NULL as `position` first, then the result of the
 * previous call; returns NULL after the last name. `name` is truncated to `size` bytes, its NUL
 * included. */
const char *env_xla_flag_name(const char *position, char *name, size_t size);

#endif
