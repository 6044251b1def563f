/* factor_axes.h: chooses the axes by which an operation's factors (ir/sharding_rules.h) are
 * sharded: those of its results and operands that exclude one another least expensively. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_FACTOR_AXES_H
#define GANTRY_COMPILER_PASSES_SPMD_FACTOR_AXES_H

#include "compiler/ir/sharding_rules.h"
#include "compiler/passes/spmd/tiling.h"

struct factor_axes {
    const struct sharding_rule *rule;
    struct axis_list *factors; /* one for each factor; an axis occurs at most once */
};

struct tiling_list {
    int count;
    const struct tiling **at;
};

struct factor_request {
    const struct op *op;
    const struct sharding_rule *rule;
    const struct type *const *operand_types; /* global; one for each operand */
    const struct tiling *const *operands;    /* where the operands are; never NULL */
    const struct tiling_list *copies;        /* where else they are; NULL: nowhere */
    const struct type *const *result_types;  /* global */
    const struct tiling *const *results;     /* where the results are wanted */
    bool is_modeled;   /* chosen as an accelerator's partitioner chooses, not by bytes */
    bool agrees_first; /* ... after all values of a product agree (accelerator.h) */
    const struct axis_list *given; /* NULL, or axes that dimension given_dim of operand 0 keeps */
    int given_dim;
};

/* Chooses among the orders in which operands and results may claim axes the one with the fewest
 * bytes to communicate; the first of equal ones, results first. Permuted factors get axes where
 * operand_ranges.h can move the elements and that costs no more than computing with the whole
 * dimension; those that must not be sharded get none. An accelerator's partitioner shards the
 * factors of a product by which two of its values agree, and reduces what its operands have. Time:
 * linear in operands and dimensions, for at most four orders. */
struct factor_axes factor_axes_choose(struct arena *arena, const struct device_grid *grid,
                                      const struct factor_request *request);

/* Whether orders are compared at all: with reduction or permuted factors. */
bool factor_axes_weighs(const struct sharding_rule *rule);

/* The tiling of an operand or result with these dimensions (of factors->rule). */
struct tiling *factor_axes_tiling(struct arena *arena, const struct factor_axes *factors,
                                  const struct factor_dims *dims);

/* The axes of all reduction factors. */
struct axis_list factor_axes_reduced(const struct factor_axes *factors);

#endif
