/* partition_update.h: writes a small slice into an operand that is sharded along the slice's
 * dimension, at an index that is known only when the program runs (a cache of keys and values
 * sharded over the sequence). */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PARTITION_UPDATE_H
#define GANTRY_COMPILER_PASSES_SPMD_PARTITION_UPDATE_H

#include "compiler/ir/sharding_rules.h"
#include "compiler/passes/spmd/partitioner.h"

/* Partitions a dynamic_update_slice so that each partition writes what is in its shard, and nothing
 * is communicated but the update. Returns false, and changes nothing, for other operations, when
 * the operand is sharded along no dimension or several that the update is a part of, and when the
 * update is larger than a shard. */
bool partition_update(struct partitioner *p, struct op *op, const struct sharding_rule *rule);

#endif
