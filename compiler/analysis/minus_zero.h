/* minus_zero.h: values of floats without -0. There x + 0 is x; where x is -0, the sum is +0. Pure
 * function of the IR; visits a bounded number of operations. */
#ifndef GANTRY_COMPILER_ANALYSIS_MINUS_ZERO_H
#define GANTRY_COMPILER_ANALYSIS_MINUS_ZERO_H

#include "compiler/ir/ir.h"

/* Whether no element of a value of floats can be -0: an exponential, an absolute value, a square, a
 * converted integer, a sum that starts with +0, and what is added to, selected from, moved or
 * updated of these, or returned by a branch. A carried value of a loop, if its first value has none
 * and an iteration makes none of such a value. False: unknown. */
bool minus_zero_never(const struct value *value);

#endif
