/* fusion_split.c: see fusion_split.h. */
#include "compiler/passes/rewrite/fusion_split.h"

#include "base/map.h"
#include "base/vec.h"
#include "compiler/passes/rewrite/fusion_make.h"

typedef VEC(struct op *) op_list;

/* ---- what values depend on ------------------------------------------------------------------- */
static void need(struct map *needed, const struct value *value)
{
    map_put_pointer(needed, value, (void *)(uintptr_t)value);
}

/* Adds the operands of an operation, and what its regions read. */
static void need_operands(struct map *needed, const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        need(needed, op->operands[i]);
    for (int r = 0; r < op->region_count; r++)
        for (const struct op *inner = op->regions[r]->first; inner; inner = inner->next)
            need_operands(needed, inner);
}

static bool is_needed(struct map *needed, const struct op *op)
{
    for (int i = 0; i < op->result_count; i++)
        if (map_get_pointer(needed, &op->results[i]))
            return true;
    return false;
}

static struct map *needed_for(struct arena *arena, size_t count, struct value *const *values)
{
    struct map *needed = map_create(arena);
    for (size_t i = 0; i < count; i++)
        need(needed, values[i]);
    return needed;
}

bool fusion_split_may(struct arena *arena, const struct op *fusion, size_t count,
                      struct value *const *values, fusion_split_test *is_defined,
                      const void *context)
{
    const struct block *body = fusion->regions[0];
    struct map *needed = needed_for(arena, count, values);
    for (const struct op *op = body->last->previous; op; op = op->previous)
        if (is_needed(needed, op))
            need_operands(needed, op);
    for (int i = 0; i < fusion->operand_count; i++)
        if (map_get_pointer(needed, &body->arguments[i]) &&
            !is_defined(fusion->operands[i], context))
            return false;
    return true;
}

/* ---- splitting ------------------------------------------------------------------------------- */
/* A fusion in front of `position` of the operations of (before, end) that values depend on. */
static struct op *make(struct module *module, enum fusion_kind kind, struct op *position,
                       struct op *before, struct op *end, int count, struct value *const *values)
{
    struct map *needed = needed_for(module->arena, (size_t)count, values);
    op_list backward = {0};
    for (struct op *op = end->previous; op != before; op = op->previous)
        if (is_needed(needed, op)) {
            need_operands(needed, op);
            VEC_PUSH(module->arena, &backward, op);
        }
    struct op **members = ARENA_ARRAY(module->arena, struct op *, backward.count + 1);
    for (size_t i = 0; i < backward.count; i++)
        members[i] = backward.items[backward.count - 1 - i];
    return fusion_make(module, kind, position, (int)backward.count, members, count, values);
}

/* Puts clones of a fusion's body in front of it. Maps the values of the body to them. */
static struct map *inline_body(struct module *module, struct op *fusion)
{
    const struct block *body = fusion->regions[0];
    struct map *clones = map_create(module->arena);
    for (int i = 0; i < fusion->operand_count; i++)
        map_put_pointer(clones, &body->arguments[i], fusion->operands[i]);
    for (const struct op *op = body->first; op != body->last; op = op->next)
        ir_insert_before(fusion, ir_clone(module, op, clones));
    return clones;
}

static struct op *make_rest(struct module *module, struct op *fusion, struct op *before,
                            struct map *clones)
{
    const struct op *end = fusion->regions[0]->last;
    struct value **results = ARENA_ARRAY(module->arena, struct value *, end->operand_count + 1);
    for (int i = 0; i < end->operand_count; i++)
        results[i] = map_get_pointer(clones, end->operands[i]);
    struct op *rest = make(module, fusion->attrs.fusion.fusion_kind, fusion, before, fusion,
                           fusion->result_count, results);
    rest->location = fusion->location;
    for (int i = 0; i < fusion->result_count; i++)
        ir_replace_uses(module, &fusion->results[i], &rest->results[i]);
    return rest;
}

struct op *fusion_split(struct module *module, struct op *fusion, size_t count,
                        struct value *const *values, struct op *position)
{
    struct op *before = fusion->previous;
    struct map *clones = inline_body(module, fusion);
    for (size_t i = 0; i < count; i++) {
        struct value *value = map_get_pointer(clones, values[i]);
        struct op *early = make(module, FUSION_LOOP, position, before, fusion, 1, &value);
        ir_replace_uses(module, value, &early->results[0]);
    }
    struct op *rest = make_rest(module, fusion, before, clones);
    ir_remove(fusion);
    while (rest->previous != before)
        ir_remove(rest->previous);
    return rest;
}
