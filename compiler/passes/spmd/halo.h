/* halo.h: gives each partition a range of the elements of a sharded dimension (halo_plan.h). */
#ifndef GANTRY_COMPILER_PASSES_SPMD_HALO_H
#define GANTRY_COMPILER_PASSES_SPMD_HALO_H

#include "compiler/passes/spmd/halo_plan.h"
#include "compiler/passes/spmd/partitioner.h"

/* The ranges `halo` of dimension `dim` of a shard whose tiling has the axes halo->from there. What
 * of a range lies outside of halo->begin .. end is `fill`, a scalar of the value's element type, as
 * far as it matters (halo->counts); anything when `fill` is NULL. The result's type has `size`
 * elements along `dim`; it is marked as a shard of the same value in the same tiling, so that
 * another dimension's ranges can be taken from it. Collectives and all else are inserted at the
 * builder's position, except for ranges of the same value that its block already has. */
struct value *halo_exchange(struct partitioner *p, struct builder *b, struct value *value, int dim,
                            const struct halo *halo, struct value *fill);

/* at[i] on the partitions with index i on the axes (collective_shard_index()): an s64 scalar. */
struct value *halo_lookup(struct partitioner *p, struct builder *b, const struct axis_list *axes,
                          const int64_t *at);

#endif
