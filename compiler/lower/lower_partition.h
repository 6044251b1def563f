/* lower_partition.h: partitions the work of kernels over threads. */
#ifndef GANTRY_COMPILER_LOWER_LOWER_PARTITION_H
#define GANTRY_COMPILER_LOWER_LOWER_PARTITION_H

#include "compiler/codegen_library.h"

/* Sets `work` and `grain` of all kernel steps, including those in loops and branches. Call after
 * code generation, which sets the work of every kernel in `request`. A step that costs less than
 * the target's parallel_cost is one chunk; others have at most a few chunks for each core. */
void lower_partition(const struct codegen_request *request, const struct target *target,
                     struct step_list *steps);

#endif
