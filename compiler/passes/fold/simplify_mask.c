/* simplify_mask.c: see simplify_mask.h. */
#include "compiler/passes/fold/simplify_mask.h"

#include "compiler/analysis/constants.h"
#include "compiler/ir/equal.h"

enum {
    MAX_MOVES = 8,  /* reshapes, transposes and broadcasts between predicate and factor */
    MAX_VISITS = 64 /* values visited in the expression of the other factor */
};

static struct value *converted_predicate(const struct value *value)
{
    const struct op *op = value->def;
    bool is_mask = op && op->code == OP_convert && op->operands[0]->type->shape.dtype == DTYPE_PRED;
    return is_mask ? op->operands[0] : NULL;
}

static bool has_same_dims(const struct value *a, const struct value *b)
{
    return shape_same_dims(&a->type->shape, &b->type->shape);
}

static bool is_moved(const struct op *op)
{
    return op &&
           (op->code == OP_reshape || op->code == OP_transpose || op->code == OP_broadcast_in_dim);
}

/* Whether two operations move the elements of equally shaped tensors in the same way. */
static bool is_moved_alike(const struct op *a, const struct op *b)
{
    return is_moved(a) && b && a->code == b->code &&
           has_same_dims(a->operands[0], b->operands[0]) && equal_attrs(a, b);
}

/* A constant or a broadcast scalar: reshapes and transposes of it are free. */
static bool is_moved_freely(const struct value *value)
{
    const struct op *op = value->def;
    return op && (op->code == OP_constant ||
                  (op->code == OP_broadcast_in_dim && op->operands[0]->type->shape.rank == 0));
}

/* Whether all tensors of the elementwise expression `value` are moved as the mask is, so that the
 * moves can sink below the product. */
static bool moves_with(const struct value *value, const struct value *mask, int *visits)
{
    const struct op *op = value->def;
    if (converted_predicate(mask) || (*visits)-- <= 0)
        return converted_predicate(mask) != NULL;
    if (is_moved_alike(mask->def, op))
        return moves_with(op->operands[0], mask->def->operands[0], visits);
    if (mask->def->code == OP_broadcast_in_dim)
        return false;
    if (!op || !(op_info(op->code)->traits & OP_ELEMENTWISE))
        return is_moved_freely(value);
    for (int i = 0; i < op->operand_count; i++)
        if (!has_same_dims(op->operands[i], value) || !moves_with(op->operands[i], mask, visits))
            return false;
    return true;
}

/* Whether the value is a converted predicate, possibly moved. */
static bool is_moved_mask(const struct value *value)
{
    for (int i = 0; i < MAX_MOVES && is_moved(value->def); i++)
        value = value->def->operands[0];
    return converted_predicate(value) != NULL;
}

/* Builds the predicate of a mask with the dimensions of the mask. */
static struct value *moved_predicate(struct builder *b, const struct value *mask)
{
    struct value *predicate = converted_predicate(mask);
    if (predicate)
        return predicate;
    const struct op *op = mask->def;
    const struct shape *shape = &mask->type->shape;
    const struct type *type = type_tensor(b->module->arena, DTYPE_PRED, shape->rank, shape->dims);
    predicate = moved_predicate(b, op->operands[0]);
    return build_declared(b, op->code, 1, &predicate, type, &op->attrs);
}

bool simplify_mask_is(const struct value *factor, const struct value *other)
{
    int visits = MAX_VISITS;
    return is_moved_mask(factor) && moves_with(other, factor, &visits);
}

struct value *simplify_mask_find(struct builder *b, const struct value *factor,
                                 const struct value *other)
{
    return simplify_mask_is(factor, other) ? moved_predicate(b, factor) : NULL;
}
