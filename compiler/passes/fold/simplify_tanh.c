#include "compiler/passes/fold/simplify_tanh.h"

#include "compiler/analysis/constants.h"

/* Twice a value; of a product with a constant, the product with twice that. */
static struct value *twice(struct builder *b, struct value *x)
{
    const struct op *product = x->def;
    bool scales = product && product->code == OP_multiply && ir_has_one_use(x);
    const struct literal *scale = scales ? constants_literal(product->operands[1]) : NULL;
    if (!scale || !literal_is_uniform(scale))
        return build_binary(b, OP_multiply, x, build_splat(b, x->type, 2));
    double factor = dtype_to_double(x->type->shape.dtype, scale->bytes);
    return build_binary(b, OP_multiply, product->operands[0], build_splat(b, x->type, 2 * factor));
}

struct value *simplify_tanh(struct builder *b, struct op *op)
{
    const struct op *tanh = op->operands[0]->def;
    enum dtype dtype = op->results[0].type->shape.dtype;
    if (!tanh || tanh->code != OP_tanh || !ir_has_one_use(op->operands[0]) ||
        !constants_is_splat_of(op->operands[1], 1) || (dtype != DTYPE_F32 && dtype != DTYPE_F64))
        return NULL;
    struct value *half = build_unary(b, OP_logistic, twice(b, tanh->operands[0]));
    return build_binary(b, OP_multiply, half, build_splat(b, half->type, 2));
}
