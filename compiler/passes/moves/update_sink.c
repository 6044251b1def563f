/* update_sink.c: see update_sink.h. */
#include "compiler/passes/moves/update_sink.h"

#include "compiler/analysis/constants.h"
#include "compiler/passes/rewrite/rewrite.h"

enum {
    LEAST_SHARE = 4, /* the array is at least so many times as large as the parts */
    MAX_UPDATES = 8  /* of an array, one after another, that move */
};

/* The operands of a dynamic_update_slice. */
enum { WHOLE, PART, STARTS };

/* Whether functions of the value are computed in the kernel that computes it, or would copy it. */
static bool may_be_computed_with(const struct value *value)
{
    return !value->def || ir_is_elementwise(value->def) ||
           (op_info(value->def->code)->traits & OP_INDEXED);
}

static bool is_broadcast_scalar(const struct value *value)
{
    return value->def && value->def->code == OP_broadcast_in_dim &&
           value->def->operands[0]->type->shape.rank == 0;
}

/* Whether a part of the operand costs nothing but to read it. */
static bool has_parts(const struct value *operand, const struct op *update)
{
    return operand == &update->results[0] || operand == update->operands[WHOLE] ||
           operand->type->shape.rank == 0 || !operand->def || constants_is_splat(operand) ||
           operand->def->code == OP_broadcast_in_dim;
}

static bool is_update(const struct value *value)
{
    return value->def && value->def->code == OP_dynamic_update_slice;
}

/* Whether a value is an update whose part is small beside the array, even with those of the updates
 * before it: they move next, and what moves in front of them is computed for each part. */
static bool is_small_update(const struct value *value)
{
    int64_t parts = 0;
    int count = 0;
    for (; is_update(value) && count <= MAX_UPDATES; value = value->def->operands[WHOLE], count++)
        parts += type_elements(value->def->operands[PART]->type);
    return count && count <= MAX_UPDATES && parts <= type_elements(value->type) / LEAST_SHARE;
}

/* The update among the operands that may move below op; NULL: there is none. */
static struct op *update_of(const struct op *op)
{
    struct op *update = NULL;
    const struct type *type = op->results[0].type;
    for (int i = 0; i < op->operand_count && !update; i++)
        if (is_small_update(op->operands[i]))
            update = op->operands[i]->def;
    if (!update || update->block != op->block || !ir_has_one_user(&update->results[0]) ||
        !may_be_computed_with(update->operands[WHOLE]) ||
        dtype_bytes(type->shape.dtype) > dtype_bytes(update->results[0].type->shape.dtype))
        return NULL;
    for (int i = 0; i < op->operand_count; i++)
        if (!has_parts(op->operands[i], update))
            return NULL;
    return update;
}

/* What of an operand is at the place of the update. */
static struct value *part_of(struct builder *b, struct value *operand, const struct op *update)
{
    struct arena *arena = b->module->arena;
    const struct shape *part = &update->operands[PART]->type->shape;
    const struct type *type = type_with_dims(arena, operand->type, part->rank, part->dims);
    struct value *operands[1 + SHAPE_MAX_RANK] = {operand};
    if (operand == &update->results[0])
        return update->operands[PART];
    if (operand->type->shape.rank == 0)
        return operand;
    if (constants_is_splat(operand))
        return build_constant(
            b, literal_splat(arena, type, operand->def->attrs.constant.value->bytes));
    if (is_broadcast_scalar(operand))
        return build_broadcast(b, operand->def->operands[0], type, 0, NULL);
    for (int i = 0; i < part->rank; i++)
        operands[1 + i] = update->operands[STARTS + i];
    union attrs attrs = {
        .dynamic_slice = {.slice_sizes = rewrite_dims(b->module, part->dims, part->rank)}};
    return build_declared(b, OP_dynamic_slice, 1 + part->rank, operands, type, &attrs);
}

static struct error *sink(struct module *module, struct op *op, struct op *update)
{
    struct builder b = rewrite_before(module, op);
    struct value *wholes[IR_ELEMENTWISE_OPERANDS], *parts[IR_ELEMENTWISE_OPERANDS],
        *operands[2 + SHAPE_MAX_RANK];
    const struct type *type = op->results[0].type;
    const struct shape *part = &update->operands[PART]->type->shape;
    for (int i = 0; i < op->operand_count; i++) {
        bool is_updated = op->operands[i] == &update->results[0];
        wholes[i] = is_updated ? update->operands[WHOLE] : op->operands[i];
        parts[i] = part_of(&b, op->operands[i], update);
    }
    for (int i = 0; i < update->operand_count; i++)
        operands[i] = update->operands[i];
    operands[WHOLE] = build_declared(&b, op->code, op->operand_count, wholes, type, &op->attrs);
    operands[PART] =
        build_declared(&b, op->code, op->operand_count, parts,
                       type_with_dims(module->arena, type, part->rank, part->dims), &op->attrs);
    struct value *updated =
        build_declared(&b, OP_dynamic_update_slice, update->operand_count, operands, type, NULL);
    TRY(rewrite_with(module, op, updated));
    ir_remove(update);
    return NULL;
}

/* Where an update has moved, the operations that replace it are looked at: below another update. */
static struct error *run_on_block(struct module *module, struct block *block)
{
    struct op *next, *update;
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        for (int i = 0; i < op->region_count; i++)
            TRY(run_on_block(module, op->regions[i]));
        update = ir_is_elementwise(op) ? update_of(op) : NULL;
        if (!update)
            continue;
        struct op *before = op->previous == update ? update->previous : op->previous;
        TRY(sink(module, op, update));
        next = before ? before->next : block->first;
    }
    return NULL;
}

struct error *update_sink_run(struct module *module, const struct target *target)
{
    (void)target;
    for (struct func *func = module->first; func; func = func->next)
        TRY(run_on_block(module, func->body));
    return NULL;
}
