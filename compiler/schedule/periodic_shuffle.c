/* periodic_shuffle.c: see periodic_shuffle.h. */
#include "compiler/schedule/periodic_shuffle.h"

#include "compiler/schedule/access.h"
#include "compiler/schedule/arithmetic.h"

enum {
    STEPS = 200,   /* of the walk */
    ROW_WEIGHT = 2 /* of what is computed again for each element of a row */
};

/* The dimensions of a value that lanes run along: that of rows, then those of a row's elements; -1
 * where the value does not depend on one. */
struct lane_dims {
    int count, at[SHAPE_MAX_RANK];
};

struct periodic_shuffle_walk {
    int steps;  /* left */
    bool moves; /* see periodic_shuffle_fits() */
};

static bool fits(const struct value *value, const struct lane_dims *dims,
                 struct periodic_shuffle_walk *walk);

static bool is_among(const struct lane_dims *dims, int first, int64_t dim)
{
    for (int i = first; i < dims->count; i++)
        if (dims->at[i] == dim)
            return true;
    return false;
}

/* Whether the elements that lanes read of an argument are within a few vectors: its innermost
 * dimensions are those of a row's elements, in any order, and around them that of rows. */
static bool is_dense(const struct type *type, const struct lane_dims *dims)
{
    uint64_t inner = 0, rows = dims->at[0] < 0 ? 0 : 1ULL << dims->at[0];
    for (int i = 1; i < dims->count; i++)
        if (dims->at[i] >= 0 && type->shape.dims[dims->at[i]] != 1)
            inner |= 1ULL << dims->at[i];
    for (int dim = type->shape.rank - 1; dim >= 0 && (inner || rows); dim--) {
        uint64_t here = 1ULL << dim;
        if (type->shape.dims[dim] == 1)
            continue;
        if (!(inner ? inner & here : rows & here))
            return false;
        inner &= ~here;
        rows &= ~here;
    }
    return !inner;
}

/* Whether an argument's innermost dimension is another than that of the lanes. */
static bool moves(const struct type *type, const struct lane_dims *dims)
{
    int innermost = type->shape.rank - 1;
    while (innermost >= 0 && type->shape.dims[innermost] == 1)
        innermost--;
    int of_lanes = dims->at[dims->count - 1];
    return of_lanes >= 0 && type->shape.dims[of_lanes] > 1 && of_lanes != innermost;
}

/* The lanes' dimensions of an operand. */
static struct lane_dims dims_before(const struct op *op, int operand, const struct lane_dims *dims)
{
    struct lane_dims before = {.count = dims->count};
    for (int i = 0; i < dims->count; i++)
        before.at[i] = dims->at[i] < 0 ? -1 : access_dim_of(op, operand, dims->at[i]);
    return before;
}

static bool broadcast_fits(const struct op *op, const struct lane_dims *dims,
                           struct periodic_shuffle_walk *walk)
{
    struct lane_dims before = dims_before(op, 0, dims);
    bool repeats = before.at[0] >= 0 && is_among(&before, 1, -1);
    return !(repeats && arithmetic_weight(op->operands[0]) > ROW_WEIGHT) &&
           fits(op->operands[0], &before, walk);
}

/* Adds the operand's dimensions that the lanes' dimension `dim` of a reshape's result is part of,
 * or consists of. False if one of them is cut, or `whole`, and there are several. */
static bool add_before_reshape(const struct op *op, int dim, bool whole, struct lane_dims *before)
{
    const struct shape *from = &op->operands[0]->type->shape, *to = &op->results[0].type->shape;
    int first = before->count;
    bool depends = dim >= 0 && to->dims[dim] != 1;
    struct access_span span = depends ? access_span_of(to, dim) : (struct access_span){0, 0};
    for (int k = 0; k < from->rank && depends; k++) {
        struct access_span other = access_span_of(from, k);
        if (from->dims[k] == 1 || other.low >= span.high || other.high <= span.low)
            continue;
        if (!(access_span_contains(other, span) || (!whole && access_span_contains(span, other))) ||
            before->count == SHAPE_MAX_RANK)
            return false;
        before->at[before->count++] = k;
    }
    if (before->count == first && before->count < SHAPE_MAX_RANK)
        before->at[before->count++] = -1;
    return before->count > first;
}

/* Whether the lanes' dimensions of a reshape fill those of its operand that their elements are in,
 * but for that of rows. */
static bool fills(const struct op *op, const struct lane_dims *dims, const struct lane_dims *before)
{
    const struct shape *from = &op->operands[0]->type->shape, *to = &op->results[0].type->shape;
    for (int i = 1; i < before->count; i++) {
        int k = before->at[i];
        int64_t left = k < 0 || k == before->at[0] ? 1 : from->dims[k];
        for (int j = 1; j < dims->count && left > 1; j++)
            if (dims->at[j] >= 0 &&
                access_span_contains(access_span_of(from, k), access_span_of(to, dims->at[j])))
                left /= to->dims[dims->at[j]];
            else if (dims->at[j] >= 0 &&
                     access_span_contains(access_span_of(to, dims->at[j]), access_span_of(from, k)))
                left = 1;
        if (left > 1)
            return false;
    }
    return true;
}

static bool reshape_fits(const struct op *op, const struct lane_dims *dims,
                         struct periodic_shuffle_walk *walk)
{
    struct lane_dims before = {.count = 0};
    for (int i = 0; i < dims->count; i++)
        if (!add_before_reshape(op, dims->at[i], i == 0, &before))
            return false;
    int innermost = dims->at[dims->count - 1], k = before.at[before.count - 1];
    walk->moves |= k >= 0 && access_span_of(&op->operands[0]->type->shape, k).low !=
                                 access_span_of(&op->results[0].type->shape, innermost).low;
    return fills(op, dims, &before) && fits(op->operands[0], &before, walk);
}

/* Masks must be patterns unless the lanes read adjacent elements. */
static bool pads_one_way(const struct op *pad, const struct lane_dims *dims)
{
    bool inner = false;
    for (int i = 0; i < dims->count; i++) {
        struct access access = access_of(pad, 0, dims->at[i]);
        if (access.divisor != 1)
            return false;
        inner |= i > 0 && access.guarded;
    }
    return !(inner && access_of(pad, 0, dims->at[0]).guarded);
}

static bool cuts_little(const struct op *slice, const struct lane_dims *dims)
{
    const struct shape *to = &slice->results[0].type->shape,
                       *from = &slice->operands[0]->type->shape;
    for (int i = 0; i < dims->count; i++)
        if (access_of(slice, 0, dims->at[i]).scale != 1 ||
            (i > 0 && from->dims[dims->at[i]] > 2 * to->dims[dims->at[i]]))
            return false;
    return true;
}

/* Whether a concatenation has operands that are almost as they are in memory, and not an element of
 * each in turn, which is better interleaved. */
static bool joins_parts(const struct op *concatenate, const struct lane_dims *dims)
{
    int64_t dim = concatenate->attrs.dimension.dimension;
    if (!is_among(dims, 1, dim) ||
        concatenate->operand_count == concatenate->results[0].type->shape.dims[dim])
        return false;
    for (int i = 0; i < concatenate->operand_count; i++)
        if (arithmetic_weight(concatenate->operands[i]) > ROW_WEIGHT)
            return false;
    return true;
}

/* Whether lanes that are near each other are so in the operands of an operation, too. */
static bool keeps_near(const struct op *op, const struct lane_dims *dims)
{
    if (op_info(op->code)->traits & OP_ELEMENTWISE || op->code == OP_reverse ||
        op->code == OP_transpose)
        return true;
    if (is_among(dims, 0, -1))
        return false;
    switch (op->code) {
    case OP_slice: return cuts_little(op, dims);
    case OP_pad: return pads_one_way(op, dims);
    case OP_concatenate: return joins_parts(op, dims);
    default: return false;
    }
}

static bool depends(const struct lane_dims *dims)
{
    for (int i = 0; i < dims->count; i++)
        if (dims->at[i] >= 0)
            return true;
    return false;
}

static bool fits(const struct value *value, const struct lane_dims *dims,
                 struct periodic_shuffle_walk *walk)
{
    const struct op *op = value->def;
    if (!depends(dims))
        return true;
    if (!op || op->code == OP_fusion) {
        walk->moves |= moves(value->type, dims);
        return is_dense(value->type, dims);
    }
    if (op->code == OP_constant || op->code == OP_iota)
        return op->code == OP_iota || op->attrs.constant.value->splat ||
               is_dense(value->type, dims);
    if (--walk->steps < 0)
        return false;
    if (op->code == OP_broadcast_in_dim)
        return broadcast_fits(op, dims, walk);
    if (op->code == OP_reshape)
        return reshape_fits(op, dims, walk);
    if (!keeps_near(op, dims))
        return false;
    for (int i = 0; i < op->operand_count; i++) {
        struct lane_dims before = dims_before(op, i, dims);
        if (op->operands[i]->type->shape.rank && !fits(op->operands[i], &before, walk))
            return false;
    }
    return true;
}

bool periodic_shuffle_fits(const struct value *value, const struct axis *axes, int count,
                           bool *moves)
{
    struct periodic_shuffle_walk walk = {.steps = STEPS};
    struct lane_dims lanes = {.count = count};
    for (int i = 0; i < count; i++)
        lanes.at[i] = axes[i].dim;
    bool found = fits(value, &lanes, &walk);
    *moves |= walk.moves;
    return found;
}
