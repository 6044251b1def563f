/* program_reach.h: whether the arrays of a matrix product or convolution, with the strides that its
 * specification gives them, stay inside the step's slices. Pure functions, thread-safe. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_REACH_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_REACH_H

#include "compiler/program/program.h"

/* `slices`: lhs, rhs, out. False also for sizes, strides and element types out of range. */
bool program_reach_dot(const struct dot_spec *dot, const struct slice slices[3]);
bool program_reach_convolution(const struct convolution_spec *spec, const struct slice slices[3]);

#endif
