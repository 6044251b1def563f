/* odd_vector.c: see odd_vector.h. */
#include "compiler/schedule/odd_vector.h"

#include "compiler/schedule/access.h"
#include "compiler/schedule/walk.h"

enum {
    BYTES_MOST = 64, /* of a record */
    ARITHMETIC_MOST =
        8,       /* operations on an element: with more of them, lanes should not be empty */
    DIVISION = 4 /* takes as long as so many others */
};

struct odd_vector_walk {
    struct walk walk;
    int arithmetic; /* operations so far, of a record's elements or once for all of them */
};

static bool fits(const struct value *value, int dim, struct odd_vector_walk *walk);

/* Whether a dimension is the innermost one of size > 1. */
static bool is_innermost(const struct shape *shape, int dim)
{
    for (int i = dim + 1; i < shape->rank; i++)
        if (shape->dims[i] != 1)
            return false;
    return true;
}

static int64_t elements_of(struct dims dims)
{
    int64_t product = 1;
    for (int64_t i = 0; i < dims.count; i++)
        product *= dims.at[i];
    return product;
}

/* Whether a gather finds records along a dimension of its operand, not longer slices of several. */
static bool finds_records(const struct op *gather, int dim)
{
    const struct dims sizes = gather->attrs.gather.slice_sizes;
    return elements_of(sizes) == sizes.at[dim];
}

static bool operands_fit(const struct op *op, int dim, struct odd_vector_walk *walk)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->shape.rank && !fits(op->operands[i], dim, walk))
            return false;
    return true;
}

/* Whether records along dimension `from` of an operand are those along dimension `dim` of the
 * result, as a whole, or padding, and which takes no division. Vectors of records that are near
 * each other are loaded by shuffles instead. */
static bool keeps_records(const struct op *op, int from)
{
    const struct shape *shape = &op->operands[0]->type->shape;
    for (int i = 0; i < shape->rank; i++) {
        struct access access = access_of(op, 0, i);
        bool is_near =
            access.scale > 1 && shape->dims[from] <= NEST_SCHEDULE_STRIDE_MOST / access.scale;
        if (access.divisor != 1 || is_near || (i == from && (access.scale != 1 || access.guarded)))
            return false;
    }
    return true;
}

static bool moved_fits(const struct op *op, int dim, struct odd_vector_walk *walk)
{
    int from = access_dim_of(op, 0, dim);
    if (from < 0)
        return op->code == OP_broadcast_in_dim && fits(op->operands[0], -1, walk);
    return keeps_records(op, from) && fits(op->operands[0], from, walk);
}

/* Whether the innermost dimension of a reshape's result is that of its operand. */
static bool reshape_fits(const struct op *op, int dim, struct odd_vector_walk *walk)
{
    return is_innermost(&op->results[0].type->shape, dim) && moved_fits(op, dim, walk);
}

static bool gather_fits(const struct op *op, int dim, struct odd_vector_walk *walk)
{
    int from = access_dim_of(op, 0, dim);
    return from >= 0 && finds_records(op, from) && fits(op->operands[0], from, walk);
}

static bool arithmetic_fits(const struct op *op, int dim, struct odd_vector_walk *walk)
{
    bool divides = op->code == OP_divide || op->code == OP_sqrt || op->code == OP_rsqrt;
    walk->arithmetic += divides ? DIVISION : 1;
    if ((op_info(op->code)->traits & OP_TRANSCENDENTAL) || op->code == OP_remainder ||
        walk->arithmetic > ARITHMETIC_MOST)
        return false;
    return operands_fit(op, dim, walk);
}

static bool op_fits(const struct op *op, int dim, struct odd_vector_walk *walk)
{
    if (op_info(op->code)->traits & OP_ELEMENTWISE)
        return arithmetic_fits(op, dim, walk);
    switch (op->code) {
    case OP_iota: return true;
    case OP_constant:
        return op->attrs.constant.value->splat || is_innermost(&op->results[0].type->shape, dim);
    case OP_transpose:
    case OP_reverse:
    case OP_slice:
    case OP_pad:
    case OP_broadcast_in_dim: return moved_fits(op, dim, walk);
    case OP_reshape: return reshape_fits(op, dim, walk);
    case OP_gather: return gather_fits(op, dim, walk);
    default: return false;
    }
}

/* Whether little is computed for each record, beside what is the same for all of them. */
static bool is_little(const struct value *value, struct odd_vector_walk *walk)
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
static bool fits(const struct value *value, int dim, struct odd_vector_walk *walk)
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

bool odd_vector_fits(const struct nest *nest)
{
    const struct schedule *schedule = &nest->schedule;
    int last = schedule->axes - 1;
    for (int i = 0; i < nest->count && last > 0; i++) {
        const struct value *root = nest->roots[i];
        struct odd_vector_walk walk = {.walk = walk_start()};
        if (schedule->axis[last].size * dtype_bytes(root->type->shape.dtype) > BYTES_MOST ||
            !fits(root, schedule->axis[last].dim, &walk))
            return false;
    }
    return last > 0 && !nest->visited && is_moved_at_once(schedule->axis[last].size);
}
