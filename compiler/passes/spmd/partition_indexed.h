/* partition_indexed.h: gathers from and scatters to an operand that is sharded along a dimension
 * that the indices select (an embedding table sharded over its rows). */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PARTITION_INDEXED_H
#define GANTRY_COMPILER_PASSES_SPMD_PARTITION_INDEXED_H

#include "compiler/ir/sharding_rules.h"
#include "compiler/passes/spmd/partitioner.h"

/* Partitions `op` so that each partition handles the indices within its shard: those of a scatter
 * are made relative to the shard, which ignores indices outside of it; a gather yields zeros for
 * them, and the partitions' results are summed. Returns false, and changes nothing, when the
 * operation is no such gather or scatter, or gathering the operand communicates fewer bytes. */
bool partition_indexed(struct partitioner *p, struct op *op, const struct sharding_rule *rule);

#endif
