/* simplify_zero.c: see simplify_zero.h. */
#include "compiler/passes/fold/simplify_zero.h"

#include <math.h>

#include "compiler/analysis/constants.h"
#include "compiler/analysis/reducer.h"

enum { MAX_VISITS = 64 };

/* Whether no element of a float value can be -0. */
static bool is_plus(const struct value *value, int *visits);

static bool is_constant_without(const struct op *op)
{
    const struct literal *literal = op->attrs.constant.value;
    if (type_elements(literal->type) < 1 || !literal_is_uniform(literal))
        return false;
    double number = dtype_to_double(literal->type->shape.dtype, literal->bytes);
    return number != 0 || !signbit(number);
}

static bool is_float(const struct value *value)
{
    return dtype_is_float(value->type->shape.dtype);
}

/* Small negative numbers may become -0 in a narrower type. */
static bool is_widened(const struct op *convert)
{
    return dtype_bytes(convert->operands[0]->type->shape.dtype) <=
           dtype_bytes(convert->results[0].type->shape.dtype);
}

/* Sums of -0 alone are -0, but those that start with +0. */
static bool is_sum_from_plus(const struct op *op, int *visits)
{
    return op->operand_count == 2 && reducer_of(op) == OP_add && is_plus(op->operands[1], visits);
}

static bool is_plus(const struct value *value, int *visits)
{
    const struct op *op = value->def;
    if (!op || (*visits)-- <= 0)
        return false;
    switch (op->code) {
    case OP_constant: return is_constant_without(op);
    case OP_abs:
    case OP_exponential:
    case OP_logistic:
    case OP_iota:
    case OP_dot_general: return true;
    case OP_convert:
        return !is_float(op->operands[0]) || (is_widened(op) && is_plus(op->operands[0], visits));
    case OP_multiply: return op->operands[0] == op->operands[1];
    case OP_add: return is_plus(op->operands[0], visits) || is_plus(op->operands[1], visits);
    case OP_maximum:
    case OP_minimum: return is_plus(op->operands[0], visits) && is_plus(op->operands[1], visits);
    case OP_select: return is_plus(op->operands[1], visits) && is_plus(op->operands[2], visits);
    case OP_reduce: return is_sum_from_plus(op, visits);
    case OP_subtract:
    case OP_broadcast_in_dim:
    case OP_reshape:
    case OP_transpose:
    case OP_slice:
    case OP_reverse: return is_plus(op->operands[0], visits);
    default: return false;
    }
}

struct value *simplify_zero(struct builder *b, struct op *op)
{
    int visits = MAX_VISITS;
    (void)b;
    double zero = op->code == OP_add ? 0.0 : -0.0;
    return is_float(&op->results[0]) && constants_is_splat_of(op->operands[1], zero) &&
                   is_plus(op->operands[0], &visits)
               ? op->operands[0]
               : NULL;
}
