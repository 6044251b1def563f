/* trip_count.c: see trip_count.h. */
#include "compiler/analysis/trip_count.h"

#include "compiler/analysis/constants.h"

/* The operation that computes a value. If a fusion computes it, the operation inside of the fusion,
 * whose operands are arguments of the fusion's region. */
static const struct op *behind_fusion(const struct value *value)
{
    const struct op *op = value->def;
    return op && op->code == OP_fusion ? op->regions[0]->last->operands[value->index]->def : op;
}

/* The operand of the fusion that an argument of its region represents; other values unchanged. */
static const struct value *outside_fusion(const struct value *value)
{
    const struct block *block = value->def ? NULL : value->block;
    return block && block->owner && block->owner->code == OP_fusion
               ? block->owner->operands[value->index]
               : value;
}

/* Matches i < limit, where i is the argument `*index` of the condition. */
static bool counted_condition(const struct block *condition, int *index, int64_t *limit)
{
    const struct op *compare = behind_fusion(condition->last->operands[0]);
    if (!compare || compare->code != OP_compare ||
        compare->attrs.compare.comparison_direction != COMPARE_LT)
        return false;
    const struct value *left = outside_fusion(compare->operands[0]);
    if (left->def || left->block != condition)
        return false;
    *index = left->index;
    return constants_integer(compare->operands[1], limit);
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

int64_t trip_count_of(const struct op *loop)
{
    int index;
    int64_t limit, start, step;
    const struct block *body = loop->regions[1];
    if (!counted_condition(loop->regions[0], &index, &limit) ||
        !constants_integer(loop->operands[index], &start))
        return -1;
    const struct op *add = behind_fusion(body->last->operands[index]);
    enum dtype dtype = body->arguments[index].type->shape.dtype;
    if (!add || add->code != OP_add ||
        outside_fusion(add->operands[0]) != &body->arguments[index] ||
        !constants_integer(add->operands[1], &step) || step <= 0)
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

bool trip_count_is_known_in(const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next) {
        if (op->code == OP_while && trip_count_of(op) < 0)
            return false;
        for (int i = 0; i < op->region_count; i++)
            if (!trip_count_is_known_in(op->regions[i]))
                return false;
    }
    return true;
}
