/* partition_rotate.h: rotates a value along a sharded dimension: the concatenation of its end and
 * its beginning (jnp.roll). */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PARTITION_ROTATE_H
#define GANTRY_COMPILER_PASSES_SPMD_PARTITION_ROTATE_H

#include "compiler/passes/spmd/partitioner.h"

/* Replaces the concatenation of the last and the first elements of one value, which its shards
 * divide evenly along the dimension, by what each shard receives of two others: a permute of each
 * part. Returns false, and changes nothing, for other operations. */
bool partition_rotate(struct partitioner *p, struct op *op);

#endif
