/* simplify_zero.h: x + 0 = x, where x is never -0: there the sum is +0. */
#ifndef GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_ZERO_H
#define GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_ZERO_H

#include "compiler/ir/build.h"

/* x for x + 0 and x - -0 of floats, if no element of x can be -0 (analysis/minus_zero.h); else
 * NULL. (x + -0 and x - 0 are x for every x: fold_rules.def.) */
struct value *simplify_zero(struct builder *b, struct op *op);

#endif
