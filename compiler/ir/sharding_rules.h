/* sharding_rules.h: how the dimensions of an operation's operands and results relate, for passes
 * that partition programs and for enumerating strategies.
 *
 * A *factor* is an index of the loop nest that the operation is, like a letter of an einsum:
 *
 *   dot_general  [i, k] x [k, j] -> [i, j]     factors i, j pass; k is a reduction
 *   reshape      [i j] -> [i, j]               a dimension with two factors, major to minor
 *
 * Values that share a factor can be partitioned alike along it. Which family of rules an operation
 * has is a row of sharding_rules.def. */
#ifndef GANTRY_COMPILER_IR_SHARDING_RULES_H
#define GANTRY_COMPILER_IR_SHARDING_RULES_H

#include "compiler/ir/ir.h"

enum factor_kind {
    /* The operation on shards computes the shards of the results. Operations whose attributes hold
     * sizes (slice_sizes, feature_group_count) need those of the shard, an iota its offset. */
    FACTOR_PASS,
    /* In operands only: each partition computes a partial result, which the operation's own
     * combiner (the sum of a dot or convolution; the region of a reduce or scatter) completes. */
    FACTOR_REDUCTION,
    /* Must not be sharded: the operation needs these dimensions whole, or computes them whole. */
    FACTOR_REPLICATED,
    /* Elements move along the dimension, or their positions matter: slice, pad, reverse,
     * concatenate, windows, the dimensions that a scatter indexes. Operands and results may be
     * sharded alike, but the local form needs a halo, a gather or shifted indices. */
    FACTOR_PERMUTED
};

struct factor {
    int64_t size;
    enum factor_kind kind;
};

/* The factors of one dimension, major to minor. The product of their sizes is the dimension's size,
 * except for a factor that is permuted: its size is that of the largest of its dimensions, and it
 * is the only one of each. A dimension of size 1 may have none. */
struct factor_dim {
    int count;
    const int *at; /* indices of sharding_rule.factors */
};

/* Of an operand or a result; rank 0 for scalars, tokens and tuples. */
struct factor_dims {
    int rank;
    const struct factor_dim *dims;
};

struct sharding_rule {
    int factor_count, operand_count, result_count;
    const struct factor *factors;
    const struct factor_dims *operands, *results; /* one for each of the operation's */
};

/* The rule of an operation that infer_op() accepts, in the arena; its size is linear in the number
 * of dimensions of operands and results. NULL for control flow, calls, identities along which data
 * flows (optimization_barrier, full_to_shard ...) and operations without tensors. Pure. */
struct sharding_rule *sharding_rule_of(struct arena *arena, const struct op *op);

/* INVALID_ARGUMENT unless a rule of the client's (attribute sdy.sharding_rule) is one for the
 * operation: for its number of operands and results, their ranks and their sizes. */
struct error *sharding_rules_check(const struct sharding_rule *rule, const struct op *op);

/* Structural equality. */
bool sharding_rules_equal(const struct sharding_rule *a, const struct sharding_rule *b);

/* Prints Shardy's syntax, #sdy.op_sharding_rule<([i, j])->([ij]) {i=2, j=4}, custom>. */
void sharding_rules_print(const struct sharding_rule *rule, struct text *out);

/* True for region `r` of the operation when it combines two values by one commutative and
 * associative operation (add, maximum ...), so that partial results can be combined. */
bool sharding_rules_is_combiner(const struct op *op, int r);

#endif
