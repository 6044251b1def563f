/* nonnegative.h: which floats are never below zero, for any operands of the program. */
#ifndef GANTRY_COMPILER_ANALYSIS_NONNEGATIVE_H
#define GANTRY_COMPILER_ANALYSIS_NONNEGATIVE_H

#include "compiler/ir/ir.h"

/* Whether no element of a value of f16, f32 or f64 is below zero: it may be NaN, or -0. Follows
 * few operations: false where that is not known. */
bool nonnegative_is(const struct value *value);

#endif
