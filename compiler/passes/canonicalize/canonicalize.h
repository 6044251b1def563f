/* canonicalize.h: one way to say each thing, so that later passes and code generation have less to
 * know:
 *
 *   dot, einsum, torch_index_select, batch_norm_*, map, broadcast   become simpler operations
 *   reducers                                                        combine what they are given
 *   clamp and select with scalars                                   get operands of equal sizes
 *   collectives of one participant, partition_id, replica_id        the operand; 0
 *   custom calls that only annotate (Sharding ...)                  their operand
 *   custom calls with layouts                                       row-major ones between
 *   transposes case, if, while whose way is constant                           the branch that is
 *   taken reshape of reshape, convert to the same type, full slice ...    what is under it
 *   results without elements                                        an empty constant
 *
 * Idempotent. Errors: UNIMPLEMENTED for an einsum or map that is not simple. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_H

#include "compiler/ir/ir.h"

struct target;
struct error *canonicalize_run(struct module *module, const struct target *target);

#endif
