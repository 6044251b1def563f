/* model_kernels.h: groups that the modeled accelerator runs as one kernel with several results, so
 * that shared values are read once. */
#ifndef GANTRY_COMPILER_MODEL_KERNELS_MODEL_KERNELS_H
#define GANTRY_COMPILER_MODEL_KERNELS_MODEL_KERNELS_H

#include "compiler/model/model_graph.h"

/* Sets the kernel of every group, and marks reads of values that its kernel already has. Counts the
 * results of kernels. Kernels are formed from elementwise groups of equal size that read or write
 * the same values, reductions of values that a kernel reads or writes, and, for short rows, users
 * of such reductions. The groups are in their final order. Linear in groups and reads. */
void model_kernels(struct model *model);

#endif
