/* async_calls.h: asynchronous collectives that clients spell as pairs of custom calls:
 *
 *   %1 = @all-reduce-start(%x)   called_computations: the reducer
 *        async_collective_config = "{\"replica_groups\": [[0, 1]], ...}"   (frontend attribute)
 *   %2 = @all-reduce-done(%1)
 *
 * likewise for reduce-scatter, all-gather, all-to-all and collective-permute. The result of the
 * start has the type of the collective's. The configuration is JSON: replica_groups or permutation
 * (lists of lists of as many numbers), channel_id, use_global_device_ids, all_gather_dimension,
 * scatter_dimension, split_dimension, concat_dimension, split_count. Source: jax.lax.psum_start and
 * the like of JAX 0.12.
 *
 * They become the collectives; targets decide what runs beside them. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_ASYNC_CALLS_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_ASYNC_CALLS_H

#include "compiler/ir/ir.h"

/* Replaces the operation if it is such a custom call; *out tells. INVALID_ARGUMENT for operands,
 * reducers and configurations that do not fit. */
struct error *async_calls_replace(struct module *module, struct op *op, bool *out);

#endif
