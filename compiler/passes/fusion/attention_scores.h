/* attention_scores.h: the scores of attention (attention.h) in f32, in which the step computes
 * them, where the program rounds them to a narrower type. Where the kernel converts them to f32
 * again, it gets them as they were before both conversions, as XLA does
 * (xla_allow_excess_precision). */
#ifndef GANTRY_COMPILER_PASSES_FUSION_ATTENTION_SCORES_H
#define GANTRY_COMPILER_PASSES_FUSION_ATTENTION_SCORES_H

#include "compiler/ir/ir.h"

/* Makes the product `scores`, the reshapes after it and the operand of the fusion f32, if they are
 * not: the fusion rounds the operand itself where it needs to. The operand is the only user of the
 * product's result. */
void attention_scores_widen(struct module *module, struct op *scores, struct op *fusion,
                            int operand);

#endif
