/* unroll.c: finds the counter, computes the trip count, and clones the body for each iteration. */
#include "compiler/passes/unroll.h"

#include "compiler/analysis/constants.h"

enum { MAX_TRIP_COUNT = 8, MAX_OPERATIONS = 512 /* of all iterations together */ };

/* What the body adds to its argument i in one iteration. */
static bool step_of(const struct block *body, int i, int64_t *step)
{
    const struct op *op = body->last->operands[i]->def;
    if (!op || op->code != OP_add)
        return false;
    const struct value *self = &body->arguments[i];
    return (op->operands[0] == self && constants_integer(op->operands[1], step)) ||
           (op->operands[1] == self && constants_integer(op->operands[0], step));
}

static int64_t count_iterations(enum comparison direction, int64_t start, int64_t limit,
                                int64_t step)
{
    int64_t trip_count = 0;
    for (int64_t i = start; trip_count <= MAX_TRIP_COUNT; i += step, trip_count++) {
        bool more = direction == COMPARE_LT   ? i < limit
                    : direction == COMPARE_LE ? i <= limit
                    : direction == COMPARE_GT ? i > limit
                    : direction == COMPARE_GE ? i >= limit
                    : direction == COMPARE_NE ? i != limit
                                              : i == limit;
        if (!more)
            return trip_count;
    }
    return -1;
}

static bool is_small(int64_t x)
{
    return x > -(1LL << 30) &&
           x < 1LL << 30; /* a counter of any type does not wrap within a few iterations */
}

int64_t unroll_trip_count(const struct op *loop)
{
    const struct block *condition = loop->regions[0];
    const struct op *test = condition->last->operands[0]->def;
    int64_t start, limit, step;
    if (!test || test->code != OP_compare || test->block != condition)
        return -1;
    const struct value *counter = test->operands[0];
    if (counter->def || counter->block != condition ||
        !constants_integer(test->operands[1], &limit) ||
        !constants_integer(loop->operands[counter->index], &start) ||
        !step_of(loop->regions[1], counter->index, &step))
        return -1;
    if (dtype_info(counter->type->shape.dtype)->bits < 32 || !is_small(start) || !is_small(limit) ||
        !is_small(step) ||
        (dtype_info(counter->type->shape.dtype)->class == CLASS_UNSIGNED &&
         (start < 0 || limit < 0 || step < 0)))
        return -1;
    return count_iterations(test->attrs.compare.comparison_direction, start, limit, step);
}

/* Operations of a block; more than any limit when it has control flow or effects of its own. */
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

/* Inner loops first: an outer one may be small enough once they are straight code. */
static struct error *unroll_block(struct module *module, struct block *block)
{
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        if (!(op_info(op->code)->traits & OP_CONTROL))
            continue;
        for (int r = 0; r < op->region_count; r++)
            TRY(unroll_block(module, op->regions[r]));
        int64_t trip_count = op->code == OP_while ? unroll_trip_count(op) : -1;
        bool small = trip_count >= 0 && trip_count <= MAX_TRIP_COUNT &&
                     trip_count * size_of(op->regions[1]) <= MAX_OPERATIONS;
        if (small && ir_is_pure_block(op->regions[0])) /* its effects would be lost */
            TRY(unroll(module, op, trip_count));
    }
    return NULL;
}

struct error *unroll_run(struct module *module, const struct target *target)
{
    (void)target;
    for (struct func *func = module->first; func; func = func->next)
        if (func->body)
            TRY(unroll_block(module, func->body));
    return NULL;
}
