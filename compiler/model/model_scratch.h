/* model_scratch.h: memory that kernels need beside their operands and results. */
#ifndef GANTRY_COMPILER_MODEL_MODEL_SCRATCH_H
#define GANTRY_COMPILER_MODEL_MODEL_SCRATCH_H

#include "compiler/model/model_graph.h"

/* Adds to model->buffers what the group alone uses: operands that it reads in another layout than
 * they have, and what its operations need while they run. The group has its positions. */
void model_scratch(struct model *model, const struct model_group *group);

#endif
