/* nonnegative.c: see nonnegative.h. */
#include "compiler/analysis/nonnegative.h"

#include <math.h>

#include "compiler/analysis/constants.h"

enum { MAX_DEPTH = 8 };

static bool is_known(const struct value *value, int depth);

static bool is_nonnegative_constant(const struct value *value)
{
    const struct literal *literal = constants_literal(value);
    if (!literal || type_elements(literal->type) < 1 || !literal_is_uniform(literal))
        return false;
    double number = dtype_to_double(value->type->shape.dtype, literal->bytes);
    return !signbit(number) && !isnan(number);
}

static bool are_known(const struct op *op, int first, int second, int depth)
{
    return is_known(op->operands[first], depth) && is_known(op->operands[second], depth);
}

static bool has_type(const struct value *value)
{
    enum dtype dtype = value->type->shape.dtype;
    return dtype == DTYPE_F16 || dtype == DTYPE_F32 || dtype == DTYPE_F64;
}

static bool is_known(const struct value *value, int depth)
{
    const struct op *op = value->def;
    if (!op || depth > MAX_DEPTH || !has_type(value))
        return false;
    depth++;
    switch (op->code) {
    case OP_constant: return is_nonnegative_constant(value);
    case OP_abs:
    case OP_exponential:
    case OP_logistic:
    case OP_iota: return true;
    case OP_multiply: return op->operands[0] == op->operands[1] || are_known(op, 0, 1, depth);
    case OP_broadcast_in_dim:
    case OP_power: return is_known(op->operands[0], depth);
    case OP_maximum: return is_known(op->operands[0], depth) || is_known(op->operands[1], depth);
    case OP_add:
    case OP_minimum: return are_known(op, 0, 1, depth);
    case OP_select: return are_known(op, 1, 2, depth);
    default: return false;
    }
}

bool nonnegative_is(const struct value *value)
{
    return is_known(value, 0);
}
