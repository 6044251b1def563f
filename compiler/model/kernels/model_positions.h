/* model_positions.h: when the groups of a model run, and how long their values are in use. */
#ifndef GANTRY_COMPILER_MODEL_KERNELS_MODEL_POSITIONS_H
#define GANTRY_COMPILER_MODEL_KERNELS_MODEL_POSITIONS_H

#include "compiler/model/model_graph.h"

/* Numbers the groups and blocks in the order in which they run (model_group.begin and .end,
 * model_block.begin and .end, model->positions), and sets of every value that groups make or read
 * the positions `first` and `last`. Call it once, when the order is final. Linear in the module,
 * but for the depth of nested loops. */
void model_positions(struct model *model);

#endif
