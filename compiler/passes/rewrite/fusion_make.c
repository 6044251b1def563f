/* fusion_make.c: see fusion_make.h. */
#include "compiler/passes/rewrite/fusion_make.h"

#include "compiler/analysis/constants.h"

#include "base/vec.h"

typedef VEC(struct value *) value_list;

bool fusion_make_is_internal(const struct value *value)
{
    return constants_is_splat(value) ||
           (value->def && value->def->code == OP_constant && type_elements(value->type) == 1);
}

/* FUSION_STANDALONE and FUSION_REGION read arrays from memory, so only scalars are internal; a
 * FUSION_DOT, FUSION_ATTENTION, FUSION_ATTENTION_BACKWARD, FUSION_THIN_DOT and FUSION_SLICED read
 * all operands from memory. */
static bool is_internal(enum fusion_kind kind, const struct value *value)
{
    bool whole = kind == FUSION_STANDALONE || kind == FUSION_REGION;
    bool any = kind != FUSION_DOT && kind != FUSION_ATTENTION &&
               kind != FUSION_ATTENTION_BACKWARD && kind != FUSION_THIN_DOT &&
               kind != FUSION_SLICED;
    return any && fusion_make_is_internal(value) && (!whole || type_elements(value->type) == 1);
}

static void note_outside(struct module *module, struct map *known, value_list *outside,
                         struct value *value)
{
    if (map_get_pointer(known, value))
        return;
    map_put_pointer(known, value, value);
    VEC_PUSH(module->arena, outside, value);
}

/* Collects the values that the regions of a member capture. */
static void note_captures(struct module *module, struct map *known, value_list *outside,
                          const struct op *member)
{
    for (int r = 0; r < member->region_count; r++) {
        const struct block *region = member->regions[r];
        for (int i = 0; i < region->argument_count; i++)
            map_put_pointer(known, &region->arguments[i], &region->arguments[i]);
        for (struct op *op = region->first; op; op = op->next) {
            for (int i = 0; i < op->operand_count; i++)
                note_outside(module, known, outside, op->operands[i]);
            note_captures(module, known, outside, op);
            for (int i = 0; i < op->result_count; i++)
                map_put_pointer(known, &op->results[i], &op->results[i]);
        }
    }
}

static void note_outsides(struct module *module, value_list *outside, int count,
                          struct op *const *members)
{
    struct map *known = map_create(arena_scratch(module->arena));
    for (int m = 0; m < count; m++) {
        for (int i = 0; i < members[m]->operand_count; i++)
            note_outside(module, known, outside, members[m]->operands[i]);
        note_captures(module, known, outside, members[m]);
        for (int i = 0; i < members[m]->result_count; i++)
            map_put_pointer(known, &members[m]->results[i], &members[m]->results[i]);
    }
}

struct op *fusion_make(struct module *module, enum fusion_kind kind, struct op *position,
                       int member_count, struct op *const *members, int result_count,
                       struct value *const *results)
{
    struct arena *arena = arena_scratch(module->arena);
    value_list outside = {0}, operands = {0};
    note_outsides(module, &outside, member_count, members);
    struct map *values = map_create(arena);
    for (size_t i = 0; i < outside.count; i++)
        if (!is_internal(kind, outside.items[i]))
            VEC_PUSH(arena, &operands, outside.items[i]);
    const struct type **types = ARENA_ARRAY(arena, const struct type *, operands.count + 1);
    const struct type **result_types = ARENA_ARRAY(arena, const struct type *, result_count + 1);
    for (size_t i = 0; i < operands.count; i++)
        types[i] = operands.items[i]->type;
    for (int i = 0; i < result_count; i++)
        result_types[i] = results[i]->type;
    struct op *fusion = ir_op(module, OP_fusion, (int)operands.count, operands.items, result_count,
                              result_types, 1);
    fusion->attrs.fusion.fusion_kind = kind;
    fusion->location = result_count && results[0]->def ? results[0]->def->location : NULL;
    struct block *body =
        ir_block(module, position->block->func, fusion, (int)operands.count, types);
    fusion->regions[0] = body;
    for (size_t i = 0; i < operands.count; i++)
        map_put_pointer(values, operands.items[i], &body->arguments[i]);
    for (size_t i = 0; i < outside.count; i++)
        if (is_internal(kind, outside.items[i]))
            ir_append(body, ir_clone(module, outside.items[i]->def, values));
    for (int i = 0; i < member_count; i++)
        ir_append(body, ir_clone(module, members[i], values));
    struct value **returned = ARENA_ARRAY(arena, struct value *, result_count + 1);
    for (int i = 0; i < result_count; i++)
        returned[i] = map_get_pointer(values, results[i]);
    ir_append(body, ir_op(module, OP_return, result_count, returned, 0, NULL, 0));
    ir_insert_before(position, fusion);
    return fusion;
}
