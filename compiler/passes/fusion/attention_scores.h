/* attention_scores.h: the scores of attention (attention.h) in f32, in which the step computes
 * them, where the program rounds them to a narrower type. The kernel rounds them. Where it converts
 * them to f32 again, and the target has excess_precision, it reads them as they were before. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_ATTENTION_SCORES_H
#define GANTRY_COMPILER_PASSES_FUSION_ATTENTION_SCORES_H

#include "compiler/ir/ir.h"

/* Makes the product `scores`, the reshapes after it and the operand of the fusion f32, if they are
 * not: the fusion rounds the operand itself; `excess`: only where it needs the narrower type. The
 * operand is the only user of the product's result. */
void attention_scores_widen(struct module *module, struct op *scores, struct op *fusion,
                            int operand, bool excess);

#endif
