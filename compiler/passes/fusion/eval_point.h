/* eval_point.h: evaluation points: where inside the loops of a kernel a value is computed, and so
 * how often.
 *
 * A kernel's root has a loop for each dimension, the first outermost; a reduction opens further
 * loops inside. Generated code computes everything in the outermost loop that it depends on. An
 * evaluation point says, for every dimension of a value, which loop variable its index comes from
 * and how often that loop's body runs. A value has as many evaluation points as it is read at
 * different indices. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_EVAL_POINT_H
#define GANTRY_COMPILER_PASSES_FUSION_EVAL_POINT_H

#include "compiler/ir/ir.h"

struct eval_point_dim {
    uint64_t var; /* identity of the index expression; 0 for a dimension of size 1 */
    double count; /* how often the body of its loop runs; 0 for a dimension of size 1 */
};
struct eval_point {
    int rank;
    struct eval_point_dim *dims;
    double least; /* behind a condition on elements: computed so often, whatever its index */
    bool inner;   /* inside the loop of a reduction */
    bool repeats; /* every call of the kernel computes what has no index, and there are several */
    bool uniform; /* inside a reduction that has no index: each call does all of it */
};
/* at most EVAL_POINT_MAX are kept; `count` may be more */
struct eval_points {
    int count;
    struct eval_point *at;
};
enum { EVAL_POINT_MAX = 6 };

/* The loops over a root. */
struct eval_point eval_point_root(struct arena *arena, const struct op *root);
/* Where operand `operand` of op is computed when op is computed at `point`. */
struct eval_point eval_point_of_operand(struct arena *arena, const struct op *op, int operand,
                                        const struct eval_point *point);
bool eval_point_equal(const struct eval_point *a, const struct eval_point *b); /* the same index */
/* How often a value is computed at a point, by one call of the kernel for all of the root: at least
 * once. */
double eval_point_count(const struct eval_point *point);
/* Unless it is there. */
void eval_point_add(struct arena *arena, struct eval_points *points,
                    const struct eval_point *point);
double eval_point_total(const struct eval_points *points);

/* A reshape whose operand's dimensions are each split into several (or kept, or size 1 put in or
 * taken out): its index is a sum of products. */
bool eval_point_splits_reshape(const struct op *reshape);

#endif
