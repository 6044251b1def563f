/* thin_dot_spec.h: which products of few rows (struct thin_dot_spec, program.h) are executed, and
 * what memory they read. The compiler asks before it makes one, program_check proves it of programs
 * of any origin. Pure functions, thread-safe. */
#ifndef GANTRY_COMPILER_PROGRAM_THIN_DOT_SPEC_H
#define GANTRY_COMPILER_PROGRAM_THIN_DOT_SPEC_H

#include "compiler/program/program.h"

enum { THIN_DOT_MAX_ROWS = 64 };

/* Whether the right side's numbers are more than scaled: there are zero points or offsets. */
bool thin_dot_spec_is_affine(const struct thin_dot_spec *spec);

/* Whether differences are integers of 32 bits: of integers and zero points of s32. */
bool thin_dot_spec_has_integer_differences(const struct thin_dot_spec *spec);

/* The product in terms of the right side's elements in memory: where numbers share those, fewer
 * than numbers, of type u8 or u32. */
struct dot_spec thin_dot_spec_in_memory(const struct thin_dot_spec *spec);

/* How many slices a step has: the left side, the right side, its parameters, its table, the result.
 */
int thin_dot_spec_slices(const struct thin_dot_spec *spec);

/* Whether numbers of a type are decoded. */
bool thin_dot_spec_is_decoded(enum dtype dtype);

/* Whether types and sizes are supported, and columns or terms of the right side are adjacent. */
bool thin_dot_spec_is_supported(const struct thin_dot_spec *spec);

/* Whether a supported step stays inside its slices. */
bool thin_dot_spec_fits(const struct thin_dot_spec *spec, const struct slice *slices);

#endif
