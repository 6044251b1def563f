/* simplify_sigmoid.h: sums with a hyperbolic tangent and products with a logistic function, as in
 * gelu, silu and the gates of recurrent layers. */
#ifndef GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_SIGMOID_H
#define GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_SIGMOID_H

#include "compiler/ir/build.h"

/* What replaces the result of a sum or product, or NULL: 2 logistic(2 x) for 1 + tanh(x) of f32
 * that is only multiplied, and y / (1 + exp(-x)) for y logistic(x) of f32 and f64 where y is x, a
 * tangent or a logistic function, if the function has no other use. Neither gives another NaN or
 * infinity. */
struct value *simplify_one_plus_tanh(struct builder *b, struct op *op);
struct value *simplify_times_logistic(struct builder *b, struct op *op);

#endif
