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
#include "compiler/program/program.h"
#include "compiler/target.h"

struct error *attention_run(struct module *module, const struct target *target);

/* The operations in the region of a FUSION_ATTENTION. */
struct attention_parts {
    struct op *scores, *weights, *values; /* values and scores: dot_general or FUSION_DOT */
    int scores_operand;                   /* of `weights` */
    int weights_operand;                  /* of `values`, 0 or 1 (library_spec_dot_operand) */
    int mask_operand;                     /* of `weights`: attention_mask.h's count; -1: none */
};
struct attention_parts attention_parts(const struct op *attention);

/* The specification without the kernel's number; *swaps: the left side of the first product has the
 * keys. False where the products do not fit together, or are not supported; never of a
 * FUSION_ATTENTION. */
bool attention_spec_of(const struct attention_parts *parts, struct attention_spec *out,
                       bool *swaps);

#endif
