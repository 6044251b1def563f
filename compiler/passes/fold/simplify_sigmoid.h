/* simplify_sigmoid.h: products with a logistic function, as in silu and the gates of recurrent
 * layers. */
#ifndef GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_SIGMOID_H
#define GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_SIGMOID_H

#include "compiler/ir/build.h"

/* What replaces the result of a product, or NULL: y / (1 + exp(-x)) for y logistic(x) of f32 and
 * f64 where y is x, a tangent or a logistic function, if the function has no other use. It gives no
 * other NaN, infinity or sign. */
struct value *simplify_times_logistic(struct builder *b, struct op *op);

#endif
