/* eval_point.h: evaluation points: where in the loop nest of a kernel a value is computed, and how
 * often.
 *
 * The root of a kernel has one loop per dimension, outermost first; a reduction adds inner loops.
 * Generated code hoists each computation to the outermost loop that contains all loop variables it
 * depends on. An evaluation point records, for each dimension of a value, which loop variable
 * determines its index and how many times the body of that loop executes. A value that is read at
 * several indices has several evaluation points. */
#ifndef GANTRY_COMPILER_SCHEDULE_EVAL_POINT_H
#define GANTRY_COMPILER_SCHEDULE_EVAL_POINT_H

#include "compiler/ir/ir.h"

struct eval_point_dim {
    uint64_t var; /* identifies the index expression; 0 for a dimension of size 1 */
    double count; /* executions of the loop body; 0 for a dimension of size 1 */
    bool reduced; /* the loop is that of a reduction */
    int loop; /* 1 + the dimension of the root whose loop gives the index, however shifted; 0: no
                   * such loop, or several */
};
struct eval_point {
    int rank;
    struct eval_point_dim *dims;
    double least; /* lower bound of the count: a computation guarded by a condition on the element
                   * is not hoisted out of the element's loops */
    bool inner;   /* an operand of a reduction; its loop need not be around the computation */
    bool repeats; /* the kernel has several work items, and each computes the values that depend on
                   * no loop variable */
    bool uniform; /* inside a reduction that depends on no loop variable of the root: each work item
                   * computes all of it */
    bool whole;   /* of a loop nest of its own over all elements: the root's, and those of pieces */
    bool unknown; /* the index depends on those of the root in a way that is not known */
    bool piece;   /* inside the nest of an operand of the root (schedule/concatenation.h) */
    uint64_t unrolled; /* the variable of the root's innermost loop if that has few iterations, each
                        * of which is code of its own (loops.h); else 0 */
    uint64_t component; /* the variable of a gather's index vector, of which each component has code
                         * of its own; else 0 */
};
/* At most EVAL_POINT_MAX points are stored; `count` also counts the others. */
struct eval_points {
    int count;
    struct eval_point *at;
};
enum { EVAL_POINT_MAX = 6 };

/* The evaluation point of the root itself. */
struct eval_point eval_point_root(struct arena *arena, const struct op *root);
/* The evaluation point of operand `operand` of op when op is computed at `point`. */
struct eval_point eval_point_of_operand(struct arena *arena, const struct op *op, int operand,
                                        const struct eval_point *point);
/* Whether both points have the same index expressions and counts. */
bool eval_point_equal(const struct eval_point *a, const struct eval_point *b);
/* Whether a concatenation at a point has operands that alternate in the unrolled loop: which of
 * them an element is of is then known when the code is generated. */
bool eval_point_interleaves(const struct op *concatenate, const struct eval_point *point);
/* Whether a concatenation at a point is that of the components of a gather's index vector: there,
 * too, its operand is known. */
bool eval_point_is_index_vector(const struct op *concatenate, const struct eval_point *point);
/* Whether a value is computed inside the loop of a reduction, anew in each of its iterations. What
 * does not depend on that loop is computed before it. */
bool eval_point_is_inner(const struct eval_point *point);
/* Whether a value is computed in the loop of a reduce over its operand's last dimension. */
bool eval_point_is_in_row_of(const struct eval_point *point, const struct op *reduce);
/* Whether a value is the same for all indices of dimension `dim` of the root, which has `rank`: its
 * indices are those of loops over other dimensions, and of reductions. False where that is not
 * known. */
bool eval_point_is_same_along(const struct eval_point *point, int rank, int dim);
/* The innermost dimension of a value whose index is that of the root's loop over `dim`, however
 * shifted; -1: none. */
int eval_point_dim_of(const struct eval_point *point, int dim);
/* Whether index `at` of a value is that of a loop of the root, which has `rank`, over another
 * dimension than `dim`. */
bool eval_point_is_other_loop(const struct eval_point *point, int at, int rank, int dim);
/* The number of times (at least 1) a value is computed at a point while the kernel computes the
 * whole root. */
double eval_point_count(const struct eval_point *point);
/* Adds a point unless an equal one is present. */
void eval_point_add(struct arena *arena, struct eval_points *points,
                    const struct eval_point *point);
/* The sum of eval_point_count over the stored points. */
double eval_point_total(const struct eval_points *points);

#endif
