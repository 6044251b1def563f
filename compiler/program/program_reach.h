/* program_reach.h: checks that the arrays of a matrix product or convolution, with the strides of
 * its specification, stay inside the slices of the step. Pure functions, thread-safe. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_REACH_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_REACH_H

#include "compiler/program/program.h"

/* `slices`: lhs, rhs, out. Also false if a size, stride or element type is out of range. */
bool program_reach_dot(const struct dot_spec *dot, const struct slice slices[3]);
bool program_reach_convolution(const struct convolution_spec *spec, const struct slice slices[3]);

#endif
