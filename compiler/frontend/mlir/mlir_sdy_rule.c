#include "compiler/frontend/mlir/mlir_sdy_rule.h"

#include "compiler/ir/sharding_rules.h"

static struct error *check_factor(const struct mlir_sdy_rule *from, int64_t factor)
{
    if (factor >= 0 && factor < from->sizes.count)
        return NULL;
    return ERROR(INVALID_ARGUMENT, "sdy: a sharding rule of %lld factors refers to number %lld",
                 (long long)from->sizes.count, (long long)factor);
}

static struct error *set_kind(const struct mlir_sdy_rule *from, struct dims list,
                              enum factor_kind kind, struct factor *factors)
{
    for (int64_t i = 0; i < list.count; i++) {
        TRY(check_factor(from, list.at[i]));
        if (factors[list.at[i]].kind != FACTOR_PASS)
            return ERROR(INVALID_ARGUMENT,
                         "sdy: factor %lld of a sharding rule is in two lists of special factors",
                         (long long)list.at[i]);
        factors[list.at[i]].kind = kind;
    }
    return NULL;
}

static struct error *read_factors(struct arena *arena, const struct mlir_sdy_rule *from,
                                  const struct factor **out)
{
    struct factor *factors = ARENA_ARRAY(arena, struct factor, (size_t)from->sizes.count);
    *out = factors;
    for (int64_t f = 0; f < from->sizes.count; f++) {
        factors[f].size = from->sizes.at[f];
        if (factors[f].size < 0) /* that of an empty dimension is 0 */
            return ERROR(INVALID_ARGUMENT,
                         "sdy: factor %lld of a sharding rule has size %lld; sizes must not be "
                         "negative",
                         (long long)f, (long long)factors[f].size);
    }
    TRY(set_kind(from, from->reduction, FACTOR_REDUCTION, factors));
    TRY(set_kind(from, from->need_replication, FACTOR_REPLICATED, factors));
    return set_kind(from, from->permutation, FACTOR_PERMUTED, factors);
}

/* `last` has, for each factor, the number (from 1) of the last value that has it: a value must not
 * have it twice. */
static struct error *read_dim(struct arena *arena, const struct mlir_sdy_rule *from,
                              struct dims list, int value, int *last, struct factor_dim *out)
{
    int *at = ARENA_ARRAY(arena, int, (size_t)list.count);
    for (int64_t i = 0; i < list.count; i++) {
        TRY(check_factor(from, list.at[i]));
        at[i] = (int)list.at[i];
        if (last[at[i]] == value)
            return ERROR(INVALID_ARGUMENT,
                         "sdy: a sharding rule has factor %d twice in one operand or result",
                         at[i]);
        last[at[i]] = value;
    }
    *out = (struct factor_dim){(int)list.count, at};
    return NULL;
}

static struct error *read_mappings(struct arena *arena, const struct mlir_sdy_rule *from,
                                   size_t count, const struct mlir_mapping *mappings,
                                   const struct factor_dims **out)
{
    struct factor_dims *values = ARENA_ARRAY(arena, struct factor_dims, count);
    int *last = ARENA_ARRAY(arena, int, (size_t)from->sizes.count);
    for (size_t i = 0; i < count; i++) {
        struct factor_dim *dims = ARENA_ARRAY(arena, struct factor_dim, mappings[i].rank);
        for (size_t d = 0; d < mappings[i].rank; d++)
            TRY(read_dim(arena, from, mappings[i].dims[d], (int)i + 1, last, &dims[d]));
        values[i] = (struct factor_dims){(int)mappings[i].rank, dims};
    }
    *out = values;
    return NULL;
}

struct error *mlir_sdy_rule(struct arena *arena, const struct mlir_sdy_rule *from,
                            const struct sharding_rule **out)
{
    struct sharding_rule *rule = ARENA_NEW(arena, struct sharding_rule);
    *out = rule;
    rule->factor_count = (int)from->sizes.count;
    rule->operand_count = (int)from->operand_count;
    rule->result_count = (int)from->result_count;
    TRY(read_factors(arena, from, &rule->factors));
    TRY(read_mappings(arena, from, from->operand_count, from->operands, &rule->operands));
    return read_mappings(arena, from, from->result_count, from->results, &rule->results);
}
