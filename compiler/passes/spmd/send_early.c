/* send_early.c: see send_early.h. The walk holds back each recv and what depends on one, directly
 * or not, until the block ends or an operation comes whose effects have an order. */
#include "compiler/passes/spmd/send_early.h"

#include "base/map.h"
#include "base/vec.h"

struct walk {
    struct arena *arena;
    struct map *is_held; /* operations */
    VEC(struct op *) held;
};

static bool is_message(const struct op *op, enum op_code code)
{
    return op->code == code && !op->attrs.channel.is_host_transfer;
}

/* Whether the operation, or one in its regions, reads a result of what is held. */
static bool depends(const struct walk *w, const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->def && map_get_pointer(w->is_held, op->operands[i]->def))
            return true;
    for (int r = 0; r < op->region_count; r++)
        for (const struct op *in = op->regions[r]->first; in; in = in->next)
            if (depends(w, in))
                return true;
    return false;
}

/* Whether it stays behind all that is in front of it. */
static bool is_fixed(const struct op *op)
{
    unsigned traits = op_info(op->code)->traits;
    if ((traits & OP_COLLECTIVE) || is_message(op, OP_send) || is_message(op, OP_recv))
        return false;
    return (traits & OP_TERMINATOR) || !ir_is_pure(op);
}

static void release(struct walk *w, struct op *before)
{
    if (!w->held.count)
        return;
    for (size_t i = 0; i < w->held.count; i++)
        ir_move_before(before, w->held.items[i]);
    w->held.count = 0;
    w->is_held = map_create(w->arena);
}

static bool needs_order(const struct block *block)
{
    bool received = false;
    for (const struct op *op = block->first; op; op = op->next) {
        received |= is_message(op, OP_recv);
        if (received && is_message(op, OP_send))
            return true;
    }
    return false;
}

static void order(struct arena *arena, struct block *block)
{
    struct walk w = {.arena = arena, .is_held = map_create(arena)};
    for (struct op *op = block->first, *next; op; op = next) {
        next = op->next;
        if (is_fixed(op)) {
            release(&w, op);
        } else if (is_message(op, OP_recv) || (w.held.count && depends(&w, op))) {
            VEC_PUSH(arena, &w.held, op);
            map_put_pointer(w.is_held, op, op);
        }
    }
}

static void visit_block(struct arena *arena, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next)
        for (int r = 0; (op_info(op->code)->traits & OP_CONTROL) && r < op->region_count; r++)
            visit_block(arena, op->regions[r]);
    if (needs_order(block))
        order(arena, block);
}

struct error *send_early_run(struct module *module, const struct target *target)
{
    (void)target;
    for (struct func *func = module->first; func; func = func->next)
        if (func->body)
            visit_block(arena_scratch(module->arena), func->body);
    return NULL;
}
