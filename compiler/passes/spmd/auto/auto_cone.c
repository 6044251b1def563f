#include "compiler/passes/spmd/auto/auto_cone.h"

struct finder {
    const struct auto_cones *cones;
    int index;
    const struct auto_idle *idle;
    const struct block *block; /* of the operations: the entry's, or the body of the filling loop */
    int64_t late;
    struct map *known;
    struct auto_cone *out;
};

static enum auto_saving saving_of(const struct auto_cones *cones, int idle)
{
    return cones->savings ? cones->savings[idle] : AUTO_STAYS;
}

struct auto_cones auto_cone_begin(struct arena *arena, const struct module *module,
                                  const struct auto_idles *idles, const uint8_t *savings)
{
    struct auto_cones cones = {arena, module, idles, savings, map_create(arena), map_create(arena)};
    for (size_t i = 0; i < idles->items.count; i++) {
        const struct auto_idle *idle = &idles->items.items[i];
        void *index = (void *)(uintptr_t)(i + 1);
        if (!idle->push) {
            map_put_pointer(cones.elements, idle->value, index);
            continue;
        }
        const struct value *element = idle->push->operands[1];
        if (!idle->count || saving_of(&cones, (int)i) == AUTO_RECOMPUTED)
            continue;
        map_put_pointer(cones.elements, element, index);
        if (element->def && element->def->code == OP_reshape)
            map_put_pointer(cones.elements, element->def->operands[0], index);
    }
    return cones;
}

/* ---- leaves ---------------------------------------------------------------------------------- */
int auto_cone_stack_of(const struct auto_cones *cones, int index, const struct value *element)
{
    const struct auto_idle *idle = &cones->idles->items.items[index];
    int other = (int)(uintptr_t)map_get_pointer(cones->elements, element) - 1;
    if (other < 0 || other == index || !idle->push)
        return -1;
    const struct auto_idle *stack = &cones->idles->items.items[other];
    bool is_together = stack->push && stack->late == idle->late &&
                       stack->push->block == idle->push->block &&
                       stack->push->operands[2] == idle->push->operands[2];
    return is_together ? other : -1;
}

static bool is_stack_leaf(const struct finder *f, const struct value *value)
{
    return !ir_is_inside(value, f->block) || value == f->idle->push->operands[2] ||
           auto_cone_stack_of(f->cones, f->index, value) >= 0;
}

/* Whether the value is in memory when the idle one is needed, whatever becomes of that. */
static bool is_value_leaf(const struct finder *f, const struct value *value)
{
    int other = (int)(uintptr_t)map_get_pointer(f->cones->elements, value) - 1;
    if (!value->def || map_get_pointer(f->cones->replaced, value))
        return true;
    if (other == f->index || auto_idle_last_use(f->cones->module, value) < f->late)
        return false;
    if (other < 0 || saving_of(f->cones, other) == AUTO_STAYS)
        return true;
    const struct op *late = f->cones->idles->items.items[other].late;
    return saving_of(f->cones, other) == AUTO_OFFLOADED &&
           auto_idle_position(f->cones->module, late) <= f->late;
}

/* ---- operations ------------------------------------------------------------------------------ */
/* Whether the operation's regions read only what they define. */
static bool is_closed(const struct op *op)
{
    for (int r = 0; r < op->region_count; r++)
        for (const struct op *at = op->regions[r]->first; at; at = at->next) {
            if (at->region_count)
                return false;
            for (int i = 0; i < at->operand_count; i++)
                if (!ir_is_inside(at->operands[i], op->regions[r]))
                    return false;
        }
    return true;
}

static bool can_repeat(const struct finder *f, const struct op *op)
{
    return op && op->block == f->block && ir_is_pure(op) && op->code != OP_optimization_barrier &&
           !(op_info(op->code)->traits & OP_CONTROL) && is_closed(op) &&
           f->out->ops.count < AUTO_CONE_OPS;
}

static bool visit(struct finder *f, struct value *value, bool is_root)
{
    if (map_get_pointer(f->known, value))
        return true;
    bool is_leaf = !is_root && (f->idle->push ? is_stack_leaf(f, value) : is_value_leaf(f, value));
    if (is_leaf)
        VEC_PUSH(f->cones->arena, &f->out->leaves, value);
    else if (!can_repeat(f, value->def))
        return false;
    struct op *op = value->def;
    for (int i = 0; !is_leaf && i < op->operand_count; i++)
        if (!visit(f, op->operands[i], false))
            return false;
    if (!is_leaf && f->out->ops.count == AUTO_CONE_OPS)
        return false;
    if (!is_leaf)
        VEC_PUSH(f->cones->arena, &f->out->ops, op);
    for (int i = 0; !is_leaf && i < op->result_count; i++)
        map_put_pointer(f->known, &op->results[i], value);
    map_put_pointer(f->known, value, value);
    return true;
}

bool auto_cone_find(const struct auto_cones *cones, int index, struct auto_cone *out)
{
    const struct auto_idle *idle = &cones->idles->items.items[index];
    struct finder f = {.cones = cones,
                       .index = index,
                       .idle = idle,
                       .block = idle->push ? idle->push->block : cones->module->entry->body,
                       .late = auto_idle_position(cones->module, idle->late),
                       .known = map_create(cones->arena),
                       .out = out};
    *out = (struct auto_cone){0};
    return idle->count && visit(&f, idle->push ? idle->push->operands[1] : idle->value, true);
}
