/* loop_products.h: computes products of a loop for all iterations at once, before the loop, where
 * only what they multiply tells the iterations apart: `x[i] @ w`, as in the recurrence
 *
 *   h = tanh(x[i] @ w + h @ u)       becomes       p = x @ w;  loop: h = tanh(p[i] + h @ u)
 *
 * One product of many rows runs several times as fast as many products of few rows, which read all
 * of w each time. The left operand may also be computed from slices with the same index by
 * operations of stack_op.h. A product with a concatenation of such values and others along the
 * contracted dimension (`concatenate([x[i], h]) @ w`) becomes a sum of two products first, in f32
 * and f64.
 *
 * Applies to loops with a known trip count, to arrays x that have no more elements along the sliced
 * dimension than the loop has iterations (so no more is computed than before), to products of few
 * rows, and while the results for all iterations take little memory. The index may be
 * anything: x[i] @ w is (x @ w)[i]. Requires canonical operations, with loop invariants captured
 * (dce.h); leaves unused operations.
 *
 * Each block is visited once for each loop that its operations leave. */
#ifndef GANTRY_COMPILER_PASSES_LOOPS_LOOP_PRODUCTS_H
#define GANTRY_COMPILER_PASSES_LOOPS_LOOP_PRODUCTS_H

#include "compiler/ir/ir.h"

struct target;
struct error *loop_products_run(struct module *module, const struct target *target);

#endif
