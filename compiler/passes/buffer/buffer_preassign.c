/* buffer_preassign.c: see buffer_preassign.h. */
#include "compiler/passes/buffer/buffer_preassign.h"

#include "compiler/ir/infer.h"
#include "compiler/passes/buffer/buffer_copies.h"
#include "compiler/passes/buffer/buffer_coalesce.h"

static void merge_loop(struct op *loop)
{
    for (int i = 0; i < loop->operand_count; i++) {
        if (!assigner_is_tensor(loop->operands[i]))
            continue;
        buffer_coalesce_always(&loop->results[i], loop->operands[i]);
        for (int r = 0; r < 2; r++)
            buffer_coalesce_always(&loop->results[i], &loop->regions[r]->arguments[i]);
        buffer_coalesce_always(&loop->results[i], loop->regions[1]->last->operands[i]);
    }
}

static void merge_branches(struct op *op)
{
    for (int r = 0; r < op->region_count; r++)
        for (int i = 0; i < op->result_count; i++)
            if (assigner_is_tensor(&op->results[i]))
                buffer_coalesce_always(&op->results[i], op->regions[r]->last->operands[i]);
}

static void merge_updated(struct op *fusion)
{
    for (int i = 0; i < fusion->result_count; i++) {
        int operand = buffer_copies_updated_operand(fusion, i);
        if (operand >= 0)
            buffer_coalesce_always(&fusion->results[i], fusion->operands[operand]);
    }
}

static void assign_constant(struct assigner *a, struct op *op)
{
    struct class *class = buffer_class_of(assigner_item(&op->results[0]));
    class->read_only = true;
    if (!a->literals) { /* part of the region's code */
        class->bytes = 0;
        return;
    }
    class->allocation = a->constants;
    class->offset = buffer_constants_add(a->literals, op->attrs.constant.value);
}

static void preassign_op(struct assigner *a, struct op *op)
{
    if (op->code == OP_constant)
        assign_constant(a, op);
    else if (op->code == OP_while)
        merge_loop(op);
    else if (op->code == OP_case || op->code == OP_if)
        merge_branches(op);
    else if (op->code == OP_fusion && op->attrs.fusion.fusion_kind == FUSION_UPDATE)
        merge_updated(op);
    else if (op->code == OP_dynamic_update_slice)
        buffer_coalesce_always(&op->results[0], op->operands[0]);
    else if (op->code == OP_custom_call)
        for (int i = 0; i < op->result_count; i++)
            if (buffer_copies_aliased_operand(op, i) >= 0)
                buffer_coalesce_always(&op->results[i],
                                       op->operands[buffer_copies_aliased_operand(op, i)]);
    if (op_info(op->code)->traits & OP_CONTROL)
        for (int i = 0; i < op->region_count; i++)
            buffer_preassign_block(a, op->regions[i]);
}

void buffer_preassign_block(struct assigner *a, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next)
        preassign_op(a, op);
}

static struct class *assign_value(struct assigner *a, const struct value *value, int allocation)
{
    struct class *class = buffer_class_of(assigner_item(value));
    class->allocation = allocation;
    class->memory = a->plan->allocations[allocation].memory;
    return class;
}

void buffer_preassign_boundary(struct assigner *a)
{
    const struct block *block = a->block;
    for (int i = 0; i < block->argument_count; i++)
        if (assigner_is_tensor(&block->arguments[i]))
            assign_value(a, &block->arguments[i], i)->read_only = true;
    for (int i = 0; i < block->last->operand_count; i++)
        if (assigner_is_tensor(block->last->operands[i]))
            assign_value(a, block->last->operands[i], block->argument_count + i);
}

/* ---- donated parameters ---------------------------------------------------------------------- */
/* Returns the member of a class that is written first. */
static const struct item *first_written(const struct class *class)
{
    const struct item *first = class->members;
    for (const struct item *item = first; item; item = item->next)
        if (item->def < first->def)
            first = item;
    return first;
}

/* A result may reuse the memory of a parameter of the same kind if the parameter is not read after
 * the result is first written. */
static bool alias_is_safe(const struct item *parameter, const struct item *result)
{
    const struct item *first = first_written(buffer_class_of(result));
    if (parameter->bytes != result->bytes ||
        buffer_class_of(parameter)->memory != buffer_class_of(result)->memory)
        return false;
    return parameter->last < first->def || buffer_coalesce_can_overwrite(parameter, first);
}

static bool same_type(const struct item *one, const struct item *other)
{
    return type_same_shape(one->value->type, other->value->type) &&
           one->value->type->shape.dtype == other->value->type->shape.dtype;
}

/* Whether a donor takes as much of the device's memory as the result, in the layouts that clients
 * see. */
static bool same_size(const struct func *func, int parameter, int result)
{
    return shape_padded_bytes(&ir_argument_type(func, parameter)->shape) ==
           shape_padded_bytes(&func->result_types[result]->shape);
}

/* The result that is requested, or the first that a donated parameter may become: of its type, or
 * else of as many bytes. */
static void choose_alias(struct assigner *a, int parameter, bool any_type)
{
    const struct argument_info *info = &a->entry->argument_infos[parameter];
    const struct block *body = a->block;
    const struct item *from = assigner_item(&body->arguments[parameter]);
    for (int r = 0; from && r < body->last->operand_count; r++) {
        const struct item *to = assigner_item(body->last->operands[r]);
        if (!to || a->plan->result_alias[r] >= 0)
            continue;
        bool wanted = info->alias_result >= 0 ? info->alias_result == r
                                              : info->donated && any_type != same_type(from, to) &&
                                                    same_size(a->entry, parameter, r);
        if (!wanted || !alias_is_safe(from, to))
            continue;
        a->plan->result_alias[r] = parameter;
        return;
    }
}

static bool has_alias(const struct assigner *a, int parameter)
{
    for (int r = 0; r < a->block->last->operand_count; r++)
        if (a->plan->result_alias[r] == parameter)
            return true;
    return false;
}

void buffer_preassign_donated(struct assigner *a)
{
    const struct func *func = a->entry;
    const struct block *body = a->block;
    a->plan->result_alias = ARENA_ARRAY(a->module->arena, int, body->last->operand_count + 1);
    for (int i = 0; i < body->last->operand_count; i++)
        a->plan->result_alias[i] = -1;
    for (int i = 0; func->argument_infos && i < body->argument_count; i++)
        choose_alias(a, i, false);
    for (int i = 0; func->argument_infos && i < body->argument_count; i++)
        if (func->argument_infos[i].donated && !has_alias(a, i))
            choose_alias(a, i, true);
}
