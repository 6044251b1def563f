/* model_kernels.h: groups that the modeled accelerator runs as one kernel with several results, so
 * that what they share is read once. */
#ifndef GANTRY_COMPILER_MODEL_MODEL_KERNELS_H
#define GANTRY_COMPILER_MODEL_MODEL_KERNELS_H

#include "compiler/model/model_graph.h"

/* Sets the kernel of every group, and marks what a group reads of values that its kernel has at
 * hand already. One kernel are elementwise groups of equal size that read or make the same values,
 * reductions of what a kernel reads or makes, and, of short rows, what is computed from such
 * reductions. The groups are in their final order. Linear in groups and reads. */
void model_kernels(struct model *model);

#endif
