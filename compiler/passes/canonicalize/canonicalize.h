/* clang-format off */
/* canonicalize.h: rewrites operations to a canonical form, so that later passes and code generation
 * handle fewer cases:
 *
 *   dot, einsum, torch_index_select, batch_norm_*, map, broadcast   simpler operations
 *   products of mixed types                                         sums of the widest type needed
 *   reducers                                                        operands of the reducer's type
 *   clamp and select with scalars                                   operands of equal sizes
 *   small windows over rows of few elements                         slices
 *   collectives in groups of one, ids of one replica or partition   the operand; 0
 *   partition_id, replica_id in regions                             at the start of the program
 *   cross_replica_sum                                               all_reduce
 *   custom calls that only annotate (Sharding ...)                  their operand
 *   custom calls with layouts                                       row-major layouts, transposes
 *   case, if, while with a constant predicate                       the branch that is taken
 *   reshape of reshape, convert to the same type, full slice ...    the innermost operand
 *   results without elements                                        an empty constant
 *   a scatter of one window at a constant position, or of several
 *   next to each other                                              dynamic_update_slice
 *   a scatter of one element to each row of equal numbers, which
 *   other operations read                                           select
 *   a gather of rows next to each other at constant positions       slice
 *
 * Idempotent. Errors: UNIMPLEMENTED for unsupported einsums and maps, INVALID_ARGUMENT. */
/* clang-format on */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_H

#include "compiler/ir/ir.h"

struct target;
struct error *canonicalize_run(struct module *module, const struct target *target);

#endif
