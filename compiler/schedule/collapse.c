/* collapse.c: see collapse.h. */
#include "compiler/schedule/collapse.h"

#include "compiler/schedule/access.h"
#include "compiler/schedule/walk.h"

static bool collapses(const struct value *value, int dim, struct walk *walk);

/* Whether index (i, j) of two adjacent dimensions of an operand's result is index i * size + j of
 * both in the operand, too: one is the next one inside of the other, and steps along the outer one
 * go on where those along the inner one end. */
static bool is_contiguous(const struct op *op, int operand, int dim, int outer)
{
    const struct shape *to = &op->results[0].type->shape,
                       *from = &op->operands[operand]->type->shape;
    struct access a = access_of(op, operand, outer), b = access_of(op, operand, outer + 1);
    int64_t covered;
    return !a.guarded && !b.guarded && a.scale == 1 && b.scale > 0 && !b.shifted &&
           !__builtin_mul_overflow(b.scale, to->dims[dim + 1], &covered) &&
           covered == from->dims[outer + 1];
}

/* Rows that are reduced are not joined: items of a few of them divide fewer rows evenly, and what
 * is left of the rows is code of its own. */
static bool reduces_rows(const struct op *op)
{
    return op->code == OP_reduce &&
           dims_contain(op->attrs.dimensions.dimensions, op->operands[0]->type->shape.rank - 1);
}

static bool operand_collapses(const struct op *op, int operand, int dim, struct walk *walk)
{
    int outer = access_dim_of(op, operand, dim), inner = access_dim_of(op, operand, dim + 1);
    if (op->code == OP_broadcast_in_dim && outer < 0 && inner < 0)
        return true;
    return outer >= 0 && inner == outer + 1 && is_contiguous(op, operand, dim, outer) &&
           collapses(op->operands[operand], outer, walk);
}

/* Whether an operation without operands has the same value along both dimensions. */
static bool is_same_along(const struct op *op, int dim)
{
    return op->code == OP_iota && op->attrs.iota.iota_dimension != dim &&
           op->attrs.iota.iota_dimension != dim + 1;
}

static bool collapses(const struct value *value, int dim, struct walk *walk)
{
    const struct op *op = value->def;
    if (!op || value->type->shape.dims[dim] == 1 || value->type->shape.dims[dim + 1] == 1)
        return true;
    if (--walk->steps < 0)
        return false;
    if (op->code == OP_constant || op->code == OP_fusion ||
        walk_is_repeated(walk, op, (uint64_t)dim, 0))
        return true;
    if (!op->operand_count)
        return is_same_along(op, dim);
    if (reduces_rows(op) || (op->code == OP_reshape && !access_keeps_dims(op)))
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->shape.rank && !operand_collapses(op, i, dim, walk))
            return false;
    return true;
}

bool collapse_fits(const struct value *value, int dim)
{
    struct walk walk = walk_start();
    return collapses(value, dim, &walk);
}
