#include "compiler/passes/spmd/auto/auto_idle.h"

#include <stdlib.h>

#include "compiler/analysis/loop_index.h"
#include "compiler/analysis/op_work.h"
#include "compiler/analysis/trip_count.h"

/* ---- positions ------------------------------------------------------------------------------- */
static void number(const struct module *module)
{
    int64_t position = 0;
    for (struct op *op = module->entry->body->first; op; op = op->next)
        op->note = (void *)(uintptr_t)position++;
}

int64_t auto_idle_position(const struct module *module, const struct op *op)
{
    while (op->block != module->entry->body)
        op = op->block->owner;
    return (int64_t)(uintptr_t)op->note;
}

int64_t auto_idle_last_use(const struct module *module, const struct value *value)
{
    int64_t last = -1;
    for (const struct use *use = value->uses; use; use = use->next) {
        int64_t position = auto_idle_position(module, use->user);
        last = position > last ? position : last;
    }
    return last;
}

/* ---- the fullest moment ---------------------------------------------------------------------- */
/* Whether fusion leaves the value in memory. */
static bool is_stored(const struct value *value)
{
    const struct op *op = value->def;
    if (value->type->kind != TYPE_TENSOR || op->code == OP_constant || op->code == OP_iota ||
        op->code == OP_broadcast_in_dim || op->code == OP_reshape)
        return false;
    return !ir_is_elementwise(op) || !ir_has_one_use(value);
}

static int64_t fullest_moment(struct arena *arena, const struct module *module)
{
    const struct block *body = module->entry->body;
    int64_t count = auto_idle_position(module, body->last) + 1, fullest = 0;
    double *change = ARENA_ARRAY(arena, double, (size_t)count + 1), live = 0, most = 0;
    for (const struct op *op = body->first; op; op = op->next)
        for (int i = 0; i < op->result_count; i++) {
            const struct value *value = &op->results[i];
            int64_t last = auto_idle_last_use(module, value);
            if (last < 0 || !is_stored(value))
                continue;
            change[auto_idle_position(module, op)] += op_work_bytes(value);
            change[last + 1] -= op_work_bytes(value);
        }
    for (int64_t i = 0; i < count; i++) {
        live += change[i];
        if (live > most)
            most = live, fullest = i;
    }
    return fullest;
}

/* ---- values ---------------------------------------------------------------------------------- */
/* Adds the value if it is idle at the moment. */
static void add_value(struct arena *arena, const struct module *module, struct value *value,
                      int64_t moment, struct auto_idles *out)
{
    struct op *late = NULL;
    int64_t first = INT64_MAX;
    if (!is_stored(value) || auto_idle_position(module, value->def) >= moment)
        return;
    for (const struct use *use = value->uses; use; use = use->next) {
        int64_t position = auto_idle_position(module, use->user);
        struct op *user = use->user;
        while (user->block != module->entry->body)
            user = user->block->owner;
        if (position == moment)
            return;
        if (position > moment && position < first)
            first = position, late = user;
    }
    if (late && late != module->entry->body->last)
        VEC_PUSH(arena, &out->items, (struct auto_idle){.value = value, .late = late, .count = 1});
}

/* ---- stacks ---------------------------------------------------------------------------------- */
/* What writes an element of the stack in each iteration, if that is all that is done with it. */
static struct op *push_of(const struct op *loop, int carried)
{
    const struct block *body = loop->regions[1];
    struct op *push = body->last->operands[carried]->def;
    if (!push || push->code != OP_dynamic_update_slice || push->block != body ||
        push->operands[0] != &body->arguments[carried] ||
        !ir_has_one_use(&body->arguments[carried]) || !ir_has_one_use(&push->results[0]) ||
        loop->regions[0]->arguments[carried].uses)
        return NULL;
    const struct shape *stack = &push->operands[0]->type->shape,
                       *element = &push->operands[1]->type->shape;
    for (int d = 0; d < stack->rank; d++)
        if (element->dims[d] != (d ? stack->dims[d] : 1))
            return NULL;
    return stack->rank ? push : NULL;
}

/* The one loop in which all readers of the stack take single elements; NULL: there is none. */
static struct op *reader_of(const struct module *module, const struct value *stack,
                            const struct op *push)
{
    struct op *loop = NULL;
    for (const struct use *use = stack->uses; use; use = use->next) {
        const struct op *pull = use->user;
        struct op *owner = pull->block->owner;
        if (pull->code != OP_dynamic_slice || use->operand != 0 || !owner ||
            owner->code != OP_while || owner->block != module->entry->body ||
            pull->block != owner->regions[1] || (loop && owner != loop) ||
            pull->attrs.dynamic_slice.slice_sizes.at[0] != 1 ||
            type_elements(pull->results[0].type) != type_elements(push->operands[1]->type))
            return NULL;
        loop = owner;
    }
    return loop;
}

/* Elements of a stack of which each is written once, in its iteration, and read in one; else 0. */
static int64_t count_of(const struct op *filler, const struct op *push, const struct value *stack)
{
    int64_t count = trip_count_of(filler);
    if (count != stack->type->shape.dims[0] ||
        !loop_index_is_each(filler, push->operands[2], count))
        return 0;
    for (const struct use *use = stack->uses; use; use = use->next)
        if (!loop_index_is_each(use->user->block->owner, use->user->operands[1], count))
            return 0;
    return count;
}

static bool add_stack(struct arena *arena, const struct module *module, struct op *loop, int i,
                      struct auto_idles *out)
{
    struct op *push = push_of(loop, i);
    struct op *reader = push ? reader_of(module, &loop->results[i], push) : NULL;
    if (!reader)
        return false;
    VEC_PUSH(arena, &out->items,
             (struct auto_idle){.value = &loop->results[i],
                                .late = reader,
                                .push = push,
                                .count = count_of(loop, push, &loop->results[i])});
    return true;
}

/* ---- all ------------------------------------------------------------------------------------- */
static int compare_sizes(const void *a, const void *b)
{
    const struct auto_idle *x = a, *y = b;
    double p = op_work_bytes(x->value), q = op_work_bytes(y->value);
    int64_t i = (int64_t)(uintptr_t)x->value->def->note,
            j = (int64_t)(uintptr_t)y->value->def->note;
    if (p != q)
        return p > q ? -1 : 1;
    return i != j ? (i < j ? -1 : 1) : x->value->index - y->value->index;
}

static int compare_late(const void *a, const void *b)
{
    const struct auto_idle *x = a, *y = b;
    int64_t i = (int64_t)(uintptr_t)x->late->note, j = (int64_t)(uintptr_t)y->late->note;
    return i != j ? (i < j ? -1 : 1) : compare_sizes(a, b);
}

void auto_idle_find(struct arena *arena, const struct module *module, struct auto_idles *out)
{
    *out = (struct auto_idles){0};
    number(module);
    int64_t moment = fullest_moment(arena, module);
    for (struct op *op = module->entry->body->first; op; op = op->next)
        for (int i = 0; i < op->result_count; i++)
            if (op->code != OP_while || !add_stack(arena, module, op, i, out))
                add_value(arena, module, &op->results[i], moment, out);
    if (!out->items.count)
        return;
    qsort(out->items.items, out->items.count, sizeof *out->items.items, compare_sizes);
    if (out->items.count > AUTO_IDLE_MOST)
        out->items.count = AUTO_IDLE_MOST;
    qsort(out->items.items, out->items.count, sizeof *out->items.items, compare_late);
}
