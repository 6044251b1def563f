/* compile_history.h: the programs that this process has compiled, by name, and the reason of each
 * recompilation: types of arguments or results, or values of constants. Keeps the last
 * HISTORY_NAMES compiled names. Thread-safe. */
#ifndef GANTRY_RUNTIME_COMPILE_HISTORY_H
#define GANTRY_RUNTIME_COMPILE_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "compiler/analysis/module_outline.h"
#include "compiler/program/program.h"

enum { HISTORY_NAMES = 256, HISTORY_NAME = 96, HISTORY_REASON = 256 };

struct compile_history_entry {
    char name[HISTORY_NAME]; /* truncated */
    int64_t compilations;
    uint64_t total_ns, last_ns;
    char reason[HISTORY_REASON]; /* of the last compilation; "" for the first of the name */
};

/* Counts a compilation that took `ns`. Copies the data needed for the next comparison; if memory is
 * exhausted, the next entry has no reason. */
void compile_history_add(const struct program *program, const struct module_outline *outline,
                         uint64_t ns);

/* The entries that took the most time together, first; returns how many were written. */
size_t compile_history_read(struct compile_history_entry *out, size_t capacity);

#endif
