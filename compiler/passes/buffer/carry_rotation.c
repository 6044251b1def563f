/* carry_rotation.c: see carry_rotation.h. */
#include "compiler/passes/buffer/carry_rotation.h"

#include "compiler/schedule/cost.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/ir/build.h"
#include "compiler/passes/buffer/carried_order.h"
#include "compiler/passes/buffer/carry_slots.h"
#include "compiler/passes/rewrite/fusion_make.h"

enum {
    MAX_PERIOD = 4,
    MAX_OPERATIONS = 512, /* of all repetitions, those in fusions included */
    SAVING = 8,           /* the part of an iteration's cost that copies have at least */
    BYTES_PER_COST = 2    /* of an array that is copied: it is read and written (cost.h) */
};

/* ---- where it is worth it -------------------------------------------------------------------- */
/* The number of operations of a block; more than MAX_OPERATIONS if it has side effects or
 * collectives, or values that are no tensors. */
static int size_of(const struct block *block)
{
    int count = 0;
    for (const struct op *op = block->first; op && count <= MAX_OPERATIONS; op = op->next) {
        if (op_info(op->code)->traits & (OP_SIDE_EFFECT | OP_COLLECTIVE) ||
            op->code == OP_custom_call)
            return MAX_OPERATIONS + 1;
        count++;
        for (int i = 0; i < op->region_count; i++)
            count += size_of(op->regions[i]);
    }
    return count;
}

static bool is_in_device_memory(const struct op *loop)
{
    for (int i = 0; i < loop->operand_count; i++)
        if (loop->operands[i]->type->kind != TYPE_TENSOR ||
            loop->operands[i]->type->shape.memory != MEMORY_DEVICE)
            return false;
    return true;
}

static bool is_worth(const struct op *loop, const struct carry_slots *slots)
{
    double copies = (double)slots->bytes / BYTES_PER_COST;
    return slots->period > 1 && slots->bytes >= CARRY_ROTATION_BYTES &&
           copies * SAVING >= cost_of_iteration(loop);
}

/* ---- a known number of iterations ------------------------------------------------------------ */
struct rotation {
    struct module *module;
    struct op *loop;
    struct carry_slots slots;
    int count; /* of carried values */
};

/* Repeats the loop's body in front of `position`, from the given values on; they become the last
 * ones. */
static struct error *repeat(struct rotation *r, int64_t times, struct op *position,
                            struct value **values)
{
    for (int64_t i = 0; i < times; i++) {
        struct value **next = ARENA_ARRAY(r->module->arena, struct value *, r->count + 1);
        TRY(ir_inline_block(r->module, r->loop->regions[1], r->count, values, position, r->count,
                            next));
        for (int k = 0; k < r->count; k++)
            values[k] = next[k];
    }
    return NULL;
}

/* A fusion of one operation, in front of `position`. */
static struct value *fuse(struct rotation *r, struct value *value, struct op *position)
{
    struct op *fusion = fusion_make(r->module, FUSION_LOOP, position, 1, &value->def, 1, &value);
    ir_remove(value->def);
    return &fusion->results[0];
}

/* k < limit, or k + 1. */
static struct value *count_with(struct rotation *r, struct value *counter, struct op *position,
                                int64_t limit)
{
    struct builder b = {.module = r->module, .block = position->block, .before = position};
    struct value *number = build_scalar(&b, DTYPE_S32, limit < 0 ? 1 : (double)limit);
    struct value *value = limit < 0 ? build_binary(&b, OP_add, counter, number)
                                    : build_compare(&b, COMPARE_LT, counter, number);
    value = fuse(r, value, position);
    ir_remove(number->def);
    return value;
}

static const struct type **types_of(struct rotation *r, const struct type *counter)
{
    const struct type **types = ARENA_ARRAY(r->module->arena, const struct type *, r->count + 1);
    for (int i = 0; i < r->count; i++)
        types[i] = r->loop->operands[i]->type;
    types[r->count] = counter;
    return types;
}

/* A block of the loop with a return of its `count` arguments. */
static struct block *make_block(struct rotation *r, struct op *owner, int count,
                                const struct type **types, struct value ***values)
{
    struct block *block = ir_block(r->module, r->loop->block->func, owner, count, types);
    struct builder b = {.module = r->module, .block = block};
    *values = ARENA_ARRAY(r->module->arena, struct value *, count + 1);
    for (int i = 0; i < count; i++)
        (*values)[i] = &block->arguments[i];
    build_return(&b, count, *values);
    return block;
}

static void set_returned(struct rotation *r, struct op *end, int count, struct value **values)
{
    for (int i = 0; i < count; i++)
        ir_set_operand(r->module, end, i, values[i]);
}

static void set_condition(struct rotation *r, struct block *block, struct value *condition)
{
    struct builder b = {.module = r->module, .block = block};
    ir_remove(block->last);
    build_return(&b, 1, &condition);
}

/* An empty loop in front of the one that it replaces, with that one's carried values and perhaps a
 * counter. */
static struct op *make_loop(struct rotation *r, struct value *counter)
{
    int count = r->count + (counter != NULL);
    const struct type **types = types_of(r, counter ? counter->type : NULL);
    struct value **values = ARENA_ARRAY(r->module->arena, struct value *, count + 1);
    for (int i = 0; i < count; i++)
        values[i] = i < r->count ? r->loop->operands[i] : counter;
    struct op *loop = ir_op(r->module, OP_while, count, values, count, types, 2);
    loop->location = r->loop->location;
    ir_insert_before(r->loop, loop);
    return loop;
}

static void replace_loop(struct rotation *r, struct value *const *values)
{
    for (int i = 0; i < r->count; i++)
        ir_replace_uses(r->module, &r->loop->results[i], values[i]);
    ir_remove(r->loop);
}

static struct error *rotate_counted(struct rotation *r, int64_t trips)
{
    struct builder b = {.module = r->module, .block = r->loop->block, .before = r->loop};
    struct value *zero = build_scalar(&b, DTYPE_S32, 0), **values;
    struct op *loop = make_loop(r, zero);
    const struct type **types = types_of(r, zero->type);
    loop->regions[0] = make_block(r, loop, r->count + 1, types, &values);
    set_condition(r, loop->regions[0],
                  count_with(r, values[r->count], loop->regions[0]->last, trips / r->slots.period));
    loop->regions[1] = make_block(r, loop, r->count + 1, types, &values);
    struct op *end = loop->regions[1]->last;
    TRY(repeat(r, r->slots.period, end, values));
    values[r->count] = count_with(r, values[r->count], end, -1);
    set_returned(r, end, r->count + 1, values);
    for (int i = 0; i < r->count; i++)
        values[i] = &loop->results[i];
    TRY(repeat(r, trips % r->slots.period, r->loop, values));
    replace_loop(r, values);
    return NULL;
}

/* ---- an unknown number of iterations --------------------------------------------------------- */
/* Where the i-th value is after some iterations. */
static int slot_after(const struct carry_slots *slots, int i, int iterations)
{
    for (; iterations > 0 && i >= 0; iterations--)
        i = slots->slot[i];
    return i;
}

/* The loop ends after `done` iterations. The values are stored to their slots in order, so one that
 * is in the slot of an earlier one is copied first. */
static void save(struct rotation *r, struct op *end, struct value **values, int done)
{
    struct builder b = {.module = r->module, .block = end->block, .before = end};
    for (int i = 0; i < r->count; i++) {
        int slot = slot_after(&r->slots, i, done);
        if (slot >= 0 && slot < i)
            values[i] = build_copy(&b, values[i], MEMORY_DEVICE);
    }
    set_returned(r, end, r->count, values);
}

/* In front of `end`, which returns the result: the iteration number `done` + 1 and those after it,
 * each if the condition holds. */
static struct error *iterate(struct rotation *r, struct op *end, struct value **values, int done)
{
    struct value *condition, **inner;
    TRY(repeat(r, 1, end, values));
    if (++done < r->slots.period) {
        TRY(ir_inline_block(r->module, r->loop->regions[0], r->count, values, end, 1, &condition));
        struct op *branch = ir_op(r->module, OP_if, 1, &condition, r->count, types_of(r, NULL), 2);
        branch->location = r->loop->location;
        ir_insert_before(end, branch);
        for (int i = 0; i < 2; i++) {
            branch->regions[i] = make_block(r, branch, 0, NULL, &inner);
            struct builder b = {.module = r->module, .block = branch->regions[i]};
            ir_remove(branch->regions[i]->last);
            build_return(&b, r->count, values);
        }
        inner = arena_copy(r->module->arena, values, (size_t)r->count * sizeof *values);
        TRY(iterate(r, branch->regions[0]->last, inner, done));
        save(r, branch->regions[1]->last, values, done);
        for (int i = 0; i < r->count; i++)
            values[i] = &branch->results[i];
    }
    set_returned(r, end, r->count, values);
    return NULL;
}

static struct error *rotate_tested(struct rotation *r)
{
    struct value **values, *condition;
    struct op *loop = make_loop(r, NULL);
    const struct type **types = types_of(r, NULL);
    loop->regions[0] = make_block(r, loop, r->count, types, &values);
    TRY(ir_inline_block(r->module, r->loop->regions[0], r->count, values, loop->regions[0]->last, 1,
                        &condition));
    set_condition(r, loop->regions[0], condition);
    loop->regions[1] = make_block(r, loop, r->count, types, &values);
    TRY(iterate(r, loop->regions[1]->last, values, 0));
    for (int i = 0; i < r->count; i++)
        values[i] = &loop->results[i];
    replace_loop(r, values);
    return NULL;
}

/* ---- the pass -------------------------------------------------------------------------------- */
static struct error *rotate(struct module *module, struct op *loop)
{
    struct rotation r = {.module = module, .loop = loop, .count = loop->operand_count};
    int size = size_of(loop->regions[0]) + size_of(loop->regions[1]);
    if (!is_in_device_memory(loop) || MAX_PERIOD * r.count > MAX_OPERATIONS ||
        2 * size > MAX_OPERATIONS)
        return NULL;
    r.slots = carry_slots_of(module->arena, loop, CARRY_ROTATION_BYTES / MAX_PERIOD, MAX_PERIOD);
    if (!is_worth(loop, &r.slots) || r.slots.period * size > MAX_OPERATIONS)
        return NULL;
    int64_t trips = trip_count_of(loop);
    bool counts = trips >= r.slots.period && trips <= INT32_MAX;
    return counts ? rotate_counted(&r, trips) : trips < 0 ? rotate_tested(&r) : NULL;
}

/* Inner loops first. */
static struct error *rotate_block(struct module *module, struct block *block)
{
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        for (int i = 0; op_info(op->code)->traits & OP_CONTROL && i < op->region_count; i++)
            TRY(rotate_block(module, op->regions[i]));
        if (op->code == OP_while)
            TRY(rotate(module, op));
    }
    return NULL;
}

struct error *carry_rotation_run(struct module *module, const struct target *target)
{
    (void)target;
    for (struct func *func = module->first; func; func = func->next) {
        if (!func->body)
            continue;
        carried_order(func->body);
        TRY(rotate_block(module, func->body));
    }
    return NULL;
}
