/* partition_op.h: partitions an operation that has a sharding rule, or none and no regions of
 * control flow. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PARTITION_OP_H
#define GANTRY_COMPILER_PASSES_SPMD_PARTITION_OP_H

#include "compiler/passes/spmd/partitioner.h"

/* The note that partition_op() expects of an operation: its sharding rule, which must be made
 * before its operands are partitioned. */
void *partition_rule(struct partitioner *p, const struct op *op);

/* Makes `op`, whose operands are shards and whose result types are global, an operation on shards:
 * brings the operands to tilings that the operation can compute with, sets the results' types and
 * tilings, and completes partial results with a collective. Every use of a result that a collective
 * completes is replaced. */
void partition_op(struct partitioner *p, struct op *op);

#endif
