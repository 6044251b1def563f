/* attention.h: recognizes attention, a product, a kernel that reduces its rows, and a product of
 * the kernel's result, and makes the three one step: FUSION_ATTENTION. The step computes a block of
 * rows at a time (program.h), so that what is between the products stays in a core's cache instead
 * of memory that grows with the square of the sequence. Requires fusion.
 *
 *   scores  = Q K^T            a product that has no other user, in any layout
 *   weights = f(scores, ...)   a FUSION_LOOP that has no other user either, of which each row
 *                              depends on one row of the scores: a softmax of any elementwise
 *                              function of score, position and other operands (scale, mask, bias,
 *                              soft cap, window); it becomes a FUSION_ROWS
 *   result  = weights V        in any layout
 *
 * Where the function of the scores is a kernel of its own, it joins that of the softmax
 * (attention_join.h). The operands of both products are f32 or bf16; scores of bf16 become f32
 * (attention_scores.h). Reshapes in between are allowed. Where a mask hides columns
 * (attention_mask.h), the step leaves out those at the end of a row that no row of a tile sees.
 * Where a gradient reads the weights, they have another user, and nothing changes. Small products
 * stay as they are, because their scores are in the cache anyway. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_ATTENTION_H
#define GANTRY_COMPILER_PASSES_FUSION_ATTENTION_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *attention_run(struct module *module, const struct target *target);

#endif
