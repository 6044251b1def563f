/* sharding_rule_maker.h: how the families of sharding_rules.def make a rule. A family states only
 * which dimensions share a factor; sharding_rule_of() then gives each remaining dimension of more
 * than one element a factor of its own that must not be sharded. Used only by
 * compiler/ir/sharding_rule*.c. */
#ifndef GANTRY_COMPILER_IR_SHARDING_RULE_MAKER_H
#define GANTRY_COMPILER_IR_SHARDING_RULE_MAKER_H

#include "base/vec.h"
#include "compiler/ir/sharding_rules.h"

struct factor_indices {
    int count, capacity;
    int *at;
};
struct made_value { /* an operand or a result */
    int rank;
    const int64_t *sizes;
    struct factor_indices *dims;
};

struct rule_maker {
    struct arena *arena;
    const struct op *op;
    VEC(struct factor) factors;
    struct made_value *operands, *results;
};

/* Adds a factor and returns its index. */
int rule_factor(struct rule_maker *m, int64_t size, enum factor_kind kind);
/* Appends the factor to the dimension, as the minor-most so far. */
void rule_put(struct rule_maker *m, struct made_value *value, int dim, int factor);
/* A new factor in dimension i of `a` and dimension j of `b`; its size is the larger of both.
 * Returns its index. */
int rule_link(struct rule_maker *m, struct made_value *a, int i, struct made_value *b, int j,
              enum factor_kind kind);
/* Puts the factor into dimension `dim` of `count` values. */
void rule_put_all(struct rule_maker *m, struct made_value *values, int count, int dim, int factor);

typedef void rule_family(struct rule_maker *m);

/* sharding_rules_shape.c: operations that move elements by their position */
rule_family rule_broadcast, rule_broadcast_in_dim, rule_dynamic_broadcast_in_dim, rule_reshape,
    rule_transpose, rule_slice, rule_pad, rule_reverse, rule_concatenate, rule_dynamic_slice,
    rule_dynamic_update_slice, rule_gather, rule_scatter;
/* sharding_rules_reduce.c: operations that combine elements */
rule_family rule_dot, rule_dot_general, rule_convolution, rule_reduce, rule_reduce_window,
    rule_select_and_scatter, rule_sort, rule_fft, rule_matrices, rule_batch_norm;

#endif
