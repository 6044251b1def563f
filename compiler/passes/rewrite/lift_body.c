/* lift_body.c: see lift_body.h. */
#include "compiler/passes/rewrite/lift_body.h"

#include "compiler/passes/rewrite/rewrite.h"

struct lifting {
    struct module *module;
    struct builder b;
    const struct op *owner;
    const struct type *shape; /* sizes of all values */
    struct map *values;       /* scalar -> tensor */
};

/* The tensor for a scalar of the region or a captured scalar. */
static struct value *lifted(struct lifting *lift, struct value *scalar)
{
    struct value *tensor = map_get_pointer(lift->values, scalar);
    if (!tensor) {
        tensor = rewrite_broadcast_scalar(&lift->b, scalar, lift->shape);
        map_put_pointer(lift->values, scalar, tensor);
    }
    return tensor;
}

static bool is_scalar_op(const struct op *op)
{
    return op->result_count == 1 && op->results[0].type->shape.rank == 0 &&
           (op->code == OP_constant || (op_info(op->code)->traits & OP_ELEMENTWISE));
}

/* True for a reshape or broadcast of a scalar to a scalar. */
static bool is_scalar_move(const struct op *op)
{
    bool moves =
        op->code == OP_reshape || op->code == OP_broadcast_in_dim || op->code == OP_broadcast;
    return moves && op->operands[0]->type->shape.rank == 0 && op->results[0].type->shape.rank == 0;
}

bool lift_body_possible(const struct block *body)
{
    for (const struct op *op = body->first; op != body->last; op = op->next)
        if (!is_scalar_op(op) && !is_scalar_move(op))
            return false;
    return true;
}

static struct error *lift_op(struct lifting *lift, const struct op *op)
{
    struct module *module = lift->module;
    if (op->code == OP_constant && is_scalar_op(op)) {
        struct builder *b = &lift->b;
        map_put_pointer(
            lift->values, &op->results[0],
            rewrite_broadcast_scalar(b, build_constant(b, op->attrs.constant.value), lift->shape));
        return NULL;
    }
    if (is_scalar_move(op)) {
        map_put_pointer(lift->values, &op->results[0], lifted(lift, op->operands[0]));
        return NULL;
    }
    if (!is_scalar_op(op))
        return ERROR(UNIMPLEMENTED,
                     "%s: its body has %s; only elementwise operations on scalars are supported",
                     ir_where(module->arena, lift->owner), op_info(op->code)->name);
    struct value **operands = ARENA_ARRAY(module->arena, struct value *, (size_t)op->operand_count);
    for (int i = 0; i < op->operand_count; i++)
        operands[i] = lifted(lift, op->operands[i]);
    const struct type *type = type_tensor(module->arena, op->results[0].type->shape.dtype,
                                          lift->shape->shape.rank, lift->shape->shape.dims);
    struct value *value =
        build_declared(&lift->b, op->code, op->operand_count, operands, type, &op->attrs);
    map_put_pointer(lift->values, &op->results[0], value);
    return build_check(module, value);
}

struct error *lift_body_apply(struct module *module, struct op *op, const struct type *shape,
                              struct value *const *arguments, struct value **results)
{
    struct lifting lift = {module, rewrite_before(module, op), op, shape,
                           map_create(module->arena)};
    const struct block *body = op->regions[0];
    for (int i = 0; i < body->argument_count; i++)
        map_put_pointer(lift.values, &body->arguments[i], arguments[i]);
    for (const struct op *inner = body->first; inner != body->last; inner = inner->next)
        TRY(lift_op(&lift, inner));
    for (int i = 0; i < op->result_count; i++)
        results[i] = lifted(&lift, body->last->operands[i]);
    return NULL;
}
