/* attention_backward.h: recognizes the gradient of attention, as automatic differentiation writes
 * it, and makes it one step: FUSION_ATTENTION_BACKWARD (struct attention_backward_spec,
 * program.h). Requires layouts; comes before fusion.
 *
 *   scores     = Q K^T             products, in any layout
 *   weights    = f(scores, ...)    a softmax less its maximum (attention_softmax.h), so that the
 *                                  sums of its exponentials are at least 1 (softmax_gradient.h)
 *   change     = dO V^T
 *   gradient   = g(weights, change, ...)
 *   dV         = weights^T dO
 *   dQ         = gradient K
 *   dK         = gradient^T Q
 *
 * A program that trains has computed the weights once, for its result, and keeps them. The step
 * computes them anew from the scores, a block of rows at a time, so that no array that grows with
 * the square of the sequence is in memory: the recomputed product costs less than what the arrays
 * between the products cost in memory. What the result is computed from is then as without a
 * gradient, and may become a FUSION_ATTENTION. In both, the weights are products with the
 * reciprocals of the sums (attention_softmax.h).
 *
 * The operands of the products are all f32, or all bf16. Then scores and change are computed in f32
 * in the step, and rounded by its kernels (attention_scores.h); weights and gradient are f32 until
 * the last three products read them.
 *
 * Where a mask hides columns (attention_mask.h), the step leaves out those at the end of a row that
 * no row of a block sees, if the gradient of their scores is zero (softmax_gradient_vanishes()).
 *
 * The region of the fusion has the five products and the two kernels in the order above, roundings
 * to bf16 before the last three, and returns these. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_ATTENTION_BACKWARD_H
#define GANTRY_COMPILER_PASSES_FUSION_ATTENTION_BACKWARD_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *attention_backward_run(struct module *module, const struct target *target);

#endif
