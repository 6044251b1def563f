/* collapse.c: see collapse.h. */
#include "compiler/codegen/loops/collapse.h"

#include "compiler/codegen/loops/walk.h"

static bool collapses(const struct value *value, int dim, struct walk *walk);

static bool broadcast_collapses(const struct op *op, int dim, struct walk *walk)
{
    const struct type *from = op->operands[0]->type;
    const struct dims *to = &op->attrs.broadcast_in_dim.broadcast_dimensions;
    int outer = -1, inner = -1;
    for (int i = 0; i < from->shape.rank; i++) {
        outer = to->at[i] == dim && from->shape.dims[i] != 1 ? i : outer;
        inner = to->at[i] == dim + 1 && from->shape.dims[i] != 1 ? i : inner;
    }
    if (outer < 0 && inner < 0)
        return true;
    return outer >= 0 && inner == outer + 1 && collapses(op->operands[0], outer, walk);
}

/* Whether a dimension is padded or cut. */
static bool is_padded(const struct op *op, int dim)
{
    const struct attrs_pad *pad = &op->attrs.pad;
    return pad->edge_padding_low.at[dim] || pad->edge_padding_high.at[dim] ||
           pad->interior_padding.at[dim];
}

/* Whether an operation that moves elements moves those of dim and dim + 1 together: where elements
 * are adjacent in the result, they are adjacent in the operands, too. */
static bool moves_together(const struct op *op, int dim)
{
    const int64_t *dims = op->results[0].type->shape.dims;
    const int64_t *from = op->operand_count ? op->operands[0]->type->shape.dims : dims;
    switch (op->code) {
    case OP_concatenate:
        return op->attrs.dimension.dimension != dim && op->attrs.dimension.dimension != dim + 1;
    case OP_iota:
        return op->attrs.iota.iota_dimension != dim && op->attrs.iota.iota_dimension != dim + 1;
    case OP_reverse:
        return !dims_contain(op->attrs.dimensions.dimensions, dim) &&
               !dims_contain(op->attrs.dimensions.dimensions, dim + 1);
    case OP_slice: /* every so many elements of whole rows are every so many of all */
        return op->attrs.slice.strides.at[dim] == 1 &&
               dims[dim + 1] * op->attrs.slice.strides.at[dim + 1] == from[dim + 1];
    case OP_dynamic_slice: return dims[dim + 1] == from[dim + 1];
    case OP_pad: return !is_padded(op, dim) && !is_padded(op, dim + 1);
    default: return op_info(op->code)->traits & OP_ELEMENTWISE;
    }
}

int collapse_reshaped_dim(const struct op *reshape, int dim)
{
    const struct shape *to = &reshape->results[0].type->shape,
                       *from = &reshape->operands[0]->type->shape;
    int found = -1, k = 0;
    for (int i = 0; i < to->rank; i++) {
        if (to->dims[i] == 1)
            continue;
        while (k < from->rank && from->dims[k] == 1)
            k++;
        if (k == from->rank || from->dims[k] != to->dims[i])
            return -1;
        found = i == dim ? k : found;
        k++;
    }
    return found;
}

static bool reshape_collapses(const struct op *op, int dim, struct walk *walk)
{
    int outer = collapse_reshaped_dim(op, dim), inner = collapse_reshaped_dim(op, dim + 1);
    return outer >= 0 && inner == outer + 1 && collapses(op->operands[0], outer, walk);
}

/* The operand's dimension that is dimension `dim` of a reduction's result. */
static int reduced_dim(const struct op *reduce, int dim)
{
    int i = 0;
    for (; dim > 0 || dims_contain(reduce->attrs.dimensions.dimensions, i); i++)
        dim -= !dims_contain(reduce->attrs.dimensions.dimensions, i);
    return i;
}

/* Rows that are reduced are not joined: items of a few of them divide fewer rows evenly, and what
 * is left of the rows is code of its own. */
static bool reduce_collapses(const struct op *op, int dim, struct walk *walk)
{
    int outer = reduced_dim(op, dim), last = op->operands[0]->type->shape.rank - 1;
    if (reduced_dim(op, dim + 1) != outer + 1 ||
        dims_contain(op->attrs.dimensions.dimensions, last))
        return false;
    for (int i = 0; i < op->result_count; i++)
        if (!collapses(op->operands[i], outer, walk))
            return false;
    return true;
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
    if (op->code == OP_broadcast_in_dim)
        return broadcast_collapses(op, dim, walk);
    if (op->code == OP_reshape)
        return reshape_collapses(op, dim, walk);
    if (op->code == OP_reduce)
        return reduce_collapses(op, dim, walk);
    if (!moves_together(op, dim))
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->shape.rank && !collapses(op->operands[i], dim, walk))
            return false;
    return true;
}

bool collapse_fits(const struct value *value, int dim)
{
    struct walk walk = walk_start();
    return collapses(value, dim, &walk);
}
