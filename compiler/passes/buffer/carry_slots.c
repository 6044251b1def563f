/* carry_slots.c: see carry_slots.h. The note of an operation of the body is its position. */
#include "compiler/passes/buffer/carry_slots.h"

#include <stdint.h>

#include "compiler/analysis/update_window.h"
#include "compiler/passes/buffer/buffer_in_place.h"

struct finder {
    const struct block *body;
    struct carry_slots *slots;
    uint64_t least;
    bool *taken; /* [i]: a next value is in slot i */
};

static intptr_t position_of(const struct op *op)
{
    return (intptr_t)op->note;
}

static void number(const struct block *body)
{
    intptr_t position = 0;
    for (struct op *op = body->first; op; op = op->next)
        op->note = (void *)position++;
}

static const struct value *source_of(const struct value *value)
{
    while (value->def && value->def->code == OP_reshape)
        value = value->def->operands[0];
    return value;
}

static uint64_t bytes_of(const struct value *value)
{
    return value->type->kind == TYPE_TENSOR ? (uint64_t)type_bytes(value->type) : 0;
}

/* ---- what is overwritten --------------------------------------------------------------------- */
/* The operation of the body that has a use of a value, perhaps in a region. */
static const struct op *user_in(const struct block *body, const struct use *use)
{
    const struct op *user = use->user;
    while (user->block != body)
        user = user->block->owner;
    return user;
}

static bool is_of(const struct block *body, const struct value *value)
{
    return ir_block_of(value) == body;
}

/* Whether a value is used at or after a position, other than by `writer`. What the body only
 * captures is used by its next iteration. */
static bool is_used_from(const struct block *body, const struct value *value, intptr_t position,
                         const struct op *writer)
{
    if (!is_of(body, value))
        return true;
    for (const struct use *use = value->uses; use; use = use->next) {
        const struct op *user = user_in(body, use);
        if (user == writer)
            continue;
        if (position_of(user) >= position ||
            (user->code == OP_reshape && is_used_from(body, &user->results[0], position, writer)))
            return true;
    }
    return false;
}

/* Whether an operation may write a result over an operand, which nothing uses afterwards. */
static bool may_overwrite(const struct block *body, const struct op *op, int operand, int result)
{
    const struct value *value = op->operands[operand];
    return bytes_of(value) == bytes_of(&op->results[result]) &&
           !is_used_from(body, source_of(value), position_of(op), op) &&
           buffer_in_place(op, operand, result);
}

/* The operand that result `i` is written over, the one from `slot` before others; -1: none. */
static int overwritten(const struct block *body, const struct op *op, int i, int slot)
{
    int found = -1;
    if (op->code == OP_while)
        return i;
    if (op->code != OP_fusion)
        return -1;
    if (op->attrs.fusion.fusion_kind == FUSION_UPDATE) {
        const struct value *array = update_window_array(op, i);
        bool is_last = array && !is_used_from(body, source_of(op->operands[array->index]),
                                              position_of(op), op);
        return is_last ? array->index : -1;
    }
    for (int k = 0; k < op->operand_count; k++)
        if (may_overwrite(body, op, k, i)) {
            if (source_of(op->operands[k]) == &body->arguments[slot])
                return k;
            found = found < 0 ? k : found;
        }
    return found;
}

/* Where the i-th next value is. */
static int slot_of(const struct finder *f, int i)
{
    const struct value *value = source_of(f->body->last->operands[i]);
    while (value->def) {
        if (value->def->block != f->body || value->def->code == OP_constant)
            return value->def->block != f->body ? CARRY_SLOT_OUTSIDE : CARRY_SLOT_NEW;
        int operand = overwritten(f->body, value->def, value->index, i);
        if (operand < 0)
            return CARRY_SLOT_NEW;
        value = source_of(value->def->operands[operand]);
    }
    return is_of(f->body, value) ? value->index : CARRY_SLOT_OUTSIDE;
}

/* Whether the i-th next value is an earlier one, too. */
static bool is_repeated(const struct finder *f, int i)
{
    const struct op *end = f->body->last;
    for (const struct use *use = end->operands[i]->uses; use; use = use->next)
        if (use->user == end && use->operand < i)
            return true;
    return false;
}

static bool counts(const struct finder *f, int i)
{
    return bytes_of(&f->body->arguments[i]) >= f->least;
}

static void find_slots(struct finder *f)
{
    for (int i = 0; i < f->slots->count; i++) {
        int slot = !counts(f, i) ? i : is_repeated(f, i) ? CARRY_SLOT_OUTSIDE : slot_of(f, i);
        bool fits =
            slot < 0 || bytes_of(&f->body->arguments[slot]) == bytes_of(&f->body->arguments[i]);
        f->slots->slot[i] = slot >= 0 && (!fits || f->taken[slot]) ? CARRY_SLOT_NEW : slot;
        if (f->slots->slot[i] >= 0)
            f->taken[slot] = true;
    }
}

/* ---- new values in slots that are free ------------------------------------------------------- */
/* Whether the i-th next value, which is new, may be written to a slot: what that holds before is
 * not read any more when the value is computed. */
static bool may_take(const struct finder *f, int i, int slot)
{
    const struct value *value = source_of(f->body->last->operands[i]),
                       *before = &f->body->arguments[slot];
    return !f->taken[slot] && counts(f, slot) && bytes_of(before) == bytes_of(value) &&
           value->def && !is_used_from(f->body, before, position_of(value->def), NULL);
}

static void fill_free_slots(struct finder *f)
{
    for (int i = 0; i < f->slots->count; i++)
        for (int slot = 0; slot < f->slots->count && f->slots->slot[i] == CARRY_SLOT_NEW; slot++)
            if (may_take(f, i, slot)) {
                f->slots->slot[i] = slot;
                f->taken[slot] = true;
            }
}

/* ---- the period ------------------------------------------------------------------------------ */
/* After how many iterations the value is back in the slot that it had before; one more slot is that
 * of a new value. 0: never. */
static int period_of(const struct carry_slots *slots, int i, int limit)
{
    int at = slots->slot[i], length = 1;
    while (at >= 0 && at != i && length <= limit) {
        at = slots->slot[at];
        length++;
    }
    return at == i ? length : at == CARRY_SLOT_NEW && length < limit ? length + 1 : 0;
}

static int greatest_divisor(int a, int b)
{
    return b ? greatest_divisor(b, a % b) : a;
}

static int period_of_all(const struct carry_slots *slots, int limit)
{
    int period = 1;
    for (int i = 0; i < slots->count; i++) {
        int own = period_of(slots, i, limit);
        if (!own && slots->slot[i] != CARRY_SLOT_OUTSIDE)
            return 1;
        if (own)
            period = period / greatest_divisor(period, own) * own;
    }
    return period <= limit ? period : 1;
}

struct carry_slots carry_slots_of(struct arena *arena, const struct op *loop, uint64_t least,
                                  int limit)
{
    const struct block *body = loop->regions[1];
    struct carry_slots slots = {.count = body->argument_count};
    slots.slot = ARENA_ARRAY(arena, int, slots.count + 1);
    struct finder f = {.body = body, .slots = &slots, .least = least};
    f.taken = ARENA_ARRAY(arena, bool, slots.count + 1);
    number(body);
    find_slots(&f);
    for (int i = 0; i < slots.count; i++)
        if (slots.slot[i] != i && slots.slot[i] != CARRY_SLOT_OUTSIDE)
            slots.bytes += bytes_of(&body->arguments[i]);
    fill_free_slots(&f);
    slots.period = period_of_all(&slots, limit);
    return slots;
}
