#include "compiler/passes/fold/simplify_sigmoid.h"

#include <math.h>

#include "compiler/analysis/constants.h"

enum { FACTOR_MOST = 1 << 30 }; /* which is finite when doubled */

/* Twice a value; of a product with a constant, the product with twice that. */
static struct value *twice(struct builder *b, struct value *x)
{
    const struct op *product = x->def;
    bool scales = product && product->code == OP_multiply && ir_has_one_use(x);
    const struct literal *scale = scales ? constants_literal(product->operands[1]) : NULL;
    bool is_uniform = scale && literal_is_uniform(scale);
    double factor = is_uniform ? dtype_to_double(x->type->shape.dtype, scale->bytes) : INFINITY;
    if (!(fabs(factor) <= FACTOR_MOST))
        return build_binary(b, OP_multiply, x, build_splat(b, x->type, 2));
    return build_binary(b, OP_multiply, product->operands[0], build_splat(b, x->type, 2 * factor));
}

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

/* Whether a value is only multiplied: it may be tiny where the program has 0. */
static bool is_factor(const struct value *value)
{
    for (const struct use *use = value->uses; use; use = use->next)
        if (use->user->code != OP_multiply)
            return false;
    return true;
}

/* Only of f32: the exponential of f64 takes longer than the tangent; narrower types round it. */
struct value *simplify_one_plus_tanh(struct builder *b, struct op *op)
{
    struct value *x = argument_of(op->operands[0], OP_tanh);
    if (!x || x->type->shape.dtype != DTYPE_F32 || !constants_is_splat_of(op->operands[1], 1) ||
        !is_factor(&op->results[0]))
        return NULL;
    struct value *half = build_unary(b, OP_logistic, twice(b, x));
    return build_binary(b, OP_multiply, half, build_splat(b, half->type, 2));
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
