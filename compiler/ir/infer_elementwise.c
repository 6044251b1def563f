/* infer_elementwise.c: type inference of elementwise operations. */
#include "compiler/ir/infer.h"
#include "compiler/ir/infer_check.h"

enum { I = INFER_INTEGER, F = INFER_FLOAT, C = INFER_COMPLEX, P = INFER_PRED };

static struct error *check_same_attributes(struct arena *arena, const struct op *op)
{
    const struct type *type = infer_check_type(op, 0);
    switch (op->code) {
    case OP_reverse:
        return infer_check_distinct(arena, op, "dimensions", op->attrs.dimensions.dimensions,
                                    type->shape.rank);
    case OP_reduce_precision:
        TRY(infer_check_range(arena, op, "exponent_bits", op->attrs.reduce_precision.exponent_bits,
                              1, 64));
        return infer_check_range(arena, op, "mantissa_bits",
                                 op->attrs.reduce_precision.mantissa_bits, 0, 64);
    case OP_cholesky:
        if (type->shape.rank < 2 ||
            type->shape.dims[type->shape.rank - 1] != type->shape.dims[type->shape.rank - 2])
            return infer_check_bad(arena, op, "operand 0 is %s; its last two sizes must be equal",
                                   type_text(arena, type));
        return NULL;
    default: return NULL;
    }
}

/* Operands and result have one type, of the given classes. */
static struct error *infer_equal(struct arena *arena, struct op *op, unsigned classes)
{
    for (int i = 0; i < op->operand_count; i++) {
        TRY(infer_check_classes(arena, op, i, classes));
        TRY(infer_check_same_shape(arena, op, 0, i));
        TRY(infer_check_same_dtype(arena, op, 0, i));
    }
    TRY(check_same_attributes(arena, op));
    const struct type *type = infer_check_type(op, 0);
    return infer_check_result_dims(arena, op, 0, type->shape.dtype, type->shape.rank,
                                   type->shape.dims);
}

struct error *infer_same(struct arena *arena, struct op *op)
{
    return infer_equal(arena, op, P | I | F | C);
}

struct error *infer_same_bits(struct arena *arena, struct op *op)
{
    return infer_equal(arena, op, P | I);
}

struct error *infer_same_integers(struct arena *arena, struct op *op)
{
    return infer_equal(arena, op, I);
}

struct error *infer_same_floats(struct arena *arena, struct op *op)
{
    return infer_equal(arena, op, F);
}

struct error *infer_same_inexact(struct arena *arena, struct op *op)
{
    return infer_equal(arena, op, F | C);
}

struct error *infer_same_numbers(struct arena *arena, struct op *op)
{
    return infer_equal(arena, op, I | F | C);
}

/* The result has operand 0's sizes and the element type `dtype`. */
static struct error *result_of_dtype(struct arena *arena, struct op *op, enum dtype dtype)
{
    const struct type *type = infer_check_type(op, 0);
    return infer_check_result_dims(arena, op, 0, dtype, type->shape.rank, type->shape.dims);
}

struct error *infer_abs(struct arena *arena, struct op *op)
{
    TRY(infer_check_classes(arena, op, 0, I | F | C));
    return result_of_dtype(arena, op, dtype_real_part(infer_check_type(op, 0)->shape.dtype));
}

struct error *infer_real_part(struct arena *arena, struct op *op)
{
    TRY(infer_check_classes(arena, op, 0, F | C));
    return result_of_dtype(arena, op, dtype_real_part(infer_check_type(op, 0)->shape.dtype));
}

struct error *infer_predicate(struct arena *arena, struct op *op)
{
    TRY(infer_check_classes(arena, op, 0, F));
    return result_of_dtype(arena, op, DTYPE_PRED);
}

struct error *infer_compare(struct arena *arena, struct op *op)
{
    TRY(infer_check_tensor(arena, op, 0));
    TRY(infer_check_tensor(arena, op, 1));
    TRY(infer_check_same_shape(arena, op, 0, 1));
    TRY(infer_check_same_dtype(arena, op, 0, 1));
    enum comparison direction = op->attrs.compare.comparison_direction;
    enum dtype dtype = infer_check_type(op, 0)->shape.dtype;
    TRY(infer_check_range(arena, op, "comparison_direction", direction, COMPARE_EQ, COMPARE_LT));
    TRY(infer_check_range(arena, op, "compare_type", op->attrs.compare.compare_type, COMPARE_NOTYPE,
                          COMPARE_UNSIGNED));
    if (dtype_is_complex(dtype) && direction != COMPARE_EQ && direction != COMPARE_NE)
        return infer_check_bad(arena, op,
                               "complex numbers are unordered; the direction must be EQ or NE");
    if (op->attrs.compare.compare_type == COMPARE_TOTALORDER && !dtype_is_float(dtype))
        return infer_check_bad(arena, op,
                               "compare_type TOTALORDER requires floats; operands are %s",
                               dtype_name(dtype));
    return result_of_dtype(arena, op, DTYPE_PRED);
}

struct error *infer_select(struct arena *arena, struct op *op)
{
    TRY(infer_check_classes(arena, op, 0, P));
    TRY(infer_check_tensor(arena, op, 1));
    TRY(infer_check_tensor(arena, op, 2));
    if (infer_check_type(op, 0)->shape.rank != 0)
        TRY(infer_check_same_shape(arena, op, 0, 1));
    TRY(infer_check_same_shape(arena, op, 1, 2));
    TRY(infer_check_same_dtype(arena, op, 1, 2));
    const struct type *type = infer_check_type(op, 1);
    return infer_check_result_dims(arena, op, 0, type->shape.dtype, type->shape.rank,
                                   type->shape.dims);
}

struct error *infer_clamp(struct arena *arena, struct op *op)
{
    for (int i = 0; i < 3; i++) {
        TRY(infer_check_classes(arena, op, i, INFER_ANY));
        TRY(infer_check_same_dtype(arena, op, 1, i));
        if (infer_check_type(op, i)->shape.rank != 0)
            TRY(infer_check_same_shape(arena, op, 1, i));
    }
    const struct type *type = infer_check_type(op, 1);
    return infer_check_result_dims(arena, op, 0, type->shape.dtype, type->shape.rank,
                                   type->shape.dims);
}

struct error *infer_complex(struct arena *arena, struct op *op)
{
    TRY(infer_check_classes(arena, op, 0, F));
    TRY(infer_check_classes(arena, op, 1, F));
    TRY(infer_check_same_shape(arena, op, 0, 1));
    TRY(infer_check_same_dtype(arena, op, 0, 1));
    enum dtype part = infer_check_type(op, 0)->shape.dtype;
    if (part != DTYPE_F32 && part != DTYPE_F64)
        return infer_check_bad(arena, op, "operands are %s; they must be f32 or f64",
                               dtype_name(part));
    return result_of_dtype(arena, op, part == DTYPE_F32 ? DTYPE_C64 : DTYPE_C128);
}

struct error *infer_convert(struct arena *arena, struct op *op)
{
    TRY(infer_check_tensor(arena, op, 0));
    TRY(infer_check_declared(arena, op, 0));
    return result_of_dtype(arena, op, op->results[0].type->shape.dtype);
}

static int bitcast_bits(enum dtype dtype)
{
    return dtype == DTYPE_PRED ? 1 : dtype_info(dtype)->bits;
}

/* Equal widths keep the sizes; a narrower result has an additional last dimension, a wider one
 * lacks the operand's last dimension. */
struct error *infer_bitcast_convert(struct arena *arena, struct op *op)
{
    TRY(infer_check_tensor(arena, op, 0));
    TRY(infer_check_declared(arena, op, 0));
    const struct type *from = infer_check_type(op, 0), *to = op->results[0].type;
    int from_bits = bitcast_bits(from->shape.dtype), to_bits = bitcast_bits(to->shape.dtype);
    if (from_bits == to_bits)
        return result_of_dtype(arena, op, to->shape.dtype);
    const struct type *wide = from_bits > to_bits ? from : to;
    const struct type *narrow = from_bits > to_bits ? to : from;
    int ratio = bitcast_bits(wide->shape.dtype) / bitcast_bits(narrow->shape.dtype);
    const struct type head = {.shape.rank = wide->shape.rank, .shape.dims = narrow->shape.dims};
    if (bitcast_bits(wide->shape.dtype) % bitcast_bits(narrow->shape.dtype) ||
        narrow->shape.rank != wide->shape.rank + 1 ||
        narrow->shape.dims[wide->shape.rank] != ratio || !type_same_shape(&head, wide))
        return infer_check_bad(arena, op, "%s cannot be bitcast to %s; the sizes do not match",
                               type_text(arena, from), type_text(arena, to));
    return NULL;
}

struct error *infer_constant(struct arena *arena, struct op *op)
{
    const struct literal *value = op->attrs.constant.value;
    if (!value || !value->type || (!value->bytes && type_bytes(value->type) != 0))
        return infer_check_bad(arena, op, "has no value");
    if (value->type->kind != TYPE_TENSOR)
        return infer_check_bad(arena, op, "the value is %s; it must be a tensor",
                               type_text(arena, value->type));
    return infer_check_result(arena, op, 0, value->type);
}
