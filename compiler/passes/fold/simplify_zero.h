/* simplify_zero.h: x + 0 = x, where x is never -0: there the sum is +0. */
#ifndef GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_ZERO_H
#define GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_ZERO_H

#include "compiler/ir/build.h"

/* x for x + 0 and x - -0 of floats, if no element of x can be -0: an exponential, an absolute
 * value, a square, a converted integer, a sum that starts with +0, and what is added to, selected
 * from or moved of these. NULL otherwise. Visits a bounded number of operations. (x + -0 and x - 0
 * are x for every x: fold_rules.def.) */
struct value *simplify_zero(struct builder *b, struct op *op);

#endif
