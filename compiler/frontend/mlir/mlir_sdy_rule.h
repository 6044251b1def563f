/* mlir_sdy_rule.h: Shardy's op_sharding_rule, by which a client says how the dimensions of its own
 * custom call relate. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_SDY_RULE_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_SDY_RULE_H

#include "compiler/frontend/mlir/mlir_attr.h"

struct mlir_mapping { /* of an operand or a result */
    size_t rank;
    const struct dims *dims; /* the factors of each dimension, major to minor */
};

struct mlir_sdy_rule {
    struct dims sizes; /* of the factors */
    size_t operand_count, result_count;
    const struct mlir_mapping *operands, *results;
    struct dims reduction, need_replication, permutation; /* factors */
};

/* Makes the rule. INVALID_ARGUMENT for negative sizes, factors that the rule does not
 * have, that have several kinds, or that a value has twice. Linear. */
struct error *mlir_sdy_rule(struct arena *arena, const struct mlir_sdy_rule *from,
                            const struct sharding_rule **out);

#endif
