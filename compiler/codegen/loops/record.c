/* record.c: see record.h. */
#include "compiler/codegen/loops/record.h"

#include "compiler/codegen/element/stride.h"
#include "compiler/codegen/loops/walk.h"

enum {
    BYTES_MOST = 64, /* of a record */
    ARITHMETIC_MOST =
        8,       /* operations on an element: with more of them, lanes should not be empty */
    DIVISION = 4 /* takes as long as so many others */
};

struct record_walk {
    struct walk walk;
    int arithmetic; /* operations so far, of a record's elements or once for all of them */
};

static bool fits(const struct value *value, int dim, struct record_walk *walk);

/* Whether a dimension is the innermost one of size > 1. */
static bool is_innermost(const struct shape *shape, int dim)
{
    for (int i = dim + 1; i < shape->rank; i++)
        if (shape->dims[i] != 1)
            return false;
    return true;
}

static bool broadcast_fits(const struct op *op, int dim, struct record_walk *walk)
{
    const struct shape *from = &op->operands[0]->type->shape;
    int before = -1;
    for (int i = 0; i < from->rank; i++)
        if (op->attrs.broadcast_in_dim.broadcast_dimensions.at[i] == dim && from->dims[i] != 1)
            before = i;
    return fits(op->operands[0], before, walk);
}

/* Whether the innermost dimension of a reshape's result is that of its operand. */
static bool reshape_fits(const struct op *op, int dim, struct record_walk *walk)
{
    const struct shape *from = &op->operands[0]->type->shape, *to = &op->results[0].type->shape;
    int before = from->rank - 1;
    while (before > 0 && from->dims[before] == 1)
        before--;
    return is_innermost(to, dim) && before >= 0 && from->dims[before] == to->dims[dim] &&
           fits(op->operands[0], before, walk);
}

static int64_t elements_of(struct dims dims)
{
    int64_t product = 1;
    for (int64_t i = 0; i < dims.count; i++)
        product *= dims.at[i];
    return product;
}

/* Whether a gather finds records, not longer slices of several. */
static bool gather_fits(const struct op *op, int dim, struct record_walk *walk)
{
    const struct attrs_gather *gather = &op->attrs.gather;
    int rank = op->operands[0]->type->shape.rank, offset = 0;
    for (int i = 0; i < rank; i++)
        if (!dims_contain(gather->collapsed_slice_dims, i) &&
            !dims_contain(gather->operand_batching_dims, i) &&
            gather->offset_dims.at[offset++] == dim)
            return elements_of(gather->slice_sizes) == gather->slice_sizes.at[i] &&
                   fits(op->operands[0], i, walk);
    return false;
}

static bool operands_fit(const struct op *op, int dim, struct record_walk *walk)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->shape.rank && !fits(op->operands[i], dim, walk))
            return false;
    return true;
}

/* Whether each record is padding or one of the operand as a whole, and which takes no division. */
static bool pad_fits(const struct op *pad, int dim, struct record_walk *walk)
{
    const struct attrs_pad *at = &pad->attrs.pad;
    for (int64_t i = 0; i < at->interior_padding.count; i++)
        if (at->interior_padding.at[i])
            return false;
    return !at->edge_padding_low.at[dim] && !at->edge_padding_high.at[dim] &&
           fits(pad->operands[0], dim, walk);
}

/* Whether a slice has whole records. Vectors of some that are near each other are loaded by
 * shuffles (stride.h). */
static bool slice_fits(const struct op *slice, int dim, struct record_walk *walk)
{
    const struct dims *strides = &slice->attrs.slice.strides;
    int64_t record = slice->operands[0]->type->shape.dims[dim];
    for (int64_t i = 0; i < strides->count; i++)
        if (strides->at[i] != 1 && (i == dim || strides->at[i] * record <= STRIDE_LOADED_MAX))
            return false;
    return fits(slice->operands[0], dim, walk);
}

static bool arithmetic_fits(const struct op *op, int dim, struct record_walk *walk)
{
    bool divides = op->code == OP_divide || op->code == OP_sqrt || op->code == OP_rsqrt;
    walk->arithmetic += divides ? DIVISION : 1;
    if ((op_info(op->code)->traits & OP_TRANSCENDENTAL) || op->code == OP_remainder ||
        walk->arithmetic > ARITHMETIC_MOST)
        return false;
    return operands_fit(op, dim, walk);
}

static bool op_fits(const struct op *op, int dim, struct record_walk *walk)
{
    if (op_info(op->code)->traits & OP_ELEMENTWISE)
        return arithmetic_fits(op, dim, walk);
    switch (op->code) {
    case OP_iota: return true;
    case OP_constant:
        return op->attrs.constant.value->splat || is_innermost(&op->results[0].type->shape, dim);
    case OP_transpose:
        return fits(op->operands[0], (int)op->attrs.transpose.permutation.at[dim], walk);
    case OP_reverse:
        return !dims_contain(op->attrs.dimensions.dimensions, dim) &&
               fits(op->operands[0], dim, walk);
    case OP_slice: return slice_fits(op, dim, walk);
    case OP_pad: return pad_fits(op, dim, walk);
    case OP_broadcast_in_dim: return broadcast_fits(op, dim, walk);
    case OP_reshape: return reshape_fits(op, dim, walk);
    case OP_gather: return gather_fits(op, dim, walk);
    default: return false;
    }
}

/* Whether little is computed for each record, beside what is the same for all of them. */
static bool is_little(const struct value *value, struct record_walk *walk)
{
    const struct op *op = value->def;
    if (!op || shape_elements(&value->type->shape) == 1 ||
        walk_is_repeated(&walk->walk, op, UINT64_MAX, 0))
        return true;
    if (--walk->walk.steps < 0)
        return false;
    if (op_info(op->code)->traits & OP_ELEMENTWISE)
        return arithmetic_fits(op, -1, walk);
    bool moves = op->code == OP_broadcast_in_dim || op->code == OP_reshape;
    return !moves || is_little(op->operands[0], walk);
}

/* Whether lanes along a dimension of a value (-1: the same for all lanes) may be a record. */
static bool fits(const struct value *value, int dim, struct record_walk *walk)
{
    const struct op *op = value->def;
    if (dim < 0)
        return is_little(value, walk);
    if (!op || op->code == OP_fusion)
        return is_innermost(&value->type->shape, dim);
    if (walk_is_repeated(&walk->walk, op, (uint64_t)dim, 0))
        return true;
    return --walk->walk.steps >= 0 && op_fits(op, dim, walk);
}

/* Whether a vector of so many elements is moved as one or two whose sizes are powers of two. A mask
 * is faster than three. */
static bool is_moved_at_once(int64_t size)
{
    int64_t rest = size & (size - 1);
    return !(rest & (rest - 1));
}

bool record_fits(const struct nest *nest)
{
    const struct nest_plan *plan = &nest->plan;
    int last = plan->axes - 1;
    for (int i = 0; i < nest->count && last > 0; i++) {
        const struct value *root = nest->roots[i];
        struct record_walk walk = {.walk = walk_start()};
        if (plan->axis_size[last] * dtype_bytes(root->type->shape.dtype) > BYTES_MOST ||
            !fits(root, plan->axis_dim[last], &walk))
            return false;
    }
    return last > 0 && !nest->visit && is_moved_at_once(plan->axis_size[last]);
}
