/* program_print.h: prints a program in human-readable form: its parameters and results, and its
 * steps with the slices that each reads and writes. Constants are shown as byte ranges, not values.
 * Deterministic. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_PRINT_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_PRINT_H

#include "base/text.h"
#include "compiler/program/program.h"

/* Thread-safe if each thread has its own `out`. */
void program_print(const struct program *program, struct text *out);

#endif
