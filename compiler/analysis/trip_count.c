/* trip_count.c: see trip_count.h. */
#include "compiler/analysis/trip_count.h"

#include "compiler/analysis/constants.h"
#include "compiler/analysis/value_source.h"

/* A counter: i = start; while (i `direction` limit) i += step. */
struct counter {
    int64_t start, limit, step;
    enum comparison direction;
    enum dtype dtype;
};

/* Matches i `direction` limit, where i is the argument `*index` of the condition. */
static bool counted_condition(const struct block *condition, bool copies, int *index,
                              struct counter *out)
{
    const struct op *compare = value_definition(condition->last->operands[0], copies);
    if (!compare || compare->code != OP_compare)
        return false;
    const struct value *left = value_source(compare->operands[0], copies);
    if (left->def || left->block != condition)
        return false;
    *index = left->index;
    out->direction = compare->attrs.compare.comparison_direction;
    out->dtype = left->type->shape.dtype;
    return constants_integer(value_source(compare->operands[1], copies), &out->limit);
}

/* Matches what the body adds to its argument. */
static bool counted_step(const struct block *body, int index, bool copies, int64_t *step)
{
    const struct op *add = value_definition(body->last->operands[index], copies);
    if (!add || add->code != OP_add)
        return false;
    for (int i = 0; i < 2; i++)
        if (value_source(add->operands[i], copies) == &body->arguments[index])
            return constants_integer(value_source(add->operands[1 - i], copies), step);
    return false;
}

/* Whether the type can represent `value`. */
static bool represents(enum dtype dtype, int64_t value)
{
    const struct dtype_info *info = dtype_info(dtype);
    bool is_signed = info->class == CLASS_SIGNED;
    if (info->bits >= 64)
        return is_signed || value >= 0;
    int64_t high = INT64_C(1) << (info->bits - is_signed);
    return value >= (is_signed ? -high : 0) && value < high;
}

/* The steps from `start` until at least `limit`, which are a positive `step` apart; -1 where the
 * count has no int64_t. */
static int64_t steps_between(int64_t start, int64_t limit, int64_t step)
{
    if (limit <= start)
        return 0;
    uint64_t count = ((uint64_t)limit - (uint64_t)start - 1) / (uint64_t)step + 1;
    return count > INT64_MAX ? -1 : (int64_t)count;
}

/* The iterations if the counter never wraps around, -1 if they do not end. Upward and downward
 * loops are the same, with the signs changed: INT64_MIN, which has no opposite, has no count. */
static int64_t iterations_of(struct counter c)
{
    if (c.direction == COMPARE_EQ)
        return c.start != c.limit ? 0 : c.step ? 1 : -1;
    if (c.direction == COMPARE_NE && c.start == c.limit)
        return 0;
    bool is_down = c.direction == COMPARE_GT || c.direction == COMPARE_GE ||
                   (c.direction == COMPARE_NE && c.step < 0);
    if (is_down && (c.start == INT64_MIN || c.limit == INT64_MIN || c.step == INT64_MIN))
        return -1;
    int64_t sign = is_down ? -1 : 1;
    int64_t start = sign * c.start, limit = sign * c.limit, step = sign * c.step;
    bool includes = c.direction == COMPARE_LE || c.direction == COMPARE_GE;
    if (includes && __builtin_add_overflow(limit, 1, &limit))
        return -1;
    if (limit <= start)
        return c.direction == COMPARE_NE ? -1 : 0;
    bool misses = c.direction == COMPARE_NE && step > 0 &&
                  ((uint64_t)limit - (uint64_t)start) % (uint64_t)step != 0;
    return step <= 0 || misses ? -1 : steps_between(start, limit, step);
}

static int64_t count_of(const struct op *loop, bool copies)
{
    int index;
    struct counter c;
    if (!counted_condition(loop->regions[0], copies, &index, &c) ||
        !constants_integer(value_source(loop->operands[index], copies), &c.start) ||
        !counted_step(loop->regions[1], index, copies, &c.step))
        return -1;
    if (!represents(c.dtype, c.limit) || !represents(c.dtype, c.start)) /* beyond 2^63 - 1 */
        return -1;
    int64_t count = iterations_of(c), end;
    bool wraps = count < 0 || __builtin_mul_overflow(count, c.step, &end) ||
                 __builtin_add_overflow(end, c.start, &end) || !represents(c.dtype, end);
    return wraps ? -1 : count;
}

int64_t trip_count_of(const struct op *loop)
{
    return count_of(loop, false);
}

int64_t trip_count_after_copies(const struct op *loop)
{
    return count_of(loop, true);
}

bool trip_count_is_known(const struct op *loop)
{
    return trip_count_after_copies(loop) >= 0;
}

bool trip_count_is_known_in(const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next) {
        if (op->code == OP_while && !trip_count_is_known(op))
            return false;
        for (int i = 0; i < op->region_count; i++)
            if (!trip_count_is_known_in(op->regions[i]))
                return false;
    }
    return true;
}
