/* carried_order.c: see carried_order.h. The note of an operation of a body is its position. */
#include "compiler/passes/buffer/carried_order.h"

#include <stdint.h>

#include "compiler/passes/buffer/buffer_in_place.h"

enum {
    MAX_READERS = 16, /* of a carried value that are moved */
    MAX_MOVES = 64    /* in a body, whose operations are numbered anew after each */
};

static intptr_t position_of(const struct op *op)
{
    return (intptr_t)op->note;
}

static void number(struct block *body)
{
    intptr_t position = 0;
    for (struct op *op = body->first; op; op = op->next)
        op->note = (void *)position++;
}

/* The operation of the body that uses a value, perhaps in a region. */
static struct op *user_in(const struct block *body, const struct use *use)
{
    struct op *user = use->user;
    while (user->block != body)
        user = user->block->owner;
    return user;
}

static bool is_movable(const struct op *op)
{
    bool is_step =
        op->code == OP_fusion || op->code == OP_dot_general || op->code == OP_convolution;
    return is_step && ir_is_pure(op);
}

/* ---- readers of the value before ------------------------------------------------------------- */
/* Those that come after the operation that computes the next value. */
struct readers {
    const struct block *body;
    struct op *next; /* computes the next value */
    struct op *at[MAX_READERS];
    int count;
};

/* Adds the readers of a value and of reshapes of it. False: they are too many, or the value is
 * returned as another one. */
static bool add_readers(struct readers *r, const struct value *value)
{
    for (const struct use *use = value->uses; use; use = use->next) {
        struct op *user = user_in(r->body, use);
        if (user->code == OP_reshape && !add_readers(r, &user->results[0]))
            return false;
        if (user == r->body->last || r->count == MAX_READERS)
            return false;
        if (user->code != OP_reshape && position_of(user) > position_of(r->next))
            r->at[r->count++] = user;
    }
    return true;
}

/* Whether an operation could write a result over a value that it reads, or not at all. */
static bool may_overwrite(const struct op *op, int result, const struct value *value)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i] == value && !(op->code == OP_fusion && buffer_in_place(op, i, result)))
            return false;
    return true;
}

/* ---- moving ---------------------------------------------------------------------------------- */
static struct op *last_of(const struct readers *r)
{
    struct op *last = r->at[0];
    for (int i = 1; i < r->count; i++)
        if (position_of(r->at[i]) > position_of(last))
            last = r->at[i];
    return last;
}

/* Whether nothing up to a position needs what an operation computes. */
static bool is_unused_until(const struct block *body, const struct op *op, intptr_t position)
{
    for (int i = 0; i < op->result_count; i++)
        for (const struct use *use = op->results[i].uses; use; use = use->next)
            if (position_of(user_in(body, use)) <= position)
                return false;
    return true;
}

/* Whether all readers could come before the operation that computes the next value. */
static bool may_precede(const struct readers *r)
{
    for (int n = 0; n < r->count; n++) {
        if (!is_movable(r->at[n]))
            return false;
        for (int i = 0; i < r->at[n]->operand_count; i++) {
            const struct op *def = r->at[n]->operands[i]->def;
            if (def && def->block == r->body && position_of(def) >= position_of(r->next))
                return false;
        }
    }
    return true;
}

/* Whether operations have moved. */
static bool order_one(struct block *body, int i)
{
    const struct value *value = body->last->operands[i], *before = &body->arguments[i];
    struct readers r = {.body = body, .next = value->def};
    if (!r.next || r.next->block != body || before->type->kind != TYPE_TENSOR ||
        !is_movable(r.next) || !may_overwrite(r.next, value->index, before) ||
        !add_readers(&r, before) || !r.count)
        return false;
    struct op *last = last_of(&r);
    if (is_unused_until(body, r.next, position_of(last))) {
        ir_move_before(last->next, r.next);
        return true;
    }
    bool moves = may_precede(&r);
    for (int n = 0; moves && n < r.count; n++)
        ir_move_before(r.next, r.at[n]);
    return moves;
}

static void order_body(struct block *body)
{
    int moves = 0;
    number(body);
    for (int i = 0; i < body->argument_count && moves < MAX_MOVES; i++)
        if (order_one(body, i)) {
            number(body);
            moves++;
        }
}

void carried_order(struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        bool is_region = op->code == OP_fusion && op->attrs.fusion.fusion_kind == FUSION_REGION;
        bool has_blocks = is_region || (op_info(op->code)->traits & OP_CONTROL);
        for (int r = 0; has_blocks && r < op->region_count; r++)
            carried_order(op->regions[r]);
        if (op->code == OP_while)
            order_body(op->regions[1]);
    }
}
