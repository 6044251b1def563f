/* softmax_gradient.h: finds the gradient of a softmax in the operations that compute a value, as
 * automatic differentiation writes it, and builds the two kernels that compute it from products.
 *
 *   scores       a product, rows x columns
 *   exponentials = f(scores, ...)             each row depends on the same row of the scores
 *   sum          = sum(exponentials)          of a row
 *   weights      = exponentials / sum
 *   change       a product: the gradient of the weights
 *   gradient     = g(exponentials, sum, change, ...)
 *
 * Multiplying the exponentials and the sum of a row by any number c > 0 leaves weights and gradient
 * as they are: each operation of g is homogeneous in c, and the degree of the result is zero. So g
 * may be computed from the weights alone, with c = 1 / sum:
 *
 *   gradient     = g(weights, 1, change, ...)
 *
 * Both f and g are elementwise functions of other operands, and reductions of rows. For any f, sums
 * may be zero or infinite, and g(weights, 1, ...) is NaN elsewhere than g is: the user proves that
 * they are at least 1 (attention_softmax.h). */
#ifndef GANTRY_COMPILER_PASSES_FUSION_SOFTMAX_GRADIENT_H
#define GANTRY_COMPILER_PASSES_FUSION_SOFTMAX_GRADIENT_H

#include "compiler/ir/ir.h"

enum { SOFTMAX_GRADIENT_MAX = 96 };

struct softmax_gradient {
    struct op *scores, *change; /* library_spec_is_product() */
    struct value *exponentials, *sum, *weights, *gradient;
    /* Of the same block, operands before users: all that compute the gradient. */
    struct op *members[SOFTMAX_GRADIENT_MAX];
    int member_count;
};

/* Whether a value is such a gradient. */
bool softmax_gradient_find(struct module *module, struct value *gradient,
                           struct softmax_gradient *out);

/* Insert a FUSION_ROWS of the weights, of which the scores are an operand, or of the gradient, of
 * which `weights` (the result of the first) and the result of `change` are operands. NULL, and
 * nothing is inserted: they do not have the form above. */
struct op *softmax_gradient_make_weights(struct module *module, const struct softmax_gradient *from,
                                         struct op *position);
struct op *softmax_gradient_make(struct module *module, const struct softmax_gradient *from,
                                 struct value *weights, struct op *position);

/* Whether the gradient is zero where the weights are, and the rest of it does not depend on these
 * columns: for those two fusions, where weights are at most 1 and `change` is finite and at most
 * 2^124. False where that is not known. */
bool softmax_gradient_vanishes(const struct op *gradient, const struct value *weights,
                               const struct value *change);

#endif
