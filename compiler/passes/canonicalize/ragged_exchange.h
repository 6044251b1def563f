/* ragged_exchange.h: ragged_all_to_all, the exchange of rows of which each participant sends
 * another number to each other. Clients send it as a custom call:
 *
 *   @ragged_all_to_all(operand [A, ...], output [B, ...], input_offsets [N], send_sizes [N],
 *                      output_offsets [N], recv_sizes [N]) -> [B, ...]
 *       backend_config = {replica_groups, channel_id}: the modes of an all_to_all
 *
 * In a group of n members, N = n * k: entries m * k to m * k + k - 1 are for member m. For each,
 * the rows operand[input_offset .. + send_size) are written to m's result at output_offset; the
 * other rows of a result are those of its output. Source: jax.lax.ragged_all_to_all.
 *
 * It becomes an all_gather of the operands and one of the offsets and sizes; each participant then
 * gathers the rows of its result. Offsets and sizes are clamped to the operand's rows, rows beyond
 * the result are not written, and where entries overlap, the last one's row is kept. recv_sizes,
 * which must agree with the senders' sizes, are ignored. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_RAGGED_EXCHANGE_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_RAGGED_EXCHANGE_H

#include "compiler/ir/ir.h"

/* Replaces the custom call. INVALID_ARGUMENT for operands, results and groups that do not fit. */
struct error *ragged_exchange(struct module *module, struct op *op);

#endif
