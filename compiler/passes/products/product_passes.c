#include "compiler/passes/products/product_passes.h"

#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/target.h"

enum { MAX_PARTS = 3, BF16_EXPONENT_BITS = 8, BF16_MANTISSA_BITS = 7 };

/* ---- how many parts -------------------------------------------------------------------------- */
/* The parts of the operands of a dot whose algorithm is given; 0: none is, or it is of a type that
 * has no parts. */
static int parts_of_algorithm(const struct attrs_dot *dot)
{
    if (dot->accumulation_type == DTYPE_INVALID)
        return 0;
    if (dot->lhs_precision_type != DTYPE_BF16)
        return MAX_PARTS;
    return dot->num_primitive_operations >= 6 ? 3 : dot->num_primitive_operations >= 3 ? 2 : 1;
}

static int parts_of_precision(enum precision precision)
{
    return precision == PRECISION_DEFAULT ? 1 : precision == PRECISION_HIGH ? 2 : MAX_PARTS;
}

/* A value that was converted from a type which bf16 can hold has one part. */
static bool is_exact(const struct value *value)
{
    const struct op *convert = value->def;
    while (convert && convert->code == OP_transpose)
        convert = convert->operands[0]->def;
    if (!convert || convert->code != OP_convert)
        return false;
    switch (convert->operands[0]->type->shape.dtype) {
    case DTYPE_BF16:
    case DTYPE_PRED:
    case DTYPE_S8:
    case DTYPE_U8:
    case DTYPE_F8E5M2:
    case DTYPE_F8E4M3FN: return true;
    default: return false;
    }
}

static bool has_parts(const struct value *value)
{
    enum dtype dtype = value->type->shape.dtype;
    return (dtype == DTYPE_F32 || dtype == DTYPE_C64) && !is_exact(value);
}

/* Writes the number of parts of each operand; false when the operation stays as it is. */
static bool count_parts(const struct op *op, int parts[2])
{
    const struct precisions *precisions = op->code == OP_convolution
                                              ? &op->attrs.convolution.precision_config
                                              : &op->attrs.dot.precision_config;
    enum precision each[2] = {precisions->lhs, precisions->rhs};
    int given = op->code == OP_dot_general ? parts_of_algorithm(&op->attrs.dot) : 0;
    bool split = false;
    if (dtype_bytes(dtype_real_part(op->results[0].type->shape.dtype)) > dtype_bytes(DTYPE_F32))
        return false;
    for (int i = 0; i < 2; i++) {
        enum dtype dtype = op->operands[i]->type->shape.dtype;
        bool splits = has_parts(op->operands[i]);
        if (dtype_real_part(dtype) != DTYPE_F32 && dtype != DTYPE_BF16)
            return false;
        parts[i] = !splits ? 1 : given ? given : parts_of_precision(each[i]);
        split |= splits;
    }
    return split;
}

/* ---- the parts of an operand ----------------------------------------------------------------- */
static struct value *round_to_bf16(struct builder *b, struct value *value)
{
    union attrs attrs = {.reduce_precision = {.exponent_bits = BF16_EXPONENT_BITS,
                                              .mantissa_bits = BF16_MANTISSA_BITS}};
    return build_declared(b, OP_reduce_precision, 1, &value, NULL, &attrs);
}

static void split_real(struct builder *b, struct value *value, int count, struct value **parts)
{
    struct value *rest = value;
    for (int i = 0; i < count; i++) {
        parts[i] = round_to_bf16(b, rest);
        if (i + 1 < count)
            rest = build_binary(b, OP_subtract, rest, parts[i]);
    }
}

static void split_complex(struct builder *b, struct value *value, int count, struct value **parts)
{
    struct value *real[MAX_PARTS], *imaginary[MAX_PARTS];
    split_real(b, build_unary(b, OP_real, value), count, real);
    split_real(b, build_unary(b, OP_imag, value), count, imaginary);
    for (int i = 0; i < count; i++)
        parts[i] = build_binary(b, OP_complex, real[i], imaginary[i]);
}

/* A transposed operand is split before it is transposed, so that products still read it through
 * the transpose. */
static void split(struct builder *b, struct value *value, int count, struct value **parts)
{
    const struct op *transpose = value->def;
    if (transpose && transpose->code == OP_transpose) {
        split(b, transpose->operands[0], count, parts);
        for (int i = 0; i < count; i++)
            parts[i] = build_transpose(b, parts[i], transpose->attrs.transpose.permutation.at);
    } else if (!has_parts(value)) {
        parts[0] = value;
    } else if (dtype_is_complex(value->type->shape.dtype)) {
        split_complex(b, value, count, parts);
    } else {
        split_real(b, value, count, parts);
    }
}

/* ---- the sum of products --------------------------------------------------------------------- */
static struct value *zero_if_nan(struct builder *b, struct value *value)
{
    struct value *zero = build_splat(b, value->type, 0);
    return build_select(b, build_compare(b, COMPARE_EQ, value, value), value, zero);
}

/* The sum of the products below the first; NULL: there are none. */
static struct value *sum_of_rest(struct builder *b, const struct op *op, const struct type *type,
                                 const int parts[2],
                                 struct value *const split_operands[2][MAX_PARTS])
{
    struct value *sum = NULL;
    int most = parts[0] > parts[1] ? parts[0] : parts[1];
    for (int rank = most - 1; rank > 0; rank--) {
        for (int i = 0; i <= rank; i++) {
            if (i >= parts[0] || rank - i >= parts[1])
                continue;
            struct value *operands[] = {split_operands[0][i], split_operands[1][rank - i]};
            struct value *product = build_declared(b, op->code, 2, operands, type, &op->attrs);
            sum = sum ? build_binary(b, OP_add, sum, product) : product;
        }
    }
    return sum;
}

static struct error *rewrite(struct module *module, struct op *op, const int parts[2])
{
    struct builder b = rewrite_before(module, op);
    struct value *operands[2][MAX_PARTS];
    const struct type *type = op->results[0].type;
    bool complex = dtype_is_complex(type->shape.dtype);
    enum dtype accumulated = complex ? DTYPE_C64 : DTYPE_F32;
    const struct type *wide = type_with_dtype(module->arena, type, accumulated);
    for (int i = 0; i < 2; i++)
        split(&b, op->operands[i], parts[i], operands[i]);
    struct value *first[] = {operands[0][0], operands[1][0]};
    struct value *rest = sum_of_rest(&b, op, wide, parts, operands);
    struct value *sum = build_declared(&b, op->code, 2, first, wide, &op->attrs);
    if (rest)
        sum = build_binary(&b, OP_add, zero_if_nan(&b, rest), sum);
    return rewrite_with(module, op, build_convert(&b, sum, type->shape.dtype));
}

static bool is_product(const struct op *op)
{
    return op->code == OP_dot_general || op->code == OP_convolution;
}

static struct error *rewrite_op(struct module *module, struct op *op, const struct target *target)
{
    int parts[2];
    (void)target;
    return is_product(op) && count_parts(op, parts) ? rewrite(module, op, parts) : NULL;
}

struct error *product_passes_run(struct module *module, const struct target *target)
{
    if (!target || target->numerics != NUMERICS_BF16_PASSES)
        return NULL;
    return each_op(module, target, rewrite_op);
}
