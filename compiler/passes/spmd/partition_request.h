/* partition_request.h: what the partitioner asks of factor_axes.h for an operation whose operands
 * are shards and whose result types are global. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PARTITION_REQUEST_H
#define GANTRY_COMPILER_PASSES_SPMD_PARTITION_REQUEST_H

#include "compiler/passes/spmd/factor_axes.h"
#include "compiler/passes/spmd/partitioner.h"

/* Where the operands of `op` are, and where its results are wanted. In the partitioner's arena. */
struct factor_request partition_request(struct partitioner *p, const struct op *op,
                                        const struct sharding_rule *rule);

/* The axes of the factors of `op`; dimension `dim` of its first operand keeps the axes `given`. */
struct factor_axes partition_choose(struct partitioner *p, const struct op *op,
                                    const struct sharding_rule *rule, int dim,
                                    const struct axis_list *given);

#endif
