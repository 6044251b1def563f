/* partition_op.h: partitions an operation that has a sharding rule, or none and no regions of
 * control flow. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PARTITION_OP_H
#define GANTRY_COMPILER_PASSES_SPMD_PARTITION_OP_H

#include "compiler/passes/spmd/factor_axes.h"
#include "compiler/passes/spmd/partitioner.h"

/* The note that partition_op() expects of an operation: its sharding rule, which must be made
 * before its operands are partitioned. */
void *partition_rule(struct partitioner *p, const struct op *op);

/* Makes `op`, whose operands are shards and whose result types are global, an operation on shards:
 * brings the operands to tilings that the operation can compute with, sets the results' types and
 * tilings, and completes partial results with a collective. Every use of a result that a collective
 * completes is replaced. */
void partition_op(struct partitioner *p, struct op *op);

/* Brings operand i to a tiling. */
void partition_operand(struct partitioner *p, struct op *op, int i, const struct tiling *to);
/* Brings all tensors that the regions of `op` capture to the replicated tiling. */
void partition_captures(struct partitioner *p, struct op *op);
/* Gives the result's value the type of a shard in that tiling. */
void partition_result(struct partitioner *p, struct value *result, const struct tiling *tiling);

/* The axes of the factors of `op`, whose operands are shards and whose result types are global;
 * dimension `dim` of its first operand keeps the axes `given`. */
struct factor_axes partition_choose(struct partitioner *p, const struct op *op,
                                    const struct sharding_rule *rule, int dim,
                                    const struct axis_list *given);
/* The operation that combines partial results, and whether repeating a value changes its result. */
struct combiner {
    enum op_code code;
    bool repeatable;
    double identity; /* when it is not repeatable */
};
/* Of an operation without a region, which adds, or whose region sharding_rules_is_combiner(). */
struct combiner partition_combiner(const struct op *op);
/* Completes the results of `op` where the axes shard reduction factors, and brings them to the
 * tilings `wanted`, one a result: masks padding of its operands, and counts what partial results
 * start from only once. */
void partition_complete(struct partitioner *p, struct op *op, const struct factor_axes *axes,
                        const struct tiling *const *wanted);
/* Changes attributes that hold sizes to those of the shards that operands and results are. */
void partition_attributes(struct partitioner *p, struct op *op);
/* Marks a value as one that is still to be summed over `axes`. */
void partition_set_unreduced(struct partitioner *p, struct value *value,
                             const struct axis_list *axes);

#endif
