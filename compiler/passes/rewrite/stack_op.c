/* stack_op.c: see stack_op.h. Dimension i of a value is dimension i + 1 of its stack. */
#include "compiler/passes/rewrite/stack_op.h"

#include "compiler/passes/rewrite/rewrite.h"

/* The numbers `dims`, each `by` more, behind a first one. */
static struct dims behind(struct arena *arena, int64_t first, struct dims dims, int64_t by)
{
    int64_t *at = ARENA_ARRAY(arena, int64_t, (size_t)dims.count + 1);
    at[0] = first;
    for (int64_t i = 0; i < dims.count; i++)
        at[1 + i] = dims.at[i] + by;
    return (struct dims){dims.count + 1, at};
}

const struct type *stack_op_type(struct arena *arena, const struct type *type, int64_t count)
{
    struct dims dims = {type->shape.rank, type->shape.dims};
    dims = behind(arena, count, dims, 0);
    return type_with_dims(arena, type, (int)dims.count, dims.at);
}

struct value *stack_op_reshape(struct builder *b, struct value *value, const struct type *type)
{
    while (value->def && value->def->code == OP_reshape)
        value = value->def->operands[0];
    return type_same_shape(value->type, type)
               ? value
               : build_reshape(b, value, type->shape.rank, type->shape.dims);
}

static bool is_known_dot(const struct op *dot, const bool *is_stacked)
{
    return !dot->attrs.dot.lhs_batching_dimensions.count && is_stacked[0] != is_stacked[1];
}

bool stack_op_is_known(const struct op *op, const bool *is_stacked)
{
    if (op->result_count != 1 || op->results[0].type->shape.rank >= SHAPE_MAX_RANK)
        return false;
    switch (op->code) {
    case OP_broadcast_in_dim:
    case OP_concatenate:
    case OP_reshape:
    case OP_slice:
    case OP_transpose: return true;
    case OP_dot_general: return is_known_dot(op, is_stacked);
    default: break;
    }
    for (int i = 0; i < op->operand_count; i++)
        if (!type_same_shape(op->operands[i]->type, op->results[0].type))
            return false;
    return op_info(op->code)->traits & OP_ELEMENTWISE;
}

/* A stack of equal values. */
static struct value *repeated(struct builder *b, struct value *value, int64_t count)
{
    const struct type *type = stack_op_type(b->module->arena, value->type, count);
    struct dims to = rewrite_range(b->module, 1, value->type->shape.rank);
    return build_broadcast(b, value, type, (int)to.count, to.at);
}

/* An operation whose operands are all made stacks. */
static struct value *build_uniform(struct builder *b, const struct op *op,
                                   struct value *const *operands, const bool *is_stacked,
                                   int64_t count)
{
    union attrs attrs = op->attrs;
    struct value **stacks =
        ARENA_ARRAY(b->module->arena, struct value *, (size_t)op->operand_count);
    for (int i = 0; i < op->operand_count; i++)
        stacks[i] = is_stacked[i] ? operands[i] : repeated(b, operands[i], count);
    if (op->code == OP_concatenate)
        attrs.dimension.dimension++;
    const struct type *type = stack_op_type(b->module->arena, op->results[0].type, count);
    return build_declared(b, op->code, op->operand_count, stacks, type, &attrs);
}

/* The product of one stacked operand, as the left one, with the other. The dimensions of its result
 * are the stack's, the free ones of the stacked operand, those of the other. */
static struct value *build_product(struct builder *b, const struct op *dot,
                                   struct value *const *operands, int stacked)
{
    struct attrs_dot at = dot->attrs.dot;
    struct dims contracted[2] = {at.lhs_contracting_dimensions, at.rhs_contracting_dimensions};
    struct value *sides[2] = {operands[stacked], operands[1 - stacked]};
    struct dims list = contracted[stacked];
    list = behind(b->module->arena, 0, list, 1);
    at.lhs_contracting_dimensions = (struct dims){list.count - 1, list.at + 1};
    at.rhs_contracting_dimensions = contracted[1 - stacked];
    if (stacked == 1) {
        at.precision_config =
            (struct precisions){.lhs = at.precision_config.rhs, .rhs = at.precision_config.lhs};
        at.lhs_precision_type = dot->attrs.dot.rhs_precision_type;
        at.rhs_precision_type = dot->attrs.dot.lhs_precision_type;
        at.lhs_component_count = dot->attrs.dot.rhs_component_count;
        at.rhs_component_count = dot->attrs.dot.lhs_component_count;
    }
    int64_t dims[2 * SHAPE_MAX_RANK], count = 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < sides[side]->type->shape.rank; i++)
            if (!dims_contain(side ? at.rhs_contracting_dimensions : at.lhs_contracting_dimensions,
                              i))
                dims[count++] = sides[side]->type->shape.dims[i];
    const struct type *type =
        type_tensor(b->module->arena, dot->results[0].type->shape.dtype, (int)count, dims);
    return build_declared(b, OP_dot_general, 2, sides, type, &(union attrs){.dot = at});
}

static struct value *build_dot(struct builder *b, const struct op *dot,
                               struct value *const *operands, const bool *is_stacked)
{
    int64_t permutation[SHAPE_MAX_RANK], count = 0;
    struct value *product = build_product(b, dot, operands, is_stacked[0] ? 0 : 1);
    if (is_stacked[0])
        return product;
    int rank = product->type->shape.rank;
    int64_t free =
        dot->operands[1]->type->shape.rank - dot->attrs.dot.rhs_contracting_dimensions.count;
    permutation[count++] = 0;
    for (int64_t i = 1 + free; i < rank; i++)
        permutation[count++] = i;
    for (int64_t i = 1; i < 1 + free; i++)
        permutation[count++] = i;
    return build_transpose(b, product, permutation);
}

struct value *stack_op_build(struct builder *b, const struct op *op, struct value *const *operands,
                             const bool *is_stacked, int64_t count)
{
    struct arena *arena = b->module->arena;
    const union attrs *at = &op->attrs;
    const struct type *type = stack_op_type(arena, op->results[0].type, count);
    struct dims dims;
    switch (op->code) {
    case OP_broadcast_in_dim:
        dims = behind(arena, 0, at->broadcast_in_dim.broadcast_dimensions, 1);
        return build_broadcast(b, operands[0], type, (int)dims.count, dims.at);
    case OP_dot_general: return build_dot(b, op, operands, is_stacked);
    case OP_reshape: return stack_op_reshape(b, operands[0], type);
    case OP_slice:
        return build_slice(b, operands[0], behind(arena, 0, at->slice.start_indices, 0).at,
                           behind(arena, count, at->slice.limit_indices, 0).at,
                           behind(arena, 1, at->slice.strides, 0).at);
    case OP_transpose:
        return build_transpose(b, operands[0], behind(arena, 0, at->transpose.permutation, 1).at);
    default: return build_uniform(b, op, operands, is_stacked, count);
    }
}
