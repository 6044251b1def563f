/* reshard.h: brings a shard to another tiling. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_RESHARD_H
#define GANTRY_COMPILER_PASSES_SPMD_RESHARD_H

#include "compiler/passes/spmd/partitioner.h"

/* The value in tiling `to`: itself, a copy made before in the builder's block, or the result of
 * collectives at the builder's position. The result has a struct shard. */
struct value *reshard(struct partitioner *p, struct builder *b, struct value *value,
                      const struct tiling *to);

/* Sets to `fill` (a scalar of the value's element type) the elements of a shard that are padding in
 * dimension `dim`; the value itself when the dimension is divided exactly. */
struct value *reshard_mask(struct partitioner *p, struct builder *b, struct value *value, int dim,
                           struct value *fill);

/* Where this partition's shard begins along `dim`: an s64 scalar. */
struct value *reshard_offset(struct partitioner *p, struct builder *b, const struct tiling *tiling,
                             int dim, int64_t local_size);

#endif
