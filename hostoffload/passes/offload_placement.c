/* offload_placement.c: see offload_placement.h. */
#include "hostoffload/passes/offload_placement.h"

#include "base/vec.h"
#include "compiler/analysis/constants.h"
#include "compiler/passes/rewrite/rewrite.h"

enum { MAX_CHAIN = 10000 }; /* operations between an update and what it is written into */

struct placer {
    struct module *module;
    VEC(struct value *) placed; /* worklist of values outside device memory */
    bool any;
};

static enum memory_kind kind_of(const struct value *value)
{
    return value->type->shape.memory;
}

static bool is_tensor(const struct value *value)
{
    return value->type->kind == TYPE_TENSOR;
}

/* ---- initial kinds --------------------------------------------------------------------------- */
static void place(struct placer *p, struct value *value, enum memory_kind kind)
{
    if (!is_tensor(value) || kind_of(value) == kind)
        return;
    value->type = type_with_memory(p->module->arena, value->type, kind);
    VEC_PUSH(p->module->arena, &p->placed, value);
}

/* Earlier passes may have created operations with the type of an annotated value. */
static void reset(struct placer *p, struct value *value)
{
    if (is_tensor(value))
        value->type = type_with_memory(p->module->arena, value->type, MEMORY_DEVICE);
}

static void start(struct placer *p, struct block *block)
{
    for (int i = 0; i < block->argument_count; i++)
        if (block->owner)
            reset(p, &block->arguments[i]);
        else if (kind_of(&block->arguments[i]) != MEMORY_DEVICE)
            VEC_PUSH(p->module->arena, &p->placed, &block->arguments[i]);
    for (struct op *op = block->first; op; op = op->next) {
        for (int i = 0; i < op->result_count && op->code != OP_copy; i++)
            reset(p, &op->results[i]);
        if (op->code == OP_copy) {
            p->any = true;
            if (kind_of(&op->results[0]) != MEMORY_DEVICE)
                VEC_PUSH(p->module->arena, &p->placed, &op->results[0]);
        }
        for (int i = 0; i < op->region_count; i++)
            start(p, op->regions[i]);
    }
}

/* ---- propagation of kinds -------------------------------------------------------------------- */
/* One step towards the operation that allocates the memory of a value; NULL if this is it. */
static const struct value *origin_of(const struct value *value)
{
    const struct op *def = value->def, *owner = def ? NULL : value->block->owner;
    if (owner)
        return owner->code == OP_while ? owner->operands[value->index] : NULL;
    if (!def)
        return NULL;
    switch (def->code) {
    case OP_while:
    case OP_optimization_barrier: return def->operands[value->index];
    case OP_reshape:
    case OP_dynamic_update_slice: return def->operands[0];
    default: return NULL;
    }
}

/* Whether an array may take the kind of a value that is written into it: it has it, or begins as a
 * splat constant, which can be created in any memory. */
static bool may_begin_in(const struct value *value, enum memory_kind kind)
{
    for (int i = 0; i < MAX_CHAIN && value; i++, value = origin_of(value))
        if (kind_of(value) == kind || constants_is_splat(value))
            return true;
    return false;
}

static void place_carried(struct placer *p, struct op *loop, int i, enum memory_kind kind)
{
    place(p, &loop->results[i], kind);
    for (int r = 0; r < loop->region_count; r++)
        place(p, &loop->regions[r]->arguments[i], kind);
}

static void follow_return(struct placer *p, struct op *ret, int i, enum memory_kind kind)
{
    struct op *owner = ret->block->owner;
    if (owner && owner->code == OP_while && ret->block == owner->regions[1])
        place_carried(p, owner, i, kind);
    else if (owner && (owner->code == OP_case || owner->code == OP_if))
        place(p, &owner->results[i], kind);
}

static void follow_use(struct placer *p, const struct use *use, enum memory_kind kind)
{
    struct op *op = use->user;
    switch (op->code) {
    case OP_reshape: place(p, &op->results[0], kind); return;
    case OP_optimization_barrier: place(p, &op->results[use->operand], kind); return;
    case OP_dynamic_update_slice:
        if (use->operand == 0 || (use->operand == 1 && may_begin_in(op->operands[0], kind)))
            place(p, &op->results[0], kind);
        return;
    case OP_while: place_carried(p, op, use->operand, kind); return;
    case OP_return: follow_return(p, op, use->operand, kind); return;
    default: return;
    }
}

static void follow(struct placer *p)
{
    while (p->placed.count) {
        const struct value *value = p->placed.items[--p->placed.count];
        for (const struct use *use = value->uses; use; use = use->next)
            follow_use(p, use, kind_of(value));
    }
}

/* ---- conflicts of kinds ---------------------------------------------------------------------- */
static const struct value *alias_source(const struct value *value)
{
    while (value->def && value->def->code == OP_reshape)
        value = value->def->operands[0];
    return value;
}

/* Whether an annotation determines the kind of the value. */
static bool is_annotated(const struct value *value)
{
    return alias_source(value)->def && alias_source(value)->def->code == OP_copy;
}

/* Returns a new splat constant of the right kind, or a copy of the operand. */
static void move_operand(struct placer *p, struct op *op, int i, enum memory_kind kind)
{
    struct value *value = op->operands[i];
    if (!is_tensor(value) || kind_of(value) == kind)
        return;
    struct builder b = rewrite_before(p->module, op);
    struct value *moved;
    if (constants_is_splat(value)) {
        moved = build_constant(&b, value->def->attrs.constant.value);
        moved->type = type_with_memory(p->module->arena, moved->type, kind);
    } else {
        moved = build_copy(&b, value, kind);
    }
    ir_set_operand(p->module, op, i, moved);
}

static struct error *check_carried(struct placer *p, const struct op *loop, int i)
{
    const struct value *before = loop->operands[i], *after = loop->regions[1]->last->operands[i];
    if (!is_tensor(before) || kind_of(before) == kind_of(after) || !is_annotated(before) ||
        !is_annotated(after))
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "%s: value %d is placed in %s before the loop and in %s by its body; place both "
                 "in one memory kind",
                 ir_where(p->module->arena, loop), i, memory_kind_name(kind_of(before)),
                 memory_kind_name(kind_of(after)));
}

static struct error *settle_loop(struct placer *p, struct op *loop)
{
    for (int i = 0; i < loop->operand_count; i++) {
        TRY(check_carried(p, loop, i));
        move_operand(p, loop, i, kind_of(&loop->results[i]));
        move_operand(p, loop->regions[1]->last, i, kind_of(&loop->results[i]));
    }
    return NULL;
}

static void settle_branches(struct placer *p, struct op *op)
{
    for (int r = 0; r < op->region_count; r++)
        for (int i = 0; i < op->result_count; i++)
            move_operand(p, op->regions[r]->last, i, kind_of(&op->results[i]));
}

static struct error *settle(struct placer *p, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        for (int i = 0; i < op->region_count; i++)
            TRY(settle(p, op->regions[i]));
        switch (op->code) {
        case OP_while: TRY(settle_loop(p, op)); break;
        case OP_case:
        case OP_if: settle_branches(p, op); break;
        case OP_reshape:
        case OP_dynamic_update_slice: move_operand(p, op, 0, kind_of(&op->results[0])); break;
        case OP_optimization_barrier:
            for (int i = 0; i < op->operand_count; i++)
                move_operand(p, op, i, kind_of(&op->results[i]));
            break;
        default: break;
        }
    }
    return NULL;
}

static void settle_results(struct placer *p)
{
    const struct func *func = p->module->entry;
    for (int i = 0; i < func->result_count; i++)
        move_operand(p, func->body->last, i, func->result_types[i]->shape.memory);
}

/* ---- copies ---------------------------------------------------------------------------------- */
/* The update itself copies to the kind of its target, so the copy before it is bypassed. */
static void join_update(struct placer *p, struct op *op)
{
    const struct value *update = op->operands[1], *copied = alias_source(update);
    if (!copied->def || copied->def->code != OP_copy || kind_of(copied) != kind_of(&op->results[0]))
        return;
    struct value *source = copied->def->operands[0];
    struct builder b = rewrite_before(p->module, op);
    if (update != copied) {
        source = build_reshape(&b, source, update->type->shape.rank, update->type->shape.dims);
        source->type =
            type_with_memory(p->module->arena, source->type, kind_of(copied->def->operands[0]));
    }
    ir_set_operand(p->module, op, 1, source);
}

static struct error *simplify(struct placer *p, struct block *block)
{
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        for (int i = 0; i < op->region_count; i++)
            TRY(simplify(p, op->regions[i]));
        if (op->code == OP_dynamic_update_slice)
            join_update(p, op);
        else if (op->code == OP_copy && kind_of(op->operands[0]) == kind_of(&op->results[0]))
            TRY(rewrite_with(p->module, op, op->operands[0]));
    }
    return NULL;
}

static void remove_unused(struct block *block)
{
    struct op *previous;
    for (struct op *op = block->last; op; op = previous) {
        previous = op->previous;
        for (int i = 0; i < op->region_count; i++)
            remove_unused(op->regions[i]);
        bool moves = op->code == OP_copy || op->code == OP_reshape || op->code == OP_constant;
        if (moves && !op->results[0].uses)
            ir_remove(op);
    }
}

/* Whether any value is outside device memory. */
static bool find_kinds(struct placer *p)
{
    start(p, p->module->entry->body);
    bool any = p->any || p->placed.count;
    follow(p);
    return any;
}

void offload_placement_kinds(struct module *module)
{
    find_kinds(&(struct placer){.module = module});
}

struct error *offload_placement_run(struct module *module, const struct target *target)
{
    struct placer p = {.module = module};
    struct block *body = module->entry->body;
    (void)target;
    bool any = find_kinds(&p);
    if (any)
        TRY(settle(&p, body));
    settle_results(&p);
    if (!any)
        return NULL;
    TRY(simplify(&p, body));
    remove_unused(body);
    return NULL;
}
