/* buffer_copies.c: see buffer_copies.h. */
#include "compiler/passes/buffer/buffer_copies.h"

#include <string.h>

#include "compiler/analysis/update_window.h"

static bool is_tensor(const struct value *value)
{
    return value->type->kind == TYPE_TENSOR;
}

static struct value *copy_before(struct module *module, struct op *position, struct value *value,
                                 enum memory_kind memory)
{
    const struct type *type = type_with_memory(module->arena, value->type, memory);
    struct op *copy = ir_op(module, OP_copy, 1, &value, 1, &type, 0);
    copy->location = position->location;
    ir_insert_before(position, copy);
    return &copy->results[0];
}

/* The copy has the memory kind of `slot`, whose memory it will share. */
static void copy_operand(struct module *module, struct op *op, int i, const struct value *slot)
{
    if (is_tensor(op->operands[i]))
        ir_set_operand(module, op, i,
                       copy_before(module, op, op->operands[i], slot->type->shape.memory));
}

/* Returns the value that `value` is an alias of. */
static const struct value *alias_source(const struct value *value)
{
    while (value->def && (value->def->code == OP_reshape || value->def->code == OP_copy_done))
        value = value->def->operands[0];
    return value;
}

/* All carried values are assigned at once at the end of a body, so values that come from another
 * slot are saved before any slot is written. A value that stays in its slot needs no copy. */
static void copy_carried(struct module *module, struct block *body)
{
    struct op *end = body->last;
    for (int i = 0; i < end->operand_count; i++) {
        const struct value *source = alias_source(end->operands[i]);
        if (!source->def && source->block == body && source != &body->arguments[i])
            copy_operand(module, end, i, &body->arguments[i]);
    }
    for (int i = 0; i < end->operand_count; i++)
        if (end->operands[i] != &body->arguments[i])
            copy_operand(module, end, i, &body->arguments[i]);
}

int buffer_copies_updated_operand(const struct op *fusion, int i)
{
    const struct value *array = update_window_array(fusion, i);
    return array ? array->index : -1;
}

static const struct dict_value *entry(const struct dict *dict, const char *name)
{
    for (int64_t i = 0; i < dict->count; i++)
        if (dict->names[i].size == strlen(name) &&
            !memcmp(dict->names[i].data, name, dict->names[i].size))
            return &dict->values[i];
    return NULL;
}

/* {output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []}; one result has no
 * tuple indices. */
static bool alias_of(const struct dict *alias, int *result, int *operand)
{
    const struct dict_value *results = entry(alias, "output_tuple_indices"),
                            *from = entry(alias, "operand_index");
    if (!results || !from || results->kind != DICT_LIST || from->kind != DICT_INT ||
        results->list.count > 1)
        return false;
    *result = results->list.count ? (int)results->list.at[0].integer : 0;
    *operand = (int)from->integer;
    return true;
}

static bool may_share(const struct op *call, int result, int operand)
{
    return result >= 0 && result < call->result_count && operand >= 0 &&
           operand < call->operand_count && is_tensor(&call->results[result]) &&
           is_tensor(call->operands[operand]) &&
           type_bytes(call->results[result].type) == type_bytes(call->operands[operand]->type);
}

/* No earlier alias has the same operand or result. */
static bool is_first(const struct dict *aliases, int64_t k, int result, int operand)
{
    int other_result, other;
    for (int64_t i = 0; i < k; i++)
        if (aliases->values[i].kind == DICT_DICT &&
            alias_of(aliases->values[i].dict, &other_result, &other) &&
            (other == operand || other_result == result))
            return false;
    return true;
}

int buffer_copies_aliased_operand(const struct op *call, int i)
{
    const struct dict *aliases = call->attrs.custom_call.output_operand_aliases;
    int result, operand;
    for (int64_t k = 0; aliases && k < aliases->count; k++)
        if (aliases->values[k].kind == DICT_DICT &&
            alias_of(aliases->values[k].dict, &result, &operand) && result == i &&
            may_share(call, result, operand) && is_first(aliases, k, result, operand))
            return operand;
    return -1;
}

static void copy_aliased(struct module *module, struct op *call)
{
    for (int i = 0; i < call->result_count; i++)
        if (buffer_copies_aliased_operand(call, i) >= 0)
            copy_operand(module, call, buffer_copies_aliased_operand(call, i), &call->results[i]);
}

static void insert_in_op(struct module *module, struct op *op)
{
    if (op->code == OP_fusion && op->attrs.fusion.fusion_kind == FUSION_UPDATE) {
        for (int i = 0; i < op->result_count; i++)
            if (buffer_copies_updated_operand(op, i) >= 0)
                copy_operand(module, op, buffer_copies_updated_operand(op, i), &op->results[i]);
    } else if (op->code == OP_dynamic_update_slice) { /* a copy between memory kinds */
        copy_operand(module, op, 0, &op->results[0]);
    } else if (op->code == OP_custom_call) {
        copy_aliased(module, op);
    } else if (op->code == OP_while) {
        buffer_copies_insert(module, op->regions[0], false);
        buffer_copies_insert(module, op->regions[1], false);
        copy_carried(module, op->regions[1]);
        for (int i = 0; i < op->operand_count; i++)
            copy_operand(module, op, i, &op->results[i]);
    } else if (op_info(op->code)->traits & OP_CONTROL) {
        for (int i = 0; i < op->region_count; i++)
            buffer_copies_insert(module, op->regions[i], true);
    }
}

void buffer_copies_insert(struct module *module, struct block *block, bool results)
{
    for (struct op *op = block->first; op; op = op->next)
        insert_in_op(module, op);
    for (int i = 0; results && i < block->last->operand_count; i++)
        copy_operand(module, block->last, i, block->last->operands[i]);
}
