/* join_cost.h: whether an array costs less if kernels compute its elements where they are used, or
 * if they are stored and loaded. Times are those of cost_time() on one core:
 *
 *   inside = for each evaluation point of each kernel: evaluations * element
 *   apart  = elements * (element + stored) + evaluations * loaded + a launch
 *
 * where an element takes its own arithmetic and that of all operations before it which would be
 * computed with it, down to arrays in memory. An evaluation that is the same for all lanes is of
 * one element at a time; one behind a condition on the element has a branch. Pure functions, which
 * take time linear in the evaluation points. */
#ifndef GANTRY_COMPILER_SCHEDULE_JOIN_COST_H
#define GANTRY_COMPILER_SCHEDULE_JOIN_COST_H

#include "compiler/schedule/eval_point.h"

/* The times that the operands of an element take: those of operations that are computed with it,
 * and of reading arrays if lanes are along the innermost dimension of its array, or another one. */
struct join_operands {
    double computed, read, crossed;
};

/* A kernel that may compute the array. */
struct join_site {
    const struct op *root;
    const struct eval_points *points; /* where it would compute the array */
    struct join_operands operands;    /* what its elements take there */
    double code;                      /* operations for an element of the root */
    bool reduces;                     /* it has reductions ... */
    bool sums_columns;                /* ... which are all over outer dimensions */
    bool interleaves;                 /* it has a concatenation whose operands alternate in a row */
    bool apart;                       /* join_cost_parts_rows() of an operation that it has */
    bool in_region;                   /* a loop is the kernel (outline.h): others are its parts */
};

/* Dimensions of a value, a bit each, that follow the innermost one of another, or another one. */
struct join_dims {
    uint64_t last, others;
};
struct join_dims join_dims_of(const struct type *type);

/* The time of an element's own arithmetic. A transpose has none: it reads in another order. */
double join_cost_element(const struct op *op);
/* The time of reading or writing an element of an array in memory: of adjacent elements; and of
 * those along the given dimensions, 0: the same for all lanes; those around them go through the
 * array with the others. */
double join_cost_moved(const struct value *value);
double join_cost_read(const struct value *value, uint64_t along, uint64_t others);
/* How many elements of an operand an element of the result takes, on average. */
double join_cost_share(const struct op *op, int operand);

/* The point after which the row of a value is on the stack (cached_row.h), so that no other one
 * computes it; NULL: it is not. */
const struct eval_point *join_cost_row(const struct value *value, const struct eval_points *points);

/* The time of the array's elements at the points of a kernel; and of loading them there. What is
 * needed once for each row of the kernel and follows from a reduction makes another kernel read the
 * rows, too. */
double join_cost_inside(const struct op *op, const struct join_site *site);
double join_cost_loaded(const struct op *op, const struct join_site *site);
/* The time of computing all elements once and of storing them. */
double join_cost_stored(const struct op *op, const struct join_operands *operands);
/* Whether lanes along short rows have to be apart because of an operation that the kernel computes
 * once for each row: without it they read and write adjacent elements (periodic_shuffle.h). */
bool join_cost_parts_rows(const struct op *op, const struct join_site *site);
/* Whether the kernel computes each element at most once, as a kernel of its own would: then storing
 * the array saves nothing, whatever the operands take. */
bool join_cost_is_once(const struct op *op, const struct join_site *site);
/* If the operands of an element take that time, more of it changes no decision. */
double join_cost_decisive(const struct op *op, bool in_region);
/* The time of another kernel that computes nothing, or of another part of a loop. */
double join_cost_launch(bool in_region);

#endif
