#include "compiler/passes/fold/fold_eval.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/fpu.h"
#include "compiler/analysis/constants.h"
#include "compiler/schedule/access.h"

/* ---- integers and pred ----------------------------------------------------------------------- */

/* Stores the low bits of an int64 as an element; sub-byte types take a byte, sign-extended if
 * signed. */
static void store_int(enum dtype dtype, int64_t value, void *out)
{
    int bits = dtype_info(dtype)->bits;
    if (dtype == DTYPE_PRED)
        value = value != 0;
    else if (bits < 64) {
        value = (int64_t)((uint64_t)value << (64 - bits));
        value = dtype_info(dtype)->class == CLASS_SIGNED
                    ? value >> (64 - bits)
                    : (int64_t)((uint64_t)value >> (64 - bits));
    }
    memcpy(out, &value, (size_t)dtype_bytes(dtype));
}

static int64_t power_int(int64_t base, int64_t exponent)
{
    uint64_t result = 1, square = (uint64_t)base;
    for (uint64_t left = (uint64_t)exponent; left; left >>= 1, square *= square)
        if (left & 1)
            result *= square;
    return (int64_t)result;
}

/* A shift by at least the number of bits gives 0 or the sign. */
static int64_t shift_int(enum op_code code, int64_t a, uint64_t amount, int bits)
{
    uint64_t mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    bool beyond = amount >= (uint64_t)bits;
    if (code == OP_shift_left)
        return beyond ? 0 : (int64_t)((uint64_t)a << amount);
    if (code == OP_shift_right_logical)
        return beyond ? 0 : (int64_t)(((uint64_t)a & mask) >> amount);
    if (!((uint64_t)a >> (bits - 1) & 1)) /* arithmetic, sign bit clear */
        return beyond ? 0 : (int64_t)(((uint64_t)a & mask) >> amount);
    int64_t extended = (int64_t)((uint64_t)a | ~mask);
    return extended >> (beyond ? 63 : amount);
}

static bool eval_int_unary(enum op_code code, enum dtype dtype, int64_t a, int64_t *out)
{
    int bits = dtype_info(dtype)->bits;
    uint64_t mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    bool is_signed = dtype_info(dtype)->class == CLASS_SIGNED;
    switch (code) {
    case OP_negate: *out = (int64_t)(0 - (uint64_t)a); return true;
    case OP_not: *out = dtype == DTYPE_PRED ? !a : ~a; return true;
    case OP_abs: *out = is_signed && a < 0 ? (int64_t)(0 - (uint64_t)a) : a; return true;
    case OP_sign: *out = a == 0 ? 0 : is_signed && a < 0 ? -1 : 1; return true;
    case OP_popcnt: *out = __builtin_popcountll((uint64_t)a & mask); return true;
    case OP_count_leading_zeros:
        *out = ((uint64_t)a & mask) ? __builtin_clzll((uint64_t)a & mask) - (64 - bits) : bits;
        return true;
    default: return false;
    }
}

/* Division by zero is not evaluated. */
static bool divide_int(enum op_code code, bool is_signed, int64_t a, int64_t b, int64_t *out)
{
    if (b == 0)
        return false;
    if (is_signed && b == -1)
        *out = code == OP_divide ? (int64_t)(0 - (uint64_t)a) : 0;
    else if (is_signed)
        *out = code == OP_divide ? a / b : a % b;
    else
        *out = (int64_t)(code == OP_divide ? (uint64_t)a / (uint64_t)b : (uint64_t)a % (uint64_t)b);
    return true;
}

static bool eval_int_binary(enum op_code code, enum dtype dtype, int64_t a, int64_t b, int64_t *out)
{
    bool pred = dtype == DTYPE_PRED, is_signed = dtype_info(dtype)->class == CLASS_SIGNED;
    bool less = is_signed ? a < b : (uint64_t)a < (uint64_t)b;
    switch (code) {
    case OP_add: *out = pred ? a | b : (int64_t)((uint64_t)a + (uint64_t)b); return true;
    case OP_subtract: *out = (int64_t)((uint64_t)a - (uint64_t)b); return !pred;
    case OP_multiply: *out = (int64_t)((uint64_t)a * (uint64_t)b); return true;
    case OP_divide:
    case OP_remainder: return !pred && divide_int(code, is_signed, a, b, out);
    case OP_power: *out = power_int(a, b); return !is_signed || b >= 0;
    case OP_maximum: *out = less ? b : a; return true;
    case OP_minimum: *out = less ? a : b; return true;
    case OP_and: *out = a & b; return true;
    case OP_or: *out = a | b; return true;
    case OP_xor: *out = a ^ b; return true;
    case OP_shift_left:
    case OP_shift_right_arithmetic:
    case OP_shift_right_logical:
        *out = shift_int(code, a,
                         (uint64_t)b & (dtype_info(dtype)->bits < 64
                                            ? ((uint64_t)1 << dtype_info(dtype)->bits) - 1
                                            : UINT64_MAX),
                         dtype_info(dtype)->bits);
        return !pred;
    default: return false;
    }
}

static bool compare_ordered(enum comparison direction, bool less, bool equal)
{
    switch (direction) {
    case COMPARE_EQ: return equal;
    case COMPARE_NE: return !equal;
    case COMPARE_GE: return !less;
    case COMPARE_GT: return !less && !equal;
    case COMPARE_LE: return less || equal;
    case COMPARE_LT: return less;
    }
    return false;
}

static bool eval_int(const struct op *op, enum dtype dtype, const void *const *operands,
                     enum dtype out_dtype, void *out)
{
    int64_t a = dtype_to_int64(dtype, operands[0]), result = 0;
    if (op->operand_count == 1) {
        if (!eval_int_unary(op->code, dtype, a, &result))
            return false;
        store_int(out_dtype, result, out);
        return true;
    }
    int64_t b = dtype_to_int64(dtype, operands[1]);
    if (op->code == OP_compare) {
        bool is_signed = dtype_info(dtype)->class == CLASS_SIGNED;
        bool less = is_signed ? a < b : (uint64_t)a < (uint64_t)b;
        store_int(DTYPE_PRED, compare_ordered(op->attrs.compare.comparison_direction, less, a == b),
                  out);
        return true;
    }
    if (op->code == OP_clamp) { /* lowest, value, highest */
        int64_t c = dtype_to_int64(dtype, operands[2]);
        if (!eval_int_binary(OP_maximum, dtype, b, a, &result) ||
            !eval_int_binary(OP_minimum, dtype, result, c, &result))
            return false;
    } else if (op->operand_count != 2 || !eval_int_binary(op->code, dtype, a, b, &result))
        return false;
    store_int(out_dtype, result, out);
    return true;
}

/* ---- floats ---------------------------------------------------------------------------------- */

/* Denormals of these types are zero if the processor flushes them; those of narrower types are
 * normal f32 numbers. */
static double flushed(enum dtype dtype, double value)
{
    double least = dtype == DTYPE_F64                          ? DBL_MIN
                   : dtype == DTYPE_F32 || dtype == DTYPE_BF16 ? (double)FLT_MIN
                                                               : 0;
    return fabs(value) < least && fpu_flushes() ? copysign(0, value) : value;
}

static double load(enum dtype dtype, const void *element)
{
    return flushed(dtype, dtype_to_double(dtype, element));
}

/* Changes the sign bit, which preserves denormals and the payload of NaN. */
static bool eval_sign_bit(enum op_code code, enum dtype dtype, const void *operand, void *out)
{
    bool fits =
        dtype == DTYPE_F64 || dtype == DTYPE_F32 || dtype == DTYPE_F16 || dtype == DTYPE_BF16;
    if (!fits || (code != OP_negate && code != OP_abs))
        return false;
    size_t size = (size_t)dtype_bytes(dtype);
    unsigned char *top = (unsigned char *)out + size - 1; /* little-endian */
    memcpy(out, operand, size);
    *top = code == OP_abs ? *top & 0x7F : *top ^ 0x80;
    return true;
}

static double max_float(double a, double b)
{
    if (isnan(a) || isnan(b))
        return NAN;
    if (a == b)
        return signbit(a) ? b : a;
    return a > b ? a : b;
}

static double min_float(double a, double b)
{
    if (isnan(a) || isnan(b))
        return NAN;
    if (a == b)
        return signbit(a) ? a : b;
    return a < b ? a : b;
}

static bool eval_float_unary(enum op_code code, double a, double *out)
{
    switch (code) {
    case OP_negate: *out = -a; return true;
    case OP_abs: *out = fabs(a); return true;
    case OP_sign: *out = isnan(a) || a == 0 ? a : a < 0 ? -1 : 1; return true;
    case OP_floor: *out = floor(a); return true;
    case OP_ceil: *out = ceil(a); return true;
    case OP_round_nearest_even: *out = nearbyint(a); return true;
    case OP_round_nearest_afz: *out = round(a); return true;
    default: return false;
    }
}

/* Results that may need rounding are computed in the precision of the type. */
static bool eval_float_rounding(enum op_code code, bool wide, double a, double b, double *out)
{
    float fa = (float)a, fb = (float)b;
    switch (code) {
    case OP_add: *out = wide ? a + b : (double)(fa + fb); return true;
    case OP_subtract: *out = wide ? a - b : (double)(fa - fb); return true;
    case OP_multiply: *out = wide ? a * b : (double)(fa * fb); return true;
    case OP_divide: *out = wide ? a / b : (double)(fa / fb); return true;
    case OP_maximum: *out = max_float(a, b); return true;
    case OP_minimum: *out = min_float(a, b); return true;
    case OP_sqrt: *out = wide ? sqrt(a) : (double)sqrtf(fa); return true;
    default: return false;
    }
}

static bool eval_float(const struct op *op, enum dtype dtype, const void *const *operands,
                       enum dtype out_dtype, void *out)
{
    bool wide = dtype == DTYPE_F64;
    double a = load(dtype, operands[0]), result;
    double b = op->operand_count > 1 ? load(dtype, operands[1]) : 0;
    if (eval_sign_bit(op->code, dtype, operands[0], out))
        return true;
    if (op->code == OP_is_finite) {
        store_int(DTYPE_PRED, isfinite(a), out);
        return true;
    }
    if (op->code == OP_compare) {
        bool unordered = isnan(a) || isnan(b);
        enum comparison direction = op->attrs.compare.comparison_direction;
        if (op->attrs.compare.compare_type == COMPARE_TOTALORDER)
            return false;
        store_int(DTYPE_PRED,
                  unordered ? direction == COMPARE_NE : compare_ordered(direction, a < b, a == b),
                  out);
        return true;
    }
    if (op->code == OP_clamp)
        result = min_float(max_float(b, a), load(dtype, operands[2]));
    else if (op->operand_count == 1 && eval_float_unary(op->code, a, &result))
        ; /* exact in every precision */
    else if (op->operand_count > 2 || !eval_float_rounding(op->code, wide, a, b, &result))
        return false;
    dtype_from_double(out_dtype, flushed(dtype, result), out);
    return true;
}

/* ---- conversions ----------------------------------------------------------------------------- */

static bool convert_int(enum dtype from, int64_t value, enum dtype to, void *out)
{
    if (!dtype_is_float(to)) {
        store_int(to, value, out);
        return true;
    }
    bool exact = value >= -((int64_t)1 << 53) && value <= (int64_t)1 << 53;
    if (dtype_info(from)->class == CLASS_UNSIGNED && value < 0)
        return false; /* a u64 beyond int64 */
    if (!exact && to != DTYPE_F64 && to != DTYPE_F32)
        return false;
    if (to == DTYPE_F32)
        dtype_from_double(to, (double)(float)value, out);
    else
        dtype_from_double(to, (double)value, out);
    return true;
}

/* Rounds toward zero; values out of range are not evaluated. */
static bool convert_float_to_int(double value, enum dtype to, void *out)
{
    int bits = dtype_info(to)->bits;
    bool is_signed = dtype_info(to)->class == CLASS_SIGNED;
    double limit = ldexp(1, is_signed ? bits - 1 : bits < 63 ? bits : 63);
    value = trunc(value);
    if (!(value < limit && value >= (is_signed ? -limit : 0)))
        return false;
    store_int(to, (int64_t)value, out);
    return true;
}

/* True for conversions that are shifts of bits, which preserve denormals. */
static bool moves_bits(enum dtype from, enum dtype to)
{
    return (from == DTYPE_BF16 && to == DTYPE_F32) || (from == DTYPE_F32 && to == DTYPE_BF16) ||
           (from == to && dtype_is_float(from));
}

static bool eval_moved_bits(enum dtype from, const void *operand, enum dtype to, void *out)
{
    uint32_t bits = 0;
    if (from == to) {
        memcpy(out, operand, (size_t)dtype_bytes(from));
    } else if (from == DTYPE_BF16) {
        memcpy((char *)&bits + 2, operand, 2);
        memcpy(out, &bits, sizeof bits);
    } else {
        memcpy(&bits, operand, sizeof bits);
        bool nan = (bits & 0x7FFFFFFF) > 0x7F800000;
        bits = nan ? bits | 0x400000 : bits + 0x7FFF + (bits >> 16 & 1);
        memcpy(out, (char *)&bits + 2, 2);
    }
    return true;
}

static bool eval_convert(enum dtype from, const void *operand, enum dtype to, void *out)
{
    if (dtype_is_complex(from) || dtype_is_complex(to))
        return false;
    if (!dtype_is_float(from))
        return convert_int(from, dtype_to_int64(from, operand), to, out);
    if (moves_bits(from, to))
        return eval_moved_bits(from, operand, to, out);
    double value = load(from, operand);
    if (to == DTYPE_PRED) {
        store_int(to, value != 0, out);
        return true;
    }
    if (dtype_is_integer(to))
        return convert_float_to_int(value, to, out);
    dtype_from_double(to, flushed(to, value), out);
    return true;
}

bool fold_eval_element(const struct op *op, enum dtype dtype, const void *const *operands,
                       enum dtype out_dtype, void *out)
{
    if (op->code == OP_convert)
        return eval_convert(dtype, operands[0], out_dtype, out);
    if (dtype_is_float(dtype))
        return eval_float(op, dtype, operands, out_dtype, out);
    if (dtype_is_integer(dtype) || dtype == DTYPE_PRED)
        return eval_int(op, dtype, operands, out_dtype, out);
    return false;
}

/* ---- whole literals -------------------------------------------------------------------------- */

/* Evaluates element i; select copies bytes, other operations use numbers. */
static bool eval_at(const struct op *op, const struct literal *const *operands, int64_t i,
                    enum dtype out_dtype, void *out)
{
    const void *elements[FOLD_EVAL_MAX_OPERANDS];
    for (int k = 0; k < op->operand_count; k++)
        elements[k] = literal_at(operands[k], operands[k]->type->shape.rank == 0 ? 0 : i);
    if (op->code != OP_select)
        return fold_eval_element(op, operands[0]->type->shape.dtype, elements, out_dtype, out);
    memcpy(out, *(const unsigned char *)elements[0] ? elements[1] : elements[2],
           (size_t)dtype_bytes(out_dtype));
    return true;
}

static const struct literal *eval_elementwise(struct arena *arena, const struct op *op,
                                              const struct literal *const *operands)
{
    const struct type *type = op->results[0].type;
    size_t size = (size_t)dtype_bytes(type->shape.dtype);
    bool splat = true;
    if (op->operand_count > FOLD_EVAL_MAX_OPERANDS)
        return NULL;
    for (int k = 0; k < op->operand_count; k++)
        splat &= operands[k]->splat || operands[k]->type->shape.rank == 0;
    int64_t count = splat ? 1 : type_elements(type);
    if (count > FOLD_EVAL_MAX_ELEMENTS || type_elements(type) == 0)
        return NULL;
    char *bytes = arena_alloc(arena, (size_t)count * size);
    for (int64_t i = 0; i < count; i++)
        if (!eval_at(op, operands, i, type->shape.dtype, bytes + (size_t)i * size))
            return NULL;
    return splat ? literal_splat(arena, type, bytes) : literal_dense(arena, type, bytes);
}

/* The source of a result's element: offset + sum of index * stride, in elements. */
struct mapping {
    int64_t offset, stride[SHAPE_MAX_RANK];
};

static struct mapping mapping_of(const struct op *op, const struct type *from)
{
    struct mapping map = {0};
    int64_t strides[SHAPE_MAX_RANK] = {0};
    type_strides(from, strides);
    for (int i = 0; i < from->shape.rank; i++) {
        struct access access = access_of(op, 0, i);
        map.offset += strides[i] * access.offset;
        if (access.kind == ACCESS_INDEX)
            map.stride[access.dim] = strides[i] * access.scale;
    }
    return map;
}

static const struct literal *move_elements(struct arena *arena, const struct type *type,
                                           const struct literal *from, const struct mapping *map)
{
    int64_t count = type_elements(type), index[SHAPE_MAX_RANK] = {0};
    size_t size = (size_t)dtype_bytes(type->shape.dtype);
    char *bytes = arena_alloc(arena, (size_t)count * size);
    for (int64_t i = 0; i < count; i++) {
        int64_t source = map->offset;
        for (int k = 0; k < type->shape.rank; k++)
            source += index[k] * map->stride[k];
        memcpy(bytes + (size_t)i * size, literal_at(from, source), size);
        for (int k = type->shape.rank - 1; k >= 0 && ++index[k] == type->shape.dims[k]; k--)
            index[k] = 0;
    }
    return literal_dense(arena, type, bytes);
}

/* Larger broadcasts of literals that are not splats are not evaluated, since they would only repeat
 * elements in memory. */
static const struct literal *eval_moving(struct arena *arena, const struct op *op,
                                         const struct literal *from)
{
    const struct type *type = op->results[0].type;
    int64_t count = type_elements(type);
    if (count == 0)
        return NULL;
    if (from->splat || from->type->shape.rank == 0)
        return literal_splat(arena, type, from->bytes);
    if (op->code == OP_reshape)
        return literal_dense(arena, type, from->bytes);
    if (count > (op->code == OP_broadcast_in_dim ? 64 : FOLD_EVAL_MAX_ELEMENTS))
        return NULL;
    struct mapping map = mapping_of(op, from->type);
    return move_elements(arena, type, from, &map);
}

/* A window of a constant; its start indices are clamped so that it lies inside. */
static const struct literal *eval_dynamic_slice(struct arena *arena, const struct op *op,
                                                const struct literal *const *operands)
{
    const struct literal *from = operands[0];
    const struct type *type = op->results[0].type;
    struct mapping map = {0};
    if (type_elements(type) == 0 || type_elements(type) > FOLD_EVAL_MAX_ELEMENTS || from->splat)
        return from->splat ? literal_splat(arena, type, from->bytes) : NULL;
    type_strides(from->type, map.stride);
    for (int i = 0; i < type->shape.rank; i++) {
        int64_t last = from->type->shape.dims[i] - type->shape.dims[i];
        map.offset += map.stride[i] * constants_start(operands[1 + i], last);
    }
    return move_elements(arena, type, from, &map);
}

/* Whether all elements of all operands are equal. */
static bool are_one_splat(int count, const struct literal *const *operands, size_t size)
{
    for (int i = 0; i < count; i++)
        if (!operands[i]->splat || memcmp(operands[i]->bytes, operands[0]->bytes, size))
            return false;
    return true;
}

/* Concatenations of equal elements, and along the outermost dimension, where the operands follow
 * one another: of sizes and start indices. */
static const struct literal *eval_concatenate(struct arena *arena, const struct op *op,
                                              const struct literal *const *operands)
{
    const struct type *type = op->results[0].type;
    size_t size = (size_t)dtype_bytes(type->shape.dtype), at = 0;
    if (are_one_splat(op->operand_count, operands, size))
        return literal_splat(arena, type, operands[0]->bytes);
    if (op->attrs.dimension.dimension != 0 || type_elements(type) > FOLD_EVAL_MAX_ELEMENTS)
        return NULL;
    char *bytes = arena_alloc(arena, (size_t)type_bytes(type));
    for (int k = 0; k < op->operand_count; k++)
        for (int64_t i = 0; i < type_elements(operands[k]->type); i++, at += size)
            memcpy(bytes + at, literal_at(operands[k], i), size);
    return literal_dense(arena, type, bytes);
}

/* The same bytes with another type. */
static const struct literal *eval_bitcast(struct arena *arena, const struct op *op,
                                          const struct literal *from)
{
    const struct type *type = op->results[0].type;
    const struct dtype_info *a = dtype_info(from->type->shape.dtype),
                            *b = dtype_info(type->shape.dtype);
    if (a->bits != b->bits || a->bits < 8 || from->type->shape.dtype == DTYPE_PRED ||
        type->shape.dtype == DTYPE_PRED)
        return NULL;
    return from->splat ? literal_splat(arena, type, from->bytes)
                       : literal_dense(arena, type, from->bytes);
}

const struct literal *fold_eval_op(struct arena *arena, const struct op *op,
                                   const struct literal *const *operands)
{
    if (op->result_count != 1 || op->operand_count < 1 || op->results[0].type->kind != TYPE_TENSOR)
        return NULL;
    if (op_info(op->code)->traits & OP_ELEMENTWISE)
        return op->code == OP_copy ? NULL : eval_elementwise(arena, op, operands);
    switch (op->code) {
    case OP_reshape:
    case OP_transpose:
    case OP_broadcast_in_dim:
    case OP_slice:
    case OP_reverse: return eval_moving(arena, op, operands[0]);
    case OP_dynamic_slice: return eval_dynamic_slice(arena, op, operands);
    case OP_concatenate: return eval_concatenate(arena, op, operands);
    case OP_bitcast_convert: return eval_bitcast(arena, op, operands[0]);
    default: return NULL;
    }
}
