/* sliced_steps.h: products, convolutions and attention read slices of arrays in place. An operand
 * of such a step that is a slice of an array with adjacent elements, at an index of run time or
 * not, would be copied by a kernel first: of a loop over the layers of a model, all weights of each
 * layer, in each iteration. The slices and the step become one FUSION_SLICED, whose operands are
 * the arrays and the indices, and which has the offsets of struct slice_offset (program.h):
 *
 *   dot_general(x, reshape(dynamic_slice(weights, i, 0, 0)))  ->  fusion(x, weights, i) { same }
 *
 * A slice that something else reads, too, is copied as before, and so is one of an array that is
 * updated in place in the same block: the update would have to wait for the step. Requires fusion,
 * after the passes that look for products. No errors of its own. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_SLICED_STEPS_H
#define GANTRY_COMPILER_PASSES_FUSION_SLICED_STEPS_H

#include "compiler/ir/ir.h"

struct target;
struct error *sliced_steps_run(struct module *module, const struct target *target);

#endif
