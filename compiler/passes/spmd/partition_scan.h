/* partition_scan.h: scans along a sharded dimension: reduce_windows whose windows begin with the
 * dimension's first element or end with its last one, as cumulative sums are lowered for
 * accelerators and by PyTorch/XLA. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PARTITION_SCAN_H
#define GANTRY_COMPILER_PASSES_SPMD_PARTITION_SCAN_H

#include "compiler/passes/spmd/partitioner.h"

/* Replaces a scan along a dimension that shards divide evenly: each partition scans its shard and
 * combines that with the totals of the shards before (or behind) it, of which one element a scanned
 * row and shard is gathered. Floats are so combined in another order than in the whole scan.
 * Returns false, and changes nothing, for other operations. */
bool partition_scan(struct partitioner *p, struct op *op);

#endif
