/* program_print.h: a program as text for people: its boundary, and its steps with what each reads
 * and writes. Constants are ranges of bytes, not values. Made on request; deterministic. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_PRINT_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_PRINT_H

#include "base/text.h"
#include "compiler/program/program.h"

/* Thread-safe for one `out` a thread. */
void program_print(const struct program *program, struct text *out);

#endif
