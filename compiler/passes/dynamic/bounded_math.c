/* bounded_math.c: operations that compute. See bounded_rules.h. */
#include <limits.h>
#include <math.h>

#include "compiler/analysis/reducer.h"
#include "compiler/analysis/product_side.h"
#include "compiler/passes/dynamic/bounded_rules.h"
#include "compiler/passes/rewrite/rewrite.h"

/* Operands that are arrays of one shape: a dimension has the size of the first that has one. */
struct error *bounded_math_elementwise(struct sized *s, struct op *op)
{
    const struct value *result = &op->results[0];
    for (int d = 0; d < result->type->shape.rank; d++)
        for (int i = 0; i < op->operand_count && !sized_of(s, result, d); i++)
            if (op->operands[i]->type->shape.rank == result->type->shape.rank)
                sized_set(s, result, d, sized_of(s, op->operands[i], d));
    return NULL;
}

/* Result i has the sizes of operand i. */
struct error *bounded_math_each(struct sized *s, struct op *op)
{
    for (int i = 0; i < op->result_count && i < op->operand_count; i++)
        if (op->results[i].type->kind == TYPE_TENSOR && sized_any(s, op->operands[i]))
            sized_copy(s, &op->results[i], op->operands[i]);
    return NULL;
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* The greatest (or least) number of a float type; those of 8 bits or less may have no infinity. */
static double extremum_of_float(enum dtype dtype, bool greatest)
{
    const int bits = dtype_info(dtype)->bits;
    double found = greatest ? -(double)INFINITY : (double)INFINITY;
    for (int code = 0; bits <= CHAR_BIT && code < 1 << bits; code++) {
        const double number = dtype_to_double(dtype, &(uint8_t){(uint8_t)code});
        if (greatest ? number > found : number < found)
            found = number;
    }
    return bits <= CHAR_BIT ? found : -found;
}

/* The greatest (or least) number of an element type. */
static struct value *extremum(struct builder *b, enum dtype dtype, bool greatest)
{
    const struct dtype_info *info = dtype_info(dtype);
    bool is_signed = info->class == CLASS_SIGNED;
    int bits = info->bits - is_signed;
    uint64_t most = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    uint64_t bytes = greatest ? most : is_signed ? ~most : 0;
    if (info->class == CLASS_PREDICATE)
        return build_scalar(b, dtype, greatest);
    if (dtype_is_float(dtype))
        return build_scalar(b, dtype, extremum_of_float(dtype, greatest));
    const struct type *type = type_scalar(b->module->arena, dtype);
    return build_constant(b, literal_dense(b->module->arena, type,
                                           arena_copy(b->module->arena, &bytes, sizeof bytes)));
}

/* The number that a reduction ignores, by its operation; else its initial value. */
static struct value *neutral(struct builder *b, const struct op *op, struct value *initial)
{
    enum dtype dtype = initial->type->shape.dtype;
    switch (reducer_of(op)) {
    case OP_add: return build_scalar(b, dtype, dtype_is_float(dtype) ? -0.0 : 0);
    case OP_multiply: return build_scalar(b, dtype, 1);
    case OP_maximum: return dtype_is_complex(dtype) ? initial : extremum(b, dtype, false);
    case OP_minimum: return dtype_is_complex(dtype) ? initial : extremum(b, dtype, true);
    case OP_or:
    case OP_xor: return build_scalar(b, dtype, 0);
    case OP_and: return build_unary(b, OP_not, build_scalar(b, dtype, 0));
    default: return initial;
    }
}

/* The size of a dimension of the inputs of a reduction, which have the same shape. */
static struct value *input_size(const struct sized *s, const struct op *op, int64_t dimension)
{
    for (int i = 0; i < op->result_count; i++)
        if (sized_of(s, op->operands[i], dimension))
            return sized_of(s, op->operands[i], dimension);
    return NULL;
}

/* Replaces the padding of all inputs along a dimension, also where only one of them has a size. */
static void mask_inputs(struct sized *s, struct op *op, int64_t dimension)
{
    struct builder b = rewrite_before(s->module, op);
    struct value *size = input_size(s, op, dimension);
    for (int i = 0; size && i < op->result_count; i++) {
        struct value *fill = neutral(&b, op, op->operands[op->result_count + i]);
        struct value *masked = sized_mask_by(&b, op->operands[i], dimension, size, fill);
        sized_copy(s, masked, op->operands[i]);
        ir_set_operand(s->module, op, i, masked);
    }
}

struct error *bounded_math_reduce(struct sized *s, struct op *op)
{
    struct dims reduced = op->attrs.dimensions.dimensions;
    int64_t rank = op->operands[0]->type->shape.rank, left = 0;
    for (int64_t d = 0; d < rank; d++) {
        if (dims_contain(reduced, d)) {
            mask_inputs(s, op, d);
            continue;
        }
        for (int i = 0; i < op->result_count; i++)
            sized_set(s, &op->results[i], left, input_size(s, op, d));
        left++;
    }
    return NULL;
}

/* Windows: the padding is neutral; the result has as many elements as there are windows in the
 * real size. A window of one element keeps the size. */
struct error *bounded_math_window(struct sized *s, struct op *op)
{
    struct builder b = rewrite_before(s->module, op);
    const struct attrs_window *w = &op->attrs.window;
    for (int64_t d = 0; d < op->operands[0]->type->shape.rank; d++) {
        struct value *size = input_size(s, op, d);
        int64_t stride = dims_at(w->window_strides, d, 1), window = w->window_dimensions.at[d];
        int64_t padding = pairs_at(w->padding, d, 0) + pairs_at(w->padding, d, 1);
        if (!size)
            continue;
        if (dims_at(w->base_dilations, d, 1) != 1 || dims_at(w->window_dilations, d, 1) != 1)
            return sized_refuse(s, op);
        mask_inputs(s, op, d);
        struct value *out = sized_with(&b, OP_add, size, padding - window + stride);
        out = sized_with(&b, OP_divide, sized_with(&b, OP_maximum, out, 0), stride);
        for (int i = 0; i < op->result_count; i++)
            sized_set(s, &op->results[i], d, out);
    }
    return NULL;
}

/* ---- products -------------------------------------------------------------------------------- */

/* Zeros in place of the padding along contracted dimensions, also of that of the other operand:
 * where only one has a size, the other has numbers there, which may be infinite. */
static struct value *mask_contracted(const struct sized *s, struct builder *b,
                                     const struct product_side *own,
                                     const struct product_side *other)
{
    struct value *zero = build_scalar(b, own->value->type->shape.dtype, 0), *masked = own->value;
    for (int64_t k = 0; k < own->contracted.count; k++) {
        struct value *size = sized_of(s, own->value, own->contracted.at[k]);
        size = size ? size : sized_of(s, other->value, other->contracted.at[k]);
        if (size)
            masked = sized_mask_by(b, masked, own->contracted.at[k], size, zero);
    }
    return masked;
}

/* The dimensions of operand `which` that are neither batch nor contracted. */
static void keep_free(struct sized *s, const struct op *dot, int which)
{
    const struct product_side side = product_side_of(dot, which);
    for (int d = 0; d < side.value->type->shape.rank; d++)
        if (product_side_is_free(&side, d))
            sized_set(s, &dot->results[0], product_side_result_dim(dot, which, d),
                      sized_of(s, side.value, d));
}

struct error *bounded_math_dot(struct sized *s, struct op *op)
{
    struct builder b = rewrite_before(s->module, op);
    const struct product_side lhs = product_side_of(op, 0), rhs = product_side_of(op, 1);
    for (int64_t k = 0; k < lhs.batch.count; k++) {
        struct value *size = sized_of(s, lhs.value, lhs.batch.at[k]);
        sized_set(s, &op->results[0], k, size ? size : sized_of(s, rhs.value, rhs.batch.at[k]));
    }
    keep_free(s, op, 0);
    keep_free(s, op, 1);
    struct value *left = mask_contracted(s, &b, &lhs, &rhs);
    struct value *right = mask_contracted(s, &b, &rhs, &lhs);
    ir_set_operand(s->module, op, 0, left);
    ir_set_operand(s->module, op, 1, right);
    return NULL;
}

/* Only the batch may have a size. */
struct error *bounded_math_convolution(struct sized *s, struct op *op)
{
    const struct attrs_convolution *c = &op->attrs.convolution;
    struct value *batch = sized_of(s, op->operands[0], c->input_batch_dimension);
    for (int i = 0; i < 2; i++)
        for (int d = 0; d < op->operands[i]->type->shape.rank; d++)
            if (sized_of(s, op->operands[i], d) && (i || d != c->input_batch_dimension))
                return sized_refuse(s, op);
    if (c->batch_group_count != 1)
        return sized_refuse(s, op);
    sized_set(s, &op->results[0], c->output_batch_dimension, batch);
    return NULL;
}
