/* model_schedule.h: the order of groups. */
#ifndef GANTRY_COMPILER_MODEL_KERNELS_MODEL_SCHEDULE_H
#define GANTRY_COMPILER_MODEL_KERNELS_MODEL_SCHEDULE_H

#include "compiler/model/model_graph.h"

/* Reorders the groups of all blocks, so that less memory is in use at a time; groups that update a
 * value in place stay after its other readers. model_fusion() has run. O(n log n). */
void model_schedule(struct model *model);

#endif
