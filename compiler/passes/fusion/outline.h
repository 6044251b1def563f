/* outline.h: outlines small loops into one kernel. A while whose condition and body are cheap, so
 * that executing them as steps would cost more than their work, and contain only operations that
 * generated code supports, becomes a FUSION_REGION. Its matrix products become FUSION_STANDALONE,
 * those with few columns of a transposed right operand; values it captures become operands. Other
 * loops stay step lists. Requires fusion. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_OUTLINE_H
#define GANTRY_COMPILER_PASSES_FUSION_OUTLINE_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

/* Whether an operation is a while whose condition and body are that cheap. Fused or not. */
bool outline_is_cheap(const struct op *op, const struct target *target);

struct error *outline_run(struct module *module, const struct target *target);

#endif
