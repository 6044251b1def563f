/* access.h: how operations move elements. An element of an operation's result is computed from
 * elements of its operands; each index into an operand is an expression of the index of the result.
 * Schedules and code generation ask here which dimension of an operand a loop runs along, in which
 * order memory is read and where an element comes from. Passes that rewrite an operation read its
 * attributes themselves. Pure functions of the IR. */
#ifndef GANTRY_COMPILER_SCHEDULE_ACCESS_H
#define GANTRY_COMPILER_SCHEDULE_ACCESS_H

#include "compiler/ir/ir.h"

enum access_kind {
    ACCESS_ONE,     /* 0: the operand is repeated along this dimension, where it has size 1 */
    ACCESS_INDEX,   /* (scale * index[dim] + offset) / divisor */
    ACCESS_DIGITS,  /* of a reshape: part of several indices of the result, or of one */
    ACCESS_LOOP,    /* all indices: of a loop of the operation's own, as reduced dimensions have */
    ACCESS_COMPUTED /* found in other operands, or by a rule that is not one of the above */
};

/* The index in one dimension of an operand. */
struct access {
    enum access_kind kind;
    int dim; /* of the result; of ACCESS_COMPUTED: that of the same number, -1: there is none */
    int64_t scale; /* 1 where the result of a slice has one element */
    /* In a concatenation 0, for the operand's first element: its place is the sum of the sizes
     * before it, which the caller adds up. */
    int64_t offset;
    int64_t divisor; /* of padding between elements: where a remainder is left is padding */
    bool shifted;    /* by a start index, which is another operand */
    bool guarded;    /* may be outside of the operand: the element is then that of another one */
};

/* The index in dimension `dim` of an operand of op. */
struct access access_of(const struct op *op, int operand, int dim);

/* The dimensions of an operand, a bit each, whose index depends on that of one of the given
 * dimensions of the result. */
uint64_t access_dims_of(const struct op *op, int operand, uint64_t dims);

/* The dimension of an operand whose index is made of that of dimension `dim` of the result alone
 * (ACCESS_INDEX); -1: there is none. */
int access_dim_of(const struct op *op, int operand, int dim);

/* Whether a slice takes each element between its first and its last. */
bool access_is_dense(const struct op *slice);

/* Whether an index is that of the result as it is. */
bool access_is_same(const struct access *access);

/* Whether a transpose of an array moves only dimensions of size 1, so that it is a reshape. */
bool access_keeps_order(const struct shape *array, struct dims permutation);

/* ---- reshapes -------------------------------------------------------------------------------- */
/* A range [low, high) of row-major strides, in elements, which a dimension covers. Dimensions of
 * both sides of a reshape correspond where their spans overlap. */
struct access_span {
    int64_t low, high;
};
struct access_span access_span_of(const struct shape *shape, int dim);
bool access_span_contains(struct access_span outer, struct access_span inner);

/* Whether a reshape only adds and removes dimensions of size 1. */
bool access_keeps_dims(const struct op *reshape);
/* Whether a reshape only splits dimensions of its operand, keeps them, or adds or removes
 * dimensions of size 1. Then the index into the operand is a sum of products of the result's
 * indices. */
bool access_splits_dims(const struct op *reshape);

#endif
