/* unroll.c: see unroll.h. Clones the body of a loop for each iteration. */
#include "compiler/passes/loops/unroll.h"

#include "compiler/schedule/cost.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/passes/rewrite/each_op.h"

enum {
    MAX_TRIP_COUNT = 8,
    MAX_OPERATIONS = 512,  /* of the unrolled loop */
    CHEAP_ITERATION = 2000 /* cost of an iteration that is less than that of storing its results */
};

/* The number of operations of a block; more than MAX_OPERATIONS if it contains control flow, side
 * effects or collectives. */
static int64_t size_of(const struct block *block)
{
    int64_t count = 0;
    for (const struct op *op = block->first; op; op = op->next) {
        bool plain = !(op_info(op->code)->traits & (OP_CONTROL | OP_SIDE_EFFECT | OP_COLLECTIVE));
        count += plain ? 1 : MAX_OPERATIONS + 1;
    }
    return count;
}

static struct error *unroll(struct module *module, struct op *loop, int64_t trip_count)
{
    int count = loop->operand_count;
    struct value **values =
        arena_copy(module->arena, loop->operands, (size_t)count * sizeof *values);
    for (int64_t i = 0; i < trip_count; i++) {
        struct value **next = ARENA_ARRAY(module->arena, struct value *, (size_t)count);
        TRY(ir_inline_block(module, loop->regions[1], count, values, loop, count, next));
        values = next;
    }
    for (int i = 0; i < count; i++)
        ir_replace_uses(module, &loop->results[i], values[i]);
    ir_remove(loop);
    return NULL;
}

/* Whether each iteration writes a slice of a carried value, as a scan that stacks its results. */
static bool stacks_results(const struct op *loop)
{
    const struct block *body = loop->regions[1];
    for (const struct op *op = body->first; op; op = op->next)
        if (op->code == OP_dynamic_update_slice && !op->operands[0]->def)
            return true;
    return false;
}

/* Whether a loop inside of another is better part of the other's kernel as it is: unrolled, a cheap
 * recurrence that stacks its results would be a step for each slice, each of which computes the
 * recurrence again. */
static bool stays_in_kernel(const struct op *loop)
{
    return stacks_results(loop) && cost_of_iteration(loop) <= CHEAP_ITERATION;
}

static bool is_in_loop(const struct op *op)
{
    for (op = op->block->owner; op; op = op->block->owner)
        if (op->code == OP_while)
            return true;
    return false;
}

/* Inner loops come first: the outer loop can be unrolled only if its body has no loops. */
static struct error *unroll_small(struct module *module, struct op *op, const struct target *target)
{
    (void)target;
    int64_t trip_count = op->code == OP_while ? trip_count_of(op) : -1;
    if (trip_count < 0 || trip_count > MAX_TRIP_COUNT ||
        trip_count * size_of(op->regions[1]) > MAX_OPERATIONS ||
        !ir_is_pure_block(op->regions[0]) || /* unrolling removes the condition */
        (is_in_loop(op) && stays_in_kernel(op)))
        return NULL;
    return unroll(module, op, trip_count);
}

static struct error *unroll_single(struct module *module, struct op *op,
                                   const struct target *target)
{
    (void)target;
    return op->code == OP_while && trip_count_of(op) == 1 && ir_is_pure_block(op->regions[0])
               ? unroll(module, op, 1)
               : NULL;
}

struct error *unroll_single_run(struct module *module, const struct target *target)
{
    return each_op(module, target, unroll_single);
}

struct error *unroll_run(struct module *module, const struct target *target)
{
    return each_op(module, target, unroll_small);
}
