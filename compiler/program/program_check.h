/* program_check.h: proves that a program stays inside its memory, as far as its steps say what they
 * touch: allocations are those of the boundary; slices lie in them; a step has the slices that its
 * kind needs, large enough for a product's or convolution's strides; kernels and plans are there.
 * What a kernel's code does with its slices is not looked at. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_CHECK_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_CHECK_H

#include "compiler/program/program.h"

/* Errors: INTERNAL, with the step's label. Thread-safe. */
struct error *program_check(const struct program *program);

#endif
