/* dce.c: marks the values and operations that are needed, backwards from returns and side effects,
 * by setting their notes, then sweeps. Results of while, case and if are needed individually; all
 * other operations are needed as a whole. */
#include "compiler/passes/cleanup/dce.h"

#include "base/vec.h"
#include "compiler/passes/rewrite/rewrite.h"

struct marker {
    struct module *module;
    VEC(struct value *) work;
};

/* ---- loop invariants ------------------------------------------------------------------------- */

/* Replaces the uses of argument i of a loop whose body returns its argument i. */
static void capture_invariants(struct module *module, struct op *op)
{
    struct block *condition = op->regions[0], *body = op->regions[1];
    for (int i = 0; i < op->operand_count; i++) {
        if (body->last->operands[i] != &body->arguments[i])
            continue;
        ir_replace_uses(module, &op->results[i], op->operands[i]);
        ir_replace_uses(module, &condition->arguments[i], op->operands[i]);
        ir_replace_uses(module, &body->arguments[i], op->operands[i]);
        ir_set_operand(module, body->last, i, &body->arguments[i]);
    }
}

static void capture_in_block(struct module *module, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        if (op->code == OP_while)
            capture_invariants(module, op);
        for (int r = 0; r < op->region_count; r++)
            capture_in_block(module, op->regions[r]);
    }
}

/* ---- marking --------------------------------------------------------------------------------- */

static void clear(struct block *block)
{
    for (int i = 0; i < block->argument_count; i++)
        block->arguments[i].note = NULL;
    for (struct op *op = block->first; op; op = op->next) {
        op->note = NULL;
        for (int i = 0; i < op->result_count; i++)
            op->results[i].note = NULL;
        for (int r = 0; r < op->region_count; r++)
            clear(op->regions[r]);
    }
}

static void need_value(struct marker *m, struct value *value)
{
    if (value->note)
        return;
    value->note = value;
    VEC_PUSH(m->module->arena, &m->work, value);
}

static void need_operands(struct marker *m, struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        need_value(m, op->operands[i]);
}

static void need_op(struct marker *m, struct op *op)
{
    if (op->note)
        return;
    op->note = op;
    if (op->code == OP_while) {
        need_operands(m, op->regions[0]->last);
        return;
    }
    bool by_result = op->code == OP_case || op->code == OP_if;
    need_operands(m, op);
    for (int r = 0; r < op->region_count && !by_result; r++)
        need_operands(m, op->regions[r]->last);
    for (int i = 0; i < op->result_count && !by_result; i++)
        op->results[i].note = &op->results[i];
}

/* Marks the loop-carried value i. */
static void need_carried(struct marker *m, struct op *loop, int i)
{
    need_value(m, &loop->results[i]);
    need_value(m, &loop->regions[0]->arguments[i]);
    need_value(m, &loop->regions[1]->arguments[i]);
    need_value(m, loop->operands[i]);
    need_value(m, loop->regions[1]->last->operands[i]);
}

/* Marks what a needed value depends on. */
static void need_dependences(struct marker *m, struct value *value)
{
    struct op *op = value->def ? value->def : value->block->owner;
    if (!op)
        return; /* an argument of the function */
    need_op(m, op);
    if (op->code == OP_while)
        need_carried(m, op, value->index);
    else if (value->def && (op->code == OP_case || op->code == OP_if))
        for (int r = 0; r < op->region_count; r++)
            need_value(m, op->regions[r]->last->operands[value->index]);
}

static bool has_effect(const struct op *op)
{
    if (op->code == OP_custom_call)
        return op->attrs.custom_call.has_side_effect;
    return (op_info(op->code)->traits & OP_SIDE_EFFECT) && op->code != OP_rng;
}

/* Marks operations with side effects and the operations that contain them. */
static void need_effects(struct marker *m, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        for (int r = 0; r < op->region_count; r++)
            need_effects(m, op->regions[r]);
        for (struct op *at = has_effect(op) ? op : NULL; at; at = at->block->owner)
            need_op(m, at);
    }
}

/* ---- sweeping -------------------------------------------------------------------------------- */

/* Moves the operations of `from` to a block that has only the needed arguments. */
static struct block *narrow_block(struct module *module, struct block *from, struct op *owner,
                                  int count)
{
    struct block *to = ir_block(module, from->func, owner, count, NULL);
    for (int i = 0, k = 0; i < from->argument_count; i++) {
        if (!from->arguments[i].note)
            continue;
        to->arguments[k].type = from->arguments[i].type;
        ir_replace_uses(module, &from->arguments[i], &to->arguments[k++]);
    }
    ir_move_all(from, to);
    return to;
}

/* Replaces the region's return by one with only the needed operands. */
static void narrow_return(struct module *module, struct op *op, struct block *region)
{
    struct op *last = region->last;
    struct value **kept = ARENA_ARRAY(module->arena, struct value *, (size_t)op->result_count);
    int count = 0;
    for (int i = 0; i < op->result_count; i++)
        if (op->results[i].note)
            kept[count++] = last->operands[i];
    struct op *made = ir_op(module, OP_return, count, kept, 0, NULL, 0);
    made->location = last->location;
    ir_insert_before(last, made);
    ir_remove(last);
}

/* Replaces a while, case or if by one with only the needed results. */
static void narrow(struct module *module, struct op *op, int count)
{
    bool loop = op->code == OP_while;
    struct value **operands = ARENA_ARRAY(module->arena, struct value *, (size_t)op->operand_count);
    const struct type **types = ARENA_ARRAY(module->arena, const struct type *, (size_t)count);
    for (int i = 0, k = 0; i < op->result_count; i++)
        if (op->results[i].note) {
            operands[k] = loop ? op->operands[i] : NULL;
            types[k++] = op->results[i].type;
        }
    if (!loop)
        operands[0] = op->operands[0];
    struct op *made =
        ir_op(module, op->code, loop ? count : 1, operands, count, types, op->region_count);
    made->attrs = op->attrs;
    made->location = op->location;
    made->discardable = op->discardable;
    made->note = made;
    for (int r = 0; r < op->region_count; r++) {
        if (!loop || r == 1)
            narrow_return(module, op, op->regions[r]);
        made->regions[r] = narrow_block(module, op->regions[r], made, loop ? count : 0);
        op->regions[r] = NULL;
    }
    ir_insert_before(op, made);
    for (int i = 0, k = 0; i < op->result_count; i++)
        if (op->results[i].note)
            ir_replace_uses(module, &op->results[i], &made->results[k++]);
    ir_remove(op);
}

static void sweep(struct module *module, struct block *block);

/* Sweeps the regions first: then the return is the only user of arguments that are not needed. */
static void sweep_op(struct module *module, struct op *op)
{
    bool by_result = op->code == OP_while || op->code == OP_case || op->code == OP_if;
    int needed = 0;
    for (int r = 0; r < op->region_count; r++)
        sweep(module, op->regions[r]);
    for (int i = 0; i < op->result_count; i++)
        needed += op->results[i].note != NULL;
    if (by_result && needed < op->result_count)
        narrow(module, op, needed);
}

static void sweep(struct module *module, struct block *block)
{
    struct op *previous;
    for (struct op *op = block->last; op; op = previous) {
        previous = op->previous;
        if (op->code == OP_return)
            continue;
        if (op->note)
            sweep_op(module, op);
        else
            ir_remove(op);
    }
}

struct error *dce_run(struct module *module, const struct target *target)
{
    (void)target;
    for (struct func *func = module->first; func; func = func->next) {
        struct marker m = {.module = module};
        capture_in_block(module, func->body);
        clear(func->body);
        need_effects(&m, func->body);
        need_operands(&m, func->body->last);
        while (m.work.count)
            need_dependences(&m, m.work.items[--m.work.count]);
        sweep(module, func->body);
    }
    return NULL;
}
