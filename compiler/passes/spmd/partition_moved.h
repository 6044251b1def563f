/* partition_moved.h: the local forms of operations along dimensions in which elements move
 * (operand_ranges.h). */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PARTITION_MOVED_H
#define GANTRY_COMPILER_PASSES_SPMD_PARTITION_MOVED_H

#include "compiler/passes/spmd/operand_ranges.h"
#include "compiler/passes/spmd/partitioner.h"

/* Brings the operands of `op` to the tilings that its factors' axes ask for or, along dimensions
 * with ranges, to those ranges, which the operation then computes with: changes its padding, limits
 * and dilation accordingly. For a concatenation or select_and_scatter along a sharded
 * dimension, makes the result in another way, and returns it; else NULL. */
struct value *partition_moved(struct partitioner *p, struct op *op,
                              const struct operand_ranges *ranges, const struct factor_axes *axes);

/* What an operation whose operands are shards and whose result type is global takes of another
 * value; NULL unless it is a slice of one dimension, without strides. In the arena. */
const struct shard_slice *partition_moved_slice(struct partitioner *p, const struct op *op);

#endif
