/* attention_spec.h: which attention steps (struct attention_spec, program.h) are executed, and what
 * memory they read and write. The compiler asks before it makes one, program_check proves it of
 * programs of any origin. Pure functions, thread-safe. */
#ifndef GANTRY_COMPILER_PROGRAM_ATTENTION_SPEC_H
#define GANTRY_COMPILER_PROGRAM_ATTENTION_SPEC_H

#include "compiler/program/program.h"

/* Fewer rows of a product are not worth packing its right side. */
enum { ATTENTION_MIN_ROWS = 16 };

/* The largest number of scores in a row, and of columns that are contracted or returned: what a
 * block of rows needs stays in a core's cache. */
enum { ATTENTION_MAX_COLUMNS = 1 << 14, ATTENTION_MAX_WIDTH = 512 };

/* Whether the two products fit together, with the scores dense in row-major order in both, and are
 * of types and sizes that the step supports. */
bool attention_spec_is_supported(const struct attention_spec *spec);

/* Whether a supported step stays inside its slices: queries, keys, values, the other operands of
 * the kernel, of which only the mask's is checked, and the result. */
bool attention_spec_fits(const struct attention_spec *spec, const struct slice *slices, int count);

#endif
