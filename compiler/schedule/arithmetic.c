/* arithmetic.c: see arithmetic.h. */
#include "compiler/schedule/arithmetic.h"

#include <math.h>

#include "compiler/schedule/access.h"
#include "compiler/schedule/cost.h"
#include "compiler/schedule/op_units.h"
#include "compiler/schedule/walk.h"

/* What an operation reads with a stride takes time, but no arithmetic. */
static int weight_of(const struct op *op)
{
    bool computes = op->code != OP_fusion && op_units_rate(op) != RATE_MOVED;
    return computes ? (int)lround(cost_of_element(op)) : 0;
}

static int weight(const struct value *value, int *steps)
{
    const struct op *op = value->def;
    if (!op || op->code == OP_fusion || op->code == OP_reduce || --*steps < 0)
        return 0;
    int sum = weight_of(op);
    for (int i = 0; i < op->operand_count && sum < 100; i++)
        sum += weight(op->operands[i], steps);
    return sum;
}

int arithmetic_weight(const struct value *value)
{
    int steps = WALK_STEPS;
    return weight(value, &steps);
}

/* Whether op takes fewer operations than any function. */
static bool is_short(const struct op *op)
{
    return cost_of_element(op) < rates_operations(RATE_EXPONENTIAL);
}

static bool is_light(const struct value *value, struct walk *walk)
{
    const struct op *op = value->def;
    if (!op || op->code == OP_fusion || walk_is_repeated(walk, op, 0, 0))
        return true;
    if (!is_short(op) || --walk->steps < 0)
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (!is_light(op->operands[i], walk))
            return false;
    return true;
}

/* Whether op converts from or to a float of at most 8 bits: many instructions for each element. */
static bool is_tiny_convert(const struct op *op)
{
    if (op->code != OP_convert)
        return false;
    enum dtype from = op->operands[0]->type->shape.dtype, to = op->results[0].type->shape.dtype;
    return (dtype_is_float(from) && dtype_bytes(from) == 1) ||
           (dtype_is_float(to) && dtype_bytes(to) == 1);
}

static bool converts_tiny(const struct value *value, struct walk *walk)
{
    const struct op *op = value->def;
    if (!op || op->code == OP_fusion || walk_is_repeated(walk, op, 0, 0))
        return false;
    bool tiny = is_tiny_convert(op) || --walk->steps < 0;
    for (int i = 0; i < op->operand_count && !tiny; i++)
        tiny = converts_tiny(op->operands[i], walk);
    return tiny;
}

bool arithmetic_converts_tiny(const struct value *value)
{
    struct walk walk = walk_start();
    return converts_tiny(value, &walk);
}

bool arithmetic_is_light(const struct value *value)
{
    struct walk walk = walk_start();
    return is_light(value, &walk);
}

static bool is_wide_argument(const struct value *value)
{
    return !value->def && dtype_bytes(value->type->shape.dtype) >= 4;
}

/* Whether a value is an argument, or one times a broadcast of another, as in the product of a
 * vector with a matrix: a multiply-add that reads memory. */
static bool is_weighted_argument(const struct value *value)
{
    const struct op *op = value->def;
    if (!op || op->code != OP_multiply)
        return is_wide_argument(value);
    for (int i = 0; i < 2; i++) {
        const struct value *weight = op->operands[1 - i];
        if (!is_wide_argument(op->operands[i]) || !weight->def ||
            weight->def->code != OP_broadcast_in_dim)
            continue;
        weight = weight->def->operands[0];
        if (weight->def && weight->def->code == OP_reshape && access_keeps_dims(weight->def))
            weight = weight->def->operands[0];
        return is_wide_argument(weight);
    }
    return false;
}

static bool is_plain(const struct value *value, struct walk *walk)
{
    const struct op *op = value->def;
    if (!op || op->code == OP_constant || walk_is_repeated(walk, op, 0, 0))
        return true;
    if (op->code == OP_reduce)
        return op->operand_count == 2 && is_weighted_argument(op->operands[0]);
    bool moves =
        op->code == OP_broadcast_in_dim || (op->code == OP_reshape && access_keeps_dims(op));
    if (!moves && (!(op_info(op->code)->traits & OP_ELEMENTWISE) || !is_short(op)))
        return false;
    if (--walk->steps < 0)
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (!is_plain(op->operands[i], walk))
            return false;
    return true;
}

bool arithmetic_is_plain_sum(const struct value *value)
{
    struct walk walk = walk_start();
    return is_plain(value, &walk);
}

static int widest(const struct value *value, struct walk *walk)
{
    int bytes = dtype_bytes(dtype_real_part(value->type->shape.dtype));
    const struct op *op = value->def;
    if (dtype_is_float(value->type->shape.dtype) && bytes < 4)
        bytes = 4;
    if (!op || op->code == OP_fusion || --walk->steps < 0 || walk_is_repeated(walk, op, 0, 0))
        return bytes;
    for (int i = 0; i < op->operand_count; i++) {
        int of = widest(op->operands[i], walk);
        bytes = of > bytes && op->operands[i]->type->shape.rank ? of : bytes;
    }
    return bytes;
}

int arithmetic_widest(const struct value *value)
{
    struct walk walk = walk_start();
    return widest(value, &walk);
}
