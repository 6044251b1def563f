/* manual.h: the manual of the command, one table: `gantry help`, the man page, completion and the
 * suggestions for mistyped options are made from it. Static; thread-safe. */
#ifndef GANTRY_TOOLS_MANUAL_H
#define GANTRY_TOOLS_MANUAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct manual {
    const char *name, *summary; /* of a subcommand; the summary is one line */
    const char *text; /* begins with the synopsis: lines up to the first that begins with a capital
                       * letter. It has every option: "[--name VALUE]". */
};

/* The manuals in the order in which they are listed; NULL after the last one. */
const struct manual *manual_at(size_t i);
/* NULL: there is no such subcommand. */
const struct manual *manual_find(const char *name);

enum { MANUAL_OPTIONS = 32 };
struct manual_option {
    const char *name; /* "--format", without a NUL */
    size_t name_size;
    const char *value; /* "text|json", "FILE", without a NUL; size 0: the option has no value */
    size_t value_size;
};
/* The options of a subcommand, in the order of its synopsis; returns how many. */
size_t manual_options(const struct manual *manual, struct manual_option out[MANUAL_OPTIONS]);

/* The size of the synopsis in bytes, its last newline included. */
size_t manual_synopsis_size(const struct manual *manual);

/* Appends the man page gantry(1) in roff. */
void manual_write_page(struct text *out);

/* Appends a completion script. False: no such shell; allowed: bash, zsh, fish. */
bool manual_write_completion(const char *shell, struct text *out);

#endif
