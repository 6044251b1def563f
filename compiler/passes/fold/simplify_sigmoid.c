#include "compiler/passes/fold/simplify_sigmoid.h"

/* Whether one operation uses a value, apart from what another rule has left without a use. */
static bool is_used_once(const struct value *value)
{
    int count = 0;
    for (const struct use *use = value->uses; use && count < 2; use = use->next)
        count += use->user->result_count != 1 || use->user->results[0].uses;
    return count == 1;
}

/* The operand x of a value code(x) with one use; else NULL. */
static struct value *argument_of(const struct value *value, enum op_code code)
{
    bool fits = value->def && value->def->code == code && is_used_once(value);
    return fits ? value->def->operands[0] : NULL;
}

/* Whether y logistic(x) is no infinity times a logistic function that is denormal, and so 0. */
static bool is_bounded_factor(const struct value *y, const struct value *x)
{
    const struct op *op = y->def;
    return y == x || (op && (op->code == OP_tanh || op->code == OP_logistic));
}

struct value *simplify_times_logistic(struct builder *b, struct op *op)
{
    enum dtype dtype = op->results[0].type->shape.dtype;
    for (int i = 0; i < 2 && (dtype == DTYPE_F32 || dtype == DTYPE_F64); i++) {
        struct value *x = argument_of(op->operands[i], OP_logistic), *y = op->operands[1 - i];
        if (!x || !is_bounded_factor(y, x))
            continue;
        struct value *exp = build_unary(b, OP_exponential, build_unary(b, OP_negate, x));
        struct value *sum = build_binary(b, OP_add, exp, build_splat(b, exp->type, 1));
        return build_binary(b, OP_divide, y, sum);
    }
    return NULL;
}
