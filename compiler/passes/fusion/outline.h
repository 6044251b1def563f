/* outline.h: outlines small loops into one kernel. A while whose condition and body are cheap, so
 * that executing them as steps would cost more than their work, and contain only operations that
 * generated code supports, becomes a FUSION_REGION. Its matrix products become FUSION_STANDALONE;
 * values it captures become operands. Other loops stay step lists. Requires fusion. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_OUTLINE_H
#define GANTRY_COMPILER_PASSES_FUSION_OUTLINE_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *outline_run(struct module *module, const struct target *target);

#endif
