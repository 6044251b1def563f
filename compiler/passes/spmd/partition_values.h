/* partition_values.h: the operands, results and sizes of an operation become those of shards. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PARTITION_VALUES_H
#define GANTRY_COMPILER_PASSES_SPMD_PARTITION_VALUES_H

#include "compiler/passes/spmd/partitioner.h"

/* Brings operand i to a tiling. */
void partition_operand(struct partitioner *p, struct op *op, int i, const struct tiling *to);
/* Brings all tensors that the regions of `op` capture to the replicated tiling. */
void partition_captures(struct partitioner *p, struct op *op);
/* Gives the result's value the type of a shard in that tiling. */
void partition_result(struct partitioner *p, struct value *result, const struct tiling *tiling);
/* Marks a value as one that is still to be summed over `axes`. */
void partition_set_unreduced(struct partitioner *p, struct value *value,
                             const struct axis_list *axes);
/* Changes attributes that hold sizes to those of the shards that operands and results are. */
void partition_attributes(struct partitioner *p, struct op *op);

#endif
