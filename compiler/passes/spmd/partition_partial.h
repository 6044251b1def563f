/* partition_partial.h: results of which each partition has computed a part, because a factor that
 * the operation reduces is sharded. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PARTITION_PARTIAL_H
#define GANTRY_COMPILER_PASSES_SPMD_PARTITION_PARTIAL_H

#include "compiler/passes/spmd/factor_axes.h"
#include "compiler/passes/spmd/partitioner.h"

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

#endif
