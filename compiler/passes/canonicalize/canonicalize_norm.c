#include "compiler/passes/canonicalize/canonicalize_norm.h"

#include "compiler/passes/rewrite/rewrite.h"

struct norm { /* of one operation */
    struct builder b;
    const struct type *type; /* of the input */
    int64_t feature;
    double epsilon, count; /* count: elements for each feature */
};

static struct norm begin(struct module *module, const struct op *op)
{
    struct norm n = {.b = rewrite_before(module, op),
                     .type = op->operands[0]->type,
                     .feature = op->attrs.batch_norm.feature_index,
                     .epsilon = op->attrs.batch_norm.epsilon};
    int64_t features = n.type->shape.dims[n.feature];
    n.count = features ? (double)type_elements(n.type) / (double)features : 0;
    return n;
}

static struct value *broadcast(struct norm *n, struct value *vector)
{
    return rewrite_broadcast_vector(&n->b, vector, n->type, n->feature);
}

static struct value *binary(struct norm *n, enum op_code code, struct value *a, struct value *b)
{
    return build_binary(&n->b, code, a, b);
}

/* The sum over all dimensions except the feature. */
static struct value *sum(struct norm *n, struct value *value)
{
    int64_t dims[SHAPE_MAX_RANK];
    int count = 0;
    for (int i = 0; i < n->type->shape.rank; i++)
        if (i != n->feature)
            dims[count++] = i;
    return build_reduce(&n->b, value, build_scalar(&n->b, n->type->shape.dtype, 0), OP_add, count,
                        dims);
}

static struct value *mean_of(struct norm *n, struct value *value)
{
    struct value *total = sum(n, value);
    return binary(n, OP_divide, total, build_splat(&n->b, total->type, n->count));
}

/* variance + epsilon */
static struct value *shifted(struct norm *n, struct value *variance)
{
    return binary(n, OP_add, variance, build_splat(&n->b, variance->type, n->epsilon));
}

static struct value *normalized(struct norm *n, struct value *centered, struct value *variance)
{
    struct value *deviation = build_unary(&n->b, OP_sqrt, shifted(n, variance));
    return binary(n, OP_divide, centered, broadcast(n, deviation));
}

static struct value *scaled(struct norm *n, struct value *value, struct value *scale,
                            struct value *offset)
{
    struct value *product = binary(n, OP_multiply, value, broadcast(n, scale));
    return binary(n, OP_add, product, broadcast(n, offset));
}

/* Operands: input, scale, offset, mean, variance. */
struct error *canonicalize_norm_inference(struct module *module, struct op *op)
{
    struct norm n = begin(module, op);
    struct value *centered =
        binary(&n, OP_subtract, op->operands[0], broadcast(&n, op->operands[3]));
    struct value *unit = normalized(&n, centered, op->operands[4]);
    return rewrite_with(module, op, scaled(&n, unit, op->operands[1], op->operands[2]));
}

/* Operands: input, scale, offset; results: output, mean, variance. */
struct error *canonicalize_norm_training(struct module *module, struct op *op)
{
    struct norm n = begin(module, op);
    struct value *mean = mean_of(&n, op->operands[0]);
    struct value *centered = binary(&n, OP_subtract, op->operands[0], broadcast(&n, mean));
    struct value *variance = mean_of(&n, binary(&n, OP_multiply, centered, centered));
    struct value *unit = normalized(&n, centered, variance);
    return rewrite_replace(
        module, op,
        (struct value *[]){scaled(&n, unit, op->operands[1], op->operands[2]), mean, variance});
}

/* Operands: input, scale, mean, variance, gradient g of the output; results: gradients of input,
 * scale, offset. With N elements for each feature and d = sqrt(variance + epsilon), the gradient of
 * the input is
 *   scale / (d N) * (N g - sum(g) - sum(g centered) centered / (d d)) */
struct error *canonicalize_norm_grad(struct module *module, struct op *op)
{
    struct norm n = begin(module, op);
    struct value *scale = op->operands[1], *variance = op->operands[3], *gradient = op->operands[4];
    struct value *centered =
        binary(&n, OP_subtract, op->operands[0], broadcast(&n, op->operands[2]));
    struct value *unit = normalized(&n, centered, variance);
    struct value *of_scale = sum(&n, binary(&n, OP_multiply, gradient, unit));
    struct value *of_offset = sum(&n, gradient);
    struct value *along = sum(&n, binary(&n, OP_multiply, gradient, centered));
    struct value *pull = binary(&n, OP_divide, along, shifted(&n, variance));
    struct value *inner =
        binary(&n, OP_multiply, gradient, build_splat(&n.b, gradient->type, n.count));
    inner = binary(&n, OP_subtract, inner, broadcast(&n, of_offset));
    inner = binary(&n, OP_subtract, inner, binary(&n, OP_multiply, broadcast(&n, pull), centered));
    struct value *deviation = build_unary(&n.b, OP_sqrt, shifted(&n, variance));
    struct value *factor = binary(&n, OP_divide, scale, deviation);
    factor = binary(&n, OP_divide, factor, build_splat(&n.b, factor->type, n.count));
    struct value *of_input = binary(&n, OP_multiply, inner, broadcast(&n, factor));
    return rewrite_replace(module, op, (struct value *[]){of_input, of_scale, of_offset});
}
