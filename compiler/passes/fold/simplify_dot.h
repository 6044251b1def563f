/* simplify_dot.h: rules for dot_generals that XLA's CPU backend computes as elementwise products,
 * to which the rules for multiply apply. */
#ifndef GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_DOT_H
#define GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_DOT_H

#include "compiler/ir/build.h"

/* Each function returns the value that replaces the result of a dot_general, or NULL if the rule
 * does not apply. */

/* One operand is a mask and all free dimensions have size 1: sums the elements of the other operand
 * that the mask selects. */
struct value *simplify_dot_masked(struct builder *b, struct op *op);
/* All contracting dimensions have size 1: multiplies the broadcast operands. */
struct value *simplify_dot_outer(struct builder *b, struct op *op);

#endif
