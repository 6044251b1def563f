/* model_scratch.h: memory that kernels need beside their operands and results. */
#ifndef GANTRY_COMPILER_MODEL_MEMORY_MODEL_SCRATCH_H
#define GANTRY_COMPILER_MODEL_MEMORY_MODEL_SCRATCH_H

#include "compiler/model/model_graph.h"

/* Adds to model->buffers what the group alone uses: operands that it reads in another layout than
 * they have, and what its operations need while they run. The group has its positions. */
void model_scratch(struct model *model, const struct model_group *group);

/* Adds the copies of values that loops read and do not change, such as the stacked weights of a
 * scan's layers, and has the groups of loops read them: narrow ones, if all that read the value in
 * loops are content with bf16 (model_narrow.h), and of arguments in the tiles of loops
 * (accelerator.retiles_in_loops). Several loops share a copy, which the first one lists (`copies`).
 * All groups have their positions. */
void model_scratch_of_loops(struct model *model);

#endif
