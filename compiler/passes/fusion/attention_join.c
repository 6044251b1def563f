/* attention_join.c: see attention_join.h. */
#include "compiler/passes/fusion/attention_join.h"

#include "base/map.h"

static bool is_loop(const struct op *op)
{
    return op && op->code == OP_fusion && op->attrs.fusion.fusion_kind == FUSION_LOOP &&
           op->result_count == 1;
}

bool attention_join_is_possible(const struct op *fusion, int operand)
{
    const struct value *value = fusion->operands[operand];
    return is_loop(fusion) && is_loop(value->def) && value->def->block == fusion->block &&
           ir_has_one_use(value);
}

/* Appends what is before the end of a fusion's region. */
static void append(struct module *module, struct block *to, const struct op *fusion,
                   struct map *values)
{
    const struct block *body = fusion->regions[0];
    for (const struct op *op = body->first; op != body->last; op = op->next)
        ir_append(to, ir_clone(module, op, values));
}

struct op *attention_join(struct module *module, const struct op *fusion, int operand)
{
    const struct op *before = fusion->operands[operand]->def;
    struct block *first = before->regions[0], *second = fusion->regions[0];
    const int most = before->operand_count + fusion->operand_count;
    struct value **operands = ARENA_ARRAY(module->arena, struct value *, (size_t)most);
    struct value **inside = ARENA_ARRAY(module->arena, struct value *, (size_t)most);
    const struct type **types = ARENA_ARRAY(module->arena, const struct type *, (size_t)most);
    int count = 0;
    for (int i = 0; i < before->operand_count; i++, count++)
        operands[count] = before->operands[i], inside[count] = &first->arguments[i];
    for (int i = 0; i < fusion->operand_count; i++)
        if (i != operand)
            operands[count] = fusion->operands[i], inside[count++] = &second->arguments[i];
    for (int i = 0; i < count; i++)
        types[i] = operands[i]->type;
    struct op *joined = ir_op(module, OP_fusion, count, operands, 1,
                              (const struct type *[]){fusion->results[0].type}, 1);
    joined->attrs = fusion->attrs;
    joined->location = fusion->location;
    struct block *body = joined->regions[0] =
        ir_block(module, fusion->block->func, joined, count, types);
    struct map *values = map_create(module->arena);
    for (int i = 0; i < count; i++)
        map_put_pointer(values, inside[i], &body->arguments[i]);
    append(module, body, before, values);
    map_put_pointer(values, &second->arguments[operand],
                    map_get_pointer(values, first->last->operands[0]));
    append(module, body, fusion, values);
    ir_append(body, ir_clone(module, second->last, values));
    return joined;
}
