/* trip_count.c: see trip_count.h. */
#include "compiler/analysis/trip_count.h"

#include "compiler/analysis/constants.h"

/* The value that arguments of fusions, and copies if `copies`, refer to. Buffer assignment puts
 * copies before loops and at the ends of their bodies. */
static const struct value *source_of(const struct value *value, bool copies)
{
    for (;;) {
        const struct op *owner = value->def ? NULL : value->block->owner;
        if (copies && value->def && value->def->code == OP_copy)
            value = value->def->operands[0];
        else if (owner && owner->code == OP_fusion)
            value = owner->operands[value->index];
        else
            return value;
    }
}

/* The operation that computes a value. If a fusion computes it, the operation inside of the
 * fusion. */
static const struct op *definition_of(const struct value *value, bool copies)
{
    const struct op *op = source_of(value, copies)->def;
    return op && op->code == OP_fusion
               ? op->regions[0]->last->operands[source_of(value, copies)->index]->def
               : op;
}

/* Matches i < limit, where i is the argument `*index` of the condition. */
static bool counted_condition(const struct block *condition, bool copies, int *index,
                              int64_t *limit)
{
    const struct op *compare = definition_of(condition->last->operands[0], copies);
    if (!compare || compare->code != OP_compare ||
        compare->attrs.compare.comparison_direction != COMPARE_LT)
        return false;
    const struct value *left = source_of(compare->operands[0], copies);
    if (left->def || left->block != condition)
        return false;
    *index = left->index;
    return constants_integer(source_of(compare->operands[1], copies), limit);
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

static int64_t count_of(const struct op *loop, bool copies)
{
    int index;
    int64_t limit, start, step;
    const struct block *body = loop->regions[1];
    if (!counted_condition(loop->regions[0], copies, &index, &limit) ||
        !constants_integer(source_of(loop->operands[index], copies), &start))
        return -1;
    const struct op *add = definition_of(body->last->operands[index], copies);
    enum dtype dtype = body->arguments[index].type->shape.dtype;
    if (!add || add->code != OP_add ||
        source_of(add->operands[0], copies) != &body->arguments[index] ||
        !constants_integer(source_of(add->operands[1], copies), &step) || step <= 0)
        return -1;
    if (!represents(dtype, limit) || !represents(dtype, start)) /* beyond 2^63 - 1 */
        return -1;
    if (limit <= start)
        return 0;
    uint64_t distance = (uint64_t)limit - (uint64_t)start - 1,
             count = distance / (uint64_t)step + 1;
    int64_t end;
    bool wraps = count > INT64_MAX || __builtin_mul_overflow((int64_t)count, step, &end) ||
                 __builtin_add_overflow(end, start, &end) || !represents(dtype, end);
    return wraps ? -1 : (int64_t)count;
}

int64_t trip_count_of(const struct op *loop)
{
    return count_of(loop, false);
}

bool trip_count_is_known(const struct op *loop)
{
    return count_of(loop, true) >= 0;
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
