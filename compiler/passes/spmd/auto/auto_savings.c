#include "compiler/passes/spmd/auto/auto_savings.h"

#include "compiler/analysis/op_work.h"
#include "compiler/ir/build.h"

/* ---- candidates ------------------------------------------------------------------------------ */
struct numberer { /* the numbers in the classes of the values of the entry function */
    const struct auto_classes *classes;
    struct map *numbers; /* plus 1 */
    int64_t slot;
};

static void number_block(struct numberer *n, const struct block *block)
{
    n->slot += block->argument_count;
    for (const struct op *op = block->first; op; op = op->next) {
        for (int i = 0; i < op->result_count; i++) {
            int number = n->classes->slots[n->slot++];
            if (!block->owner && number >= 0)
                map_put_pointer(n->numbers, &op->results[i], (void *)(uintptr_t)(number + 1));
        }
        for (int r = 0; op_info(op->code)->traits & OP_CONTROL && r < op->region_count; r++)
            number_block(n, op->regions[r]);
    }
}

static double multiply_adds(const struct op *op)
{
    bool is_product = op->code == OP_dot_general || op->code == OP_convolution;
    return is_product ? op_work_multiply_adds(op) : 0;
}

/* Products read and write memory; all else is computed with what comes before or after it. */
static void price(const struct auto_cone *cone, double times, struct auto_candidate *out)
{
    for (size_t i = 0; i < cone->ops.count; i++) {
        const struct op *op = cone->ops.items[i];
        out->multiply_adds += multiply_adds(op) * times;
        for (int k = 0; multiply_adds(op) > 0 && k < op->operand_count; k++)
            out->traffic += op_work_bytes(op->operands[k]) * times;
        if (multiply_adds(op) > 0)
            out->traffic += op_work_bytes(&op->results[0]) * times;
    }
    for (size_t i = 0; i < cone->leaves.count; i++)
        out->traffic += op_work_bytes(cone->leaves.items[i]) * times;
}

/* What an element was reshaped from has the operation that users know. */
static const struct op *maker_of(const struct auto_idle *idle)
{
    const struct value *value = idle->push ? idle->push->operands[1] : idle->value;
    while (value->def &&
           (value->def->code == OP_reshape || value->def->code == OP_broadcast_in_dim))
        value = value->def->operands[0];
    return value->def ? value->def : idle->value->def;
}

void auto_savings_find(struct arena *arena, const struct module *module,
                       const struct auto_classes *classes, struct auto_candidates *out)
{
    struct auto_idles idles;
    auto_idle_find(arena, module, &idles);
    struct numberer numberer = {classes, map_create(arena), 0};
    number_block(&numberer, module->entry->body);
    struct auto_cones cones = auto_cone_begin(arena, module, &idles, NULL);
    struct auto_candidate *at = ARENA_ARRAY(arena, struct auto_candidate, idles.items.count + 1);
    for (int i = 0; i < (int)idles.items.count; i++) {
        const struct auto_idle *idle = &idles.items.items[i];
        struct auto_cone cone;
        at[i].type = idle->value->type;
        at[i].maker = maker_of(idle);
        at[i].number = (int)(uintptr_t)map_get_pointer(numberer.numbers, idle->value) - 1;
        at[i].bytes = op_work_bytes(idle->value);
        at[i].can_recompute = auto_cone_find(&cones, i, &cone);
        if (at[i].can_recompute)
            price(&cone, (double)idle->count, &at[i]);
    }
    *out = (struct auto_candidates){(int)idles.items.count, at};
}

/* ---- changes to the module ------------------------------------------------------------------- */
struct writer {
    struct module *module;
    struct arena *arena;
    const struct auto_savings *savings;
    struct auto_idles idles;
    struct auto_cones cones;
};

/* Inserts in front of an operation, as a part of whose work it counts. */
static void insert(struct op *position, struct op *op)
{
    op->location = op->location ? op->location : position->location;
    op->note = position->note;
    ir_insert_before(position, op);
}

static struct value *copy_to(struct writer *w, struct op *position, struct value *value,
                             enum memory_kind memory)
{
    const struct type *type = type_with_memory(w->module->arena, value->type, memory);
    struct op *copy = ir_op(w->module, OP_copy, 1, &value, 1, &type, 0);
    insert(position, copy);
    return &copy->results[0];
}

/* The users of a value, which may change while they are visited. */
struct users {
    VEC(struct use) items;
};

static struct users users_of(struct writer *w, const struct value *value)
{
    struct users users = {0};
    for (const struct use *use = value->uses; use; use = use->next)
        VEC_PUSH(w->arena, &users.items, *use);
    return users;
}

/* The uses at `late` or after it. */
static void replace_late(struct writer *w, const struct auto_idle *idle, struct value *by)
{
    int64_t late = auto_idle_position(w->module, idle->late);
    struct users users = users_of(w, idle->value);
    for (size_t i = 0; i < users.items.count; i++)
        if (auto_idle_position(w->module, users.items.items[i].user) >= late)
            ir_set_operand(w->module, users.items.items[i].user, users.items.items[i].operand, by);
}

/* ---- computed again -------------------------------------------------------------------------- */
static struct value *emit(struct writer *w, const struct auto_cone *cone, struct op *position,
                          struct map *values, const struct value *wanted)
{
    for (size_t i = 0; i < cone->ops.count; i++)
        insert(position, ir_clone(w->module, cone->ops.items[i], values));
    return map_get_pointer(values, wanted);
}

/* Whether a barrier may wait for the value: it stays as it is, and says that time has passed. */
static bool can_anchor(const struct writer *w, const struct value *value)
{
    int idle = (int)(uintptr_t)map_get_pointer(w->cones.elements, value) - 1;
    return value->def && value->def->code != OP_constant && value->def->operand_count &&
           (idle < 0 || w->savings->at[idle] == AUTO_STAYS);
}

/* What is ready last of the operands of `late`; else what is computed before it. NULL: nothing
 * is. */
static struct value *anchor_of(const struct writer *w, const struct auto_idle *idle)
{
    struct value *anchor = NULL;
    for (int i = 0; i < idle->late->operand_count; i++) {
        struct value *operand = idle->late->operands[i];
        if (!can_anchor(w, operand))
            continue;
        if (!anchor || auto_idle_position(w->module, operand->def) >
                           auto_idle_position(w->module, anchor->def))
            anchor = operand;
    }
    const struct op *before = idle->late->previous;
    while (!anchor && before && before != idle->value->def) {
        if (before->result_count && can_anchor(w, &before->results[0]))
            anchor = &before->results[0];
        before = before->previous;
    }
    return anchor;
}

/* Maps the leaves to results of a barrier, behind which they are known when the anchor is. */
static void hold_back(struct writer *w, const struct auto_cone *cone, struct op *position,
                      struct value *anchor, struct map *values)
{
    size_t count = cone->leaves.count;
    struct value **operands = ARENA_ARRAY(w->arena, struct value *, count + 1);
    const struct type **types = ARENA_ARRAY(w->arena, const struct type *, count + 1);
    for (size_t i = 0; i < count; i++) {
        struct value *leaf = cone->leaves.items[i];
        struct value *now = map_get_pointer(w->cones.replaced, leaf);
        operands[i] = now ? now : leaf;
        types[i] = operands[i]->type;
    }
    operands[count] = anchor;
    types[count] = anchor->type;
    struct op *barrier = ir_op(w->module, OP_optimization_barrier, (int)count + 1, operands,
                               (int)count + 1, types, 0);
    insert(position, barrier);
    for (size_t i = 0; i < count; i++)
        map_put_pointer(values, cone->leaves.items[i], &barrier->results[i]);
}

static void recompute_value(struct writer *w, int index)
{
    const struct auto_idle *idle = &w->idles.items.items[index];
    struct auto_cone cone;
    struct value *anchor = anchor_of(w, idle);
    if (!anchor || !auto_cone_find(&w->cones, index, &cone) || !cone.leaves.count)
        return;
    struct map *values = map_create(w->arena);
    hold_back(w, &cone, idle->late, anchor, values);
    struct value *again = emit(w, &cone, idle->late, values, idle->value);
    replace_late(w, idle, again);
    map_put_pointer(w->cones.replaced, idle->value, again);
}

/* The element of another stack that `pull` reads one of, as `leaf` is: with or without the
 * outermost dimension. */
static struct value *element_of(struct writer *w, const struct auto_idle *stack, struct op *pull,
                                const struct value *leaf)
{
    const struct op *push = stack->push;
    const struct value *element = push->operands[1];
    struct value **operands = ARENA_ARRAY(w->arena, struct value *, (size_t)push->operand_count);
    struct builder b = {w->module, pull->block, pull, pull->location};
    operands[0] = stack->value;
    operands[1] = pull->operands[1];
    for (int i = 3; i < push->operand_count; i++) /* of the whole dimension: any start is 0 */
        operands[i - 1] = build_scalar(&b, push->operands[i]->type->shape.dtype, 0);
    union attrs attrs = {0};
    attrs.dynamic_slice.slice_sizes = (struct dims){
        element->type->shape.rank,
        arena_copy(w->module->arena, element->type->shape.dims,
                   (size_t)element->type->shape.rank * sizeof *element->type->shape.dims)};
    struct value *slice = build_declared(&b, OP_dynamic_slice, push->operand_count - 1, operands,
                                         element->type, &attrs);
    return leaf == element ? slice : build_declared(&b, OP_reshape, 1, &slice, leaf->type, NULL);
}

static void recompute_element(struct writer *w, int index, const struct auto_cone *cone,
                              struct op *pull)
{
    const struct auto_idle *idle = &w->idles.items.items[index];
    struct map *values = map_create(w->arena);
    for (size_t i = 0; i < cone->leaves.count; i++) {
        struct value *leaf = cone->leaves.items[i], *now = leaf;
        int stack = auto_cone_stack_of(&w->cones, index, leaf);
        if (leaf == idle->push->operands[2])
            now = pull->operands[1];
        else if (stack >= 0)
            now = element_of(w, &w->idles.items.items[stack], pull, leaf);
        map_put_pointer(values, leaf, now);
    }
    struct value *again = emit(w, cone, pull, values, idle->push->operands[1]);
    ir_replace_uses(w->module, &pull->results[0], again);
    ir_remove(pull);
}

static void recompute_stack(struct writer *w, int index)
{
    const struct auto_idle *idle = &w->idles.items.items[index];
    struct users pulls = users_of(w, idle->value);
    struct auto_cone cone;
    if (!auto_cone_find(&w->cones, index, &cone))
        return;
    for (size_t i = 0; i < pulls.items.count; i++)
        recompute_element(w, index, &cone, pulls.items.items[i].user);
}

/* ---- in the host's memory -------------------------------------------------------------------- */
/* The first operation that was put in front of this one. */
static struct op *first_before(struct op *op)
{
    while (op->previous && op->previous->note == op->note)
        op = op->previous;
    return op;
}

static void offload_value(struct writer *w, const struct auto_idle *idle)
{
    struct op *made = idle->value->def;
    struct value *host = copy_to(w, made->next, idle->value, MEMORY_PINNED_HOST);
    host->def->note = made->note;
    replace_late(w, idle, copy_to(w, first_before(idle->late), host, MEMORY_DEVICE));
}

static void offload_stack(struct writer *w, const struct auto_idle *idle)
{
    struct op *push = idle->push;
    struct users pulls = users_of(w, idle->value);
    ir_set_operand(w->module, push, 1, copy_to(w, push, push->operands[1], MEMORY_PINNED_HOST));
    for (size_t i = 0; i < pulls.items.count; i++) {
        struct op *pull = pulls.items.items[i].user;
        struct users readers = users_of(w, &pull->results[0]);
        struct value *back = copy_to(w, pull->next, &pull->results[0], MEMORY_DEVICE);
        for (size_t k = 0; k < readers.items.count; k++)
            ir_set_operand(w->module, readers.items.items[k].user, readers.items.items[k].operand,
                           back);
    }
}

/* What is computed again first: copies from the host are put in front of all that reads them. */
void auto_savings_apply(struct module *module, const struct auto_savings *savings)
{
    struct writer w = {.module = module, .arena = arena_scratch(module->arena), .savings = savings};
    if (!savings)
        return;
    auto_idle_find(w.arena, module, &w.idles);
    w.cones = auto_cone_begin(w.arena, module, &w.idles, savings->at);
    for (int i = 0; i < savings->count; i++)
        if (savings->at[i] == AUTO_RECOMPUTED)
            (w.idles.items.items[i].push ? recompute_stack : recompute_value)(&w, i);
    for (int i = 0; i < savings->count; i++)
        if (savings->at[i] == AUTO_OFFLOADED)
            (w.idles.items.items[i].push ? offload_stack : offload_value)(&w,
                                                                          &w.idles.items.items[i]);
}
