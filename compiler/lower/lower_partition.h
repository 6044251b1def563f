/* lower_partition.h: partitions the work of kernels over threads. Pure but for the steps. */
#ifndef GANTRY_COMPILER_LOWER_LOWER_PARTITION_H
#define GANTRY_COMPILER_LOWER_LOWER_PARTITION_H

#include "compiler/codegen_library.h"

/* Sets `work` and `grain` of the kernels' steps, those in loops and branches too. Called after code
 * generation, which sets the work of every kernel in `request`. A step whose cost is less than the
 * target's parallel_cost is one part; others are at most a few parts for each core. */
void lower_partition(const struct codegen_request *request, const struct target *target,
                     struct step_list *steps);

#endif
