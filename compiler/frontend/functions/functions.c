#include "compiler/frontend/functions/functions.h"

#include <math.h>
#include <string.h>

#include "compiler/frontend/functions/functions_complex.h"
#include "compiler/frontend/functions/functions_error.h"
#include "compiler/frontend/functions/functions_gamma.h"
#include "compiler/ir/along_dim.h"

#define N(number) functions_math_number(b, x, (number))

static V *negative(struct builder *b, V *x)
{
    return m_unary(b, OP_negate, x);
}

/* ---- real ------------------------------------------------------------------------------------ */

/* sign(x) * value; x itself where x is zero or NaN. */
static V *odd(struct builder *b, V *x, V *value)
{
    value = m_select(b, m_less(b, x, N(0)), negative(b, value), value);
    return m_select(b, build_compare(b, COMPARE_NE, x, N(0)), value, x);
}

static V *real_acos(struct builder *b, V *x)
{
    V *low = m_unary(b, OP_sqrt, m_sub(b, N(1), x)), *high = m_unary(b, OP_sqrt, m_add(b, N(1), x));
    return m_mul(b, N(2), build_binary(b, OP_atan2, low, high));
}

static V *real_asin(struct builder *b, V *x)
{
    V *root = m_unary(b, OP_sqrt, m_mul(b, m_sub(b, N(1), x), m_add(b, N(1), x)));
    return build_binary(b, OP_atan2, x, root);
}

static V *real_atan(struct builder *b, V *x)
{
    return build_binary(b, OP_atan2, x, N(1));
}

/* From here on the square may overflow, and adding 1 to it has no effect. */
static V *huge(struct builder *b, V *x)
{
    return N(functions_math_is_narrow(x) ? 1e15 : 1e150);
}

/* log(1 + a + a^2 / (1 + sqrt(a^2 + 1))) for a = |x|; log(2 a) where the square may overflow. */
static V *real_asinh(struct builder *b, V *x)
{
    V *a = m_unary(b, OP_abs, x), *square = m_mul(b, a, a);
    V *root = m_add(b, N(1), m_unary(b, OP_sqrt, m_add(b, square, N(1))));
    V *near = m_unary(b, OP_log_plus_one, m_add(b, a, m_div(b, square, root)));
    V *far = m_add(b, m_unary(b, OP_log, a), N(0.69314718055994530942));
    return odd(b, x, m_select(b, m_less(b, a, huge(b, x)), near, far));
}

static V *real_acosh(struct builder *b, V *x)
{
    V *t = m_sub(b, x, N(1));
    V *root = m_unary(b, OP_sqrt, m_mul(b, t, m_add(b, t, N(2))));
    V *near = m_unary(b, OP_log_plus_one, m_add(b, t, root));
    V *far = m_add(b, m_unary(b, OP_log, x), N(0.69314718055994530942));
    V *value = m_select(b, m_less(b, x, huge(b, x)), near, far);
    return m_select(b, m_less(b, x, N(1)), N(__builtin_nan("")), value);
}

static V *real_atanh(struct builder *b, V *x)
{
    V *difference =
        m_sub(b, m_unary(b, OP_log_plus_one, x), m_unary(b, OP_log_plus_one, negative(b, x)));
    return m_select(b, m_equal(b, x, N(0)), x, m_mul(b, N(0.5), difference));
}

/* exp(|x| / 2): overflows only where the result of sinh or cosh does. */
static V *half_power(struct builder *b, V *x)
{
    return m_unary(b, OP_exponential, m_mul(b, N(0.5), m_unary(b, OP_abs, x)));
}

static V *real_cosh(struct builder *b, V *x)
{
    V *e = half_power(b, x), *half = m_mul(b, N(0.5), e);
    return m_add(b, m_mul(b, half, e), m_div(b, m_div(b, N(0.5), e), e));
}

static V *real_sinh(struct builder *b, V *x)
{
    V *a = m_unary(b, OP_abs, x), *less = m_unary(b, OP_exponential_minus_one, a);
    V *near = m_mul(b, N(0.5), m_add(b, less, m_div(b, less, m_add(b, less, N(1)))));
    V *e = half_power(b, x), *half = m_mul(b, N(0.5), e);
    V *far = m_sub(b, m_mul(b, half, e), m_div(b, m_div(b, N(0.5), e), e));
    return odd(b, x, m_select(b, m_less(b, a, N(1)), near, far));
}

/* ---- complex --------------------------------------------------------------------------------- */

static V *part(struct builder *b, V *z, enum op_code code)
{
    return m_unary(b, code, z);
}

static V *pair(struct builder *b, V *re, V *im)
{
    return build_binary(b, OP_complex, re, im);
}

static V *conjugate(struct builder *b, V *z)
{
    return pair(b, part(b, z, OP_real), negative(b, part(b, z, OP_imag)));
}

static V *complex_sinh(struct builder *b, V *z)
{
    V *x = part(b, z, OP_real), *y = part(b, z, OP_imag);
    return pair(b, m_mul(b, real_sinh(b, x), m_unary(b, OP_cosine, y)),
                m_mul(b, real_cosh(b, x), m_unary(b, OP_sine, y)));
}

static V *complex_cosh(struct builder *b, V *z)
{
    V *x = part(b, z, OP_real), *y = part(b, z, OP_imag);
    return pair(b, m_mul(b, real_cosh(b, x), m_unary(b, OP_cosine, y)),
                m_mul(b, real_sinh(b, x), m_unary(b, OP_sine, y)));
}

/* ---- functions computed in the type of their operands ---------------------------------------- */

static V *own_square(struct builder *b, V *x, V *unused)
{
    (void)unused;
    return m_mul(b, x, x);
}

static V *own_tan(struct builder *b, V *x, V *unused)
{
    (void)unused;
    return m_unary(b, OP_tan, x);
}

static V *own_conj(struct builder *b, V *x, V *unused)
{
    (void)unused;
    return dtype_is_complex(x->type->shape.dtype) ? conjugate(b, x) : x;
}

static V *own_is_inf(struct builder *b, V *x, V *unused)
{
    (void)unused;
    return m_equal(b, m_unary(b, OP_abs, x), N(INFINITY));
}

static V *own_is_pos_inf(struct builder *b, V *x, V *unused)
{
    (void)unused;
    return m_equal(b, x, N(INFINITY));
}

static V *own_is_neg_inf(struct builder *b, V *x, V *unused)
{
    (void)unused;
    return m_equal(b, x, N(-INFINITY));
}

/* The bits of floats of the same sign are ordered as the floats: add or subtract 1. */
static V *own_next_after(struct builder *b, V *x, V *y)
{
    static const enum dtype bits[] = {
        [1] = DTYPE_U8, [2] = DTYPE_U16, [4] = DTYPE_U32, [8] = DTYPE_U64};
    struct arena *arena = b->module->arena;
    int bytes = dtype_bytes(x->type->shape.dtype);
    const struct type *type = type_with_dtype(arena, x->type, bits[bytes]);
    V *from = build_declared(b, OP_bitcast_convert, 1, &x, type, NULL);
    V *one = build_splat(b, type, 1), *top = build_splat(b, type, ldexp(1, 8 * bytes - 1));
    V *inward = build_compare(b, COMPARE_LT, y, x);
    V *is_negative = m_less(b, x, N(0));
    inward = build_binary(b, OP_xor, inward, is_negative);
    V *next = m_select(b, inward, m_sub(b, from, one), m_add(b, from, one));
    V *sign = m_select(b, m_less(b, y, N(0)), top, build_splat(b, type, 0));
    next = m_select(b, m_equal(b, x, N(0)), build_binary(b, OP_or, sign, one), next);
    V *value = next ? build_declared(b, OP_bitcast_convert, 1, &next, x->type, NULL) : NULL;
    V *numbers = build_binary(b, OP_and, m_equal(b, x, x), m_equal(b, y, y));
    value = m_select(b, numbers, value, m_add(b, x, y));
    return m_select(b, m_equal(b, x, y), y, value);
}

/* ---- the high half of a product -------------------------------------------------------------- */

static bool is_signed(enum dtype dtype)
{
    return dtype_info(dtype)->class == CLASS_SIGNED;
}

static V *shifted(struct builder *b, V *value, int bits)
{
    enum op_code code =
        is_signed(value->type->shape.dtype) ? OP_shift_right_arithmetic : OP_shift_right_logical;
    return build_binary(b, code, value, build_splat(b, value->type, bits));
}

/* Multiplies in twice as many bits. */
static V *high_narrow(struct builder *b, V *x, V *y)
{
    static const enum dtype wide[][2] = {{DTYPE_U8, DTYPE_S8},
                                         {DTYPE_U16, DTYPE_S16},
                                         {DTYPE_U32, DTYPE_S32},
                                         {DTYPE_U64, DTYPE_S64}};
    enum dtype dtype = x->type->shape.dtype;
    int bits = dtype_info(dtype)->bits;
    enum dtype to = wide[bits <= 4 ? 0 : bits == 8 ? 1 : bits == 16 ? 2 : 3][is_signed(dtype)];
    V *product = m_mul(b, build_convert(b, x, to), build_convert(b, y, to));
    return build_convert(b, shifted(b, product, bits), dtype);
}

/* Multiplies halves: (xh 2^32 + xl)(yh 2^32 + yl), all unsigned. */
static V *high_unsigned(struct builder *b, V *x, V *y)
{
    V *mask = N(4294967295.0);
    V *xl = build_binary(b, OP_and, x, mask), *xh = shifted(b, x, 32);
    V *yl = build_binary(b, OP_and, y, mask), *yh = shifted(b, y, 32);
    V *low = m_mul(b, xl, yl);
    V *middle = m_add(b, m_mul(b, xh, yl), shifted(b, low, 32));
    V *other = m_add(b, m_mul(b, xl, yh), build_binary(b, OP_and, middle, mask));
    return m_add(b, m_mul(b, xh, yh), m_add(b, shifted(b, middle, 32), shifted(b, other, 32)));
}

static V *own_mulhi(struct builder *b, V *x, V *y)
{
    enum dtype dtype = x->type->shape.dtype;
    if (dtype_info(dtype)->bits < 64)
        return high_narrow(b, x, y);
    if (!is_signed(dtype))
        return high_unsigned(b, x, y);
    /* as unsigned, a negative factor is larger by 2^64; subtract what that adds to the high half */
    V *high = high_unsigned(b, build_convert(b, x, DTYPE_U64), build_convert(b, y, DTYPE_U64));
    V *excess = m_add(b, build_binary(b, OP_and, shifted(b, x, 63), y),
                      build_binary(b, OP_and, shifted(b, y, 63), x));
    return m_sub(b, build_convert(b, high, DTYPE_S64), excess);
}

/* ---- the table ------------------------------------------------------------------------------- */

enum accepted {
    FLOATS = 1,
    COMPLEX = 2,
    INTEGERS = 4,
    NARROW = 8 /* floats of up to 32 bits are computed in f32, for a formula that is as accurate */
};

struct row {
    const char *name;
    unsigned accepted; /* bits of enum accepted: element types, and how they are computed */
    V *(*real)(struct builder *b, V *x);
    V *(*complex)(struct builder *b, V *z);
    V *(*two)(struct builder *b, V *x, V *y); /* of f64 or f32 */
    V *(*own)(struct builder *b, V *x, V *y); /* of the operands' type; `y` is NULL if count is 1 */
    int count;                                /* operands */
};

static const struct row rows[] = {
    {"acos", FLOATS | COMPLEX, real_acos, functions_complex_acos, NULL, NULL, 1},
    {"acosh", FLOATS | COMPLEX | NARROW, real_acosh, functions_complex_acosh, NULL, NULL, 1},
    {"asin", FLOATS | COMPLEX, real_asin, functions_complex_asin, NULL, NULL, 1},
    {"asinh", FLOATS | COMPLEX | NARROW, real_asinh, functions_complex_asinh, NULL, NULL, 1},
    {"atan", FLOATS | COMPLEX, real_atan, functions_complex_atan, NULL, NULL, 1},
    {"atanh", FLOATS | COMPLEX | NARROW, real_atanh, functions_complex_atanh, NULL, NULL, 1},
    {"bessel_i1e", FLOATS | NARROW, functions_error_bessel_i1e, NULL, NULL, NULL, 1},
    {"conj", FLOATS | COMPLEX, NULL, NULL, NULL, own_conj, 1},
    {"cosh", FLOATS | COMPLEX | NARROW, real_cosh, complex_cosh, NULL, NULL, 1},
    {"digamma", FLOATS, functions_gamma_digamma, NULL, NULL, NULL, 1},
    {"erf_inv", FLOATS | NARROW, functions_error_erf_inv, NULL, NULL, NULL, 1},
    {"erfc", FLOATS | NARROW, functions_error_erfc, NULL, NULL, NULL, 1},
    {"is_inf", FLOATS, NULL, NULL, NULL, own_is_inf, 1},
    {"is_neg_inf", FLOATS, NULL, NULL, NULL, own_is_neg_inf, 1},
    {"is_pos_inf", FLOATS, NULL, NULL, NULL, own_is_pos_inf, 1},
    {"lgamma", FLOATS, functions_gamma_lgamma, NULL, NULL, NULL, 1},
    {"mulhi", INTEGERS, NULL, NULL, NULL, own_mulhi, 2},
    {"next_after", FLOATS, NULL, NULL, NULL, own_next_after, 2},
    {"polygamma", FLOATS, NULL, NULL, functions_gamma_polygamma, NULL, 2},
    {"sinh", FLOATS | COMPLEX | NARROW, real_sinh, complex_sinh, NULL, NULL, 1},
    {"square", FLOATS | COMPLEX | INTEGERS, NULL, NULL, NULL, own_square, 1},
    {"tan", FLOATS | COMPLEX, NULL, NULL, NULL, own_tan, 1},
    {"zeta", FLOATS | NARROW, NULL, NULL, functions_gamma_zeta, NULL, 2},
};

static const struct row *find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

bool functions_is_known(const char *name)
{
    return find(name) != NULL;
}

static bool accepts(const struct row *row, enum dtype dtype)
{
    return (row->accepted & FLOATS && dtype_is_float(dtype)) ||
           (row->accepted & COMPLEX && dtype_is_complex(dtype)) ||
           (row->accepted & INTEGERS && dtype_is_integer(dtype) && dtype != DTYPE_PRED);
}

static struct error *check(struct arena *arena, const struct row *row, int count,
                           struct value *const *operands)
{
    if (count != row->count)
        return ERROR(INVALID_ARGUMENT, "%s has %d operands; it must have %d", row->name, count,
                     row->count);
    for (int i = 0; i < count; i++)
        if (operands[i]->type->kind != TYPE_TENSOR || operands[i]->type->quantization ||
            !accepts(row, operands[i]->type->shape.dtype) ||
            !type_same(operands[i]->type, operands[0]->type))
            return ERROR(
                INVALID_ARGUMENT,
                "operand %d of %s is %s; operands must have the same type with elements of "
                "type%s%s%s",
                i, row->name, type_text(arena, operands[i]->type),
                row->accepted & FLOATS ? " float" : "", row->accepted & COMPLEX ? " complex" : "",
                row->accepted & INTEGERS ? " integer" : "");
    return NULL;
}

/* The element type in which a function is computed. */
static enum dtype computed_dtype(const struct row *row, enum dtype dtype)
{
    if (dtype_is_complex(dtype))
        return DTYPE_C128;
    return row->accepted & NARROW && dtype_bytes(dtype) <= 4 ? DTYPE_F32 : DTYPE_F64;
}

struct error *functions_apply(struct builder *b, const char *name, int count,
                              struct value *const *operands, struct value **out)
{
    const struct row *row = find(name);
    TRY(check(b->module->arena, row, count, operands));
    enum dtype dtype = operands[0]->type->shape.dtype;
    V *in[2] = {operands[0], count > 1 ? operands[1] : NULL}, *value;
    if (row->own) {
        value = row->own(b, in[0], in[1]);
    } else {
        bool complex = dtype_is_complex(dtype);
        for (int i = 0; i < count; i++)
            in[i] = build_convert(b, in[i], computed_dtype(row, dtype));
        value =
            row->two ? row->two(b, in[0], in[1]) : (complex ? row->complex : row->real)(b, in[0]);
        value = build_convert(b, value, dtype);
    }
    *out = value;
    return build_check(b->module, value);
}

/* ---- top k ----------------------------------------------------------------------------------- */

/* A comparator of (value, value, index, index) that compares the values. */
static void compare_block(struct builder *b, struct op *sort, bool largest)
{
    struct arena *arena = b->module->arena;
    enum dtype dtype = sort->operands[0]->type->shape.dtype;
    const struct type *value = type_scalar(arena, dtype), *index = type_scalar(arena, DTYPE_S32);
    const struct type *types[] = {value, value, index, index};
    struct block *block = ir_block(b->module, b->block->func, sort, 4, types);
    struct builder inner = {b->module, block, NULL, b->location};
    struct value *operands[] = {&block->arguments[0], &block->arguments[1]};
    union attrs attrs = {.compare = {.comparison_direction = largest ? COMPARE_GT : COMPARE_LT}};
    if (dtype_is_float(dtype))
        attrs.compare.compare_type = COMPARE_TOTALORDER;
    struct value *before = build_declared(&inner, OP_compare, 2, operands, NULL, &attrs);
    build_return(&inner, 1, &before);
    sort->regions[0] = block;
}

struct error *functions_top_k(struct builder *b, struct value *operand, int64_t k, bool largest,
                              struct value *out[2])
{
    struct arena *arena = b->module->arena;
    const struct type *type = operand->type;
    if (type->kind != TYPE_TENSOR || type->shape.rank < 1 || k < 0 ||
        k > type->shape.dims[type->shape.rank - 1] || dtype_is_complex(type->shape.dtype))
        return ERROR(
            INVALID_ARGUMENT,
            "k is %lld and the operand is %s; the operand must be a tensor of real numbers "
            "with rank >= 1 and k in [0, last size]",
            (long long)k, type_text(arena, type));
    const struct type *types[] = {type, type_with_dtype(arena, type, DTYPE_S32)};
    struct value *operands[] = {operand, build_iota(b, types[1], type->shape.rank - 1)};
    struct op *sort = ir_op(b->module, OP_sort, 2, operands, 2, types, 1);
    sort->attrs.sort.dimension = type->shape.rank - 1;
    sort->attrs.sort.is_stable = true;
    sort->location = b->location;
    ir_append(b->block, sort);
    compare_block(b, sort, largest);
    for (int i = 0; i < 2; i++)
        out[i] = along_dim_slice(b, &sort->results[i], type->shape.rank - 1, 0, k);
    return build_check(b->module, out[0]);
}
