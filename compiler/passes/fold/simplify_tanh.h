/* simplify_tanh.h: sums with a hyperbolic tangent, as in the usual approximation of gelu. */
#ifndef GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_TANH_H
#define GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_TANH_H

#include "compiler/ir/build.h"

/* What replaces the result of a sum: 2 logistic(2 x) for 1 + tanh(x), if the tangent has no other
 * use. Otherwise NULL. */
struct value *simplify_tanh(struct builder *b, struct op *op);

#endif
