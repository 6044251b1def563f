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

/* The operand x of a value code(x) of one of two types with one use; else NULL. */
static struct value *argument_of(const struct value *value, enum op_code code, enum dtype type,
                                 enum dtype other_type)
{
    enum dtype dtype = value->type->shape.dtype;
    bool fits = value->def && value->def->code == code && is_used_once(value) &&
                (dtype == type || dtype == other_type);
    return fits ? value->def->operands[0] : NULL;
}

/* Not of f64, whose exponential takes longer than the tangent, nor of f16, where twice a number may
 * be infinite. */
struct value *simplify_one_plus_tanh(struct builder *b, struct op *op)
{
    struct value *x = argument_of(op->operands[0], OP_tanh, DTYPE_F32, DTYPE_BF16);
    if (!x || !constants_is_splat_of(op->operands[1], 1))
        return NULL;
    struct value *half = build_unary(b, OP_logistic, twice(b, x));
    return build_binary(b, OP_multiply, half, build_splat(b, half->type, 2));
}

struct value *simplify_times_logistic(struct builder *b, struct op *op)
{
    for (int i = 0; i < 2; i++) {
        struct value *x = argument_of(op->operands[i], OP_logistic, DTYPE_F32, DTYPE_F64),
                     *y = op->operands[1 - i];
        if (!x || constants_literal(y))
            continue;
        struct value *exp = build_unary(b, OP_exponential, build_unary(b, OP_negate, x));
        struct value *sum = build_binary(b, OP_add, exp, build_splat(b, exp->type, 1));
        return build_binary(b, OP_divide, y, sum);
    }
    return NULL;
}
