/* partition_call.h: custom calls and host transfers that are about devices rather than about
 * values. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PARTITION_CALL_H
#define GANTRY_COMPILER_PASSES_SPMD_PARTITION_CALL_H

#include "compiler/passes/spmd/partitioner.h"

/* Partitions a custom call, send or recv, whose operands are shards and whose result types are
 * global, when it is
 *
 *   - one with side effects that the client has put on one device (ir_device): it gets whole
 *     values, and runs on that device only, in a branch; its results are sent to the others
 *   - the call of a Python function for each shard, without results: it gets the shards as they are
 *
 * False: it is neither, and nothing has changed. */
bool partition_call(struct partitioner *p, struct op *op);

#endif
