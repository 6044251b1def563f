/* elementwise_test.c: arithmetic of every element type against dtype.h's reference conversions and
 * plain C. */
#include "base/fpu.h"
#include "compiler/codegen/codegen_fixture.h"
#include "compiler/passes/fold/fold_eval.h"

enum { COUNT = 67 };

/* One operation on elements of a type, compiled. Released by operation_release(). */
struct operation {
    struct fixture *fixture;
    struct fixture_kernel kernel;
    bool is_binary;
    size_t size; /* of the result */
};

static struct operation operation_compile(enum op_code code, enum dtype from, enum dtype to,
                                          bool is_binary, int tier)
{
    struct arena *arena = fixture_arena();
    const struct type *in = fixture_type(arena, from, 1, COUNT),
                      *out = fixture_type(arena, to, 1, COUNT);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *[]){in, in}, arena);
    fixture_return(
        f, 1, fixture_value(f, code, out, fixture_arg(f, 0), is_binary ? fixture_arg(f, 1) : NULL));
    return (struct operation){f, fixture_compile(f, tier, NULL), is_binary,
                              (size_t)(COUNT * dtype_bytes(to))};
}

/* The caller frees the result. */
static void *operation_run(const struct operation *operation, const void *a, const void *b)
{
    void *result = fixture_memory(operation->fixture, operation->size);
    void *copy = malloc(operation->size);
    struct fpu_mode mode = fpu_enter(); /* as the launcher does */
    fixture_execute(operation->kernel, 0,
                    (void *[]){(void *)a, (void *)(operation->is_binary ? b : a), result});
    fpu_restore(mode);
    fixture_guarded(result, operation->size);
    memcpy(copy, result, operation->size);
    return copy;
}

static void operation_release(struct operation *operation)
{
    fixture_release(operation->kernel);
    arena_destroy(operation->fixture->arena);
}

/* Runs one operation on one or two buffers of a type. The caller frees the result. */
static void *run(enum op_code code, enum dtype from, enum dtype to, const void *a, const void *b,
                 int tier)
{
    struct operation operation = operation_compile(code, from, to, b, tier);
    void *result = operation_run(&operation, a, b);
    operation_release(&operation);
    return result;
}

static void *at(enum dtype dtype, void *memory, int i)
{
    return (char *)memory + i * dtype_bytes(dtype);
}

static const double interesting[] = {
    0,     -0.0,  1,     -1,           2,    -2,   3,      0.5,    -0.25,    1.5,       2.5, 100,
    -100,  127,   -128,  128,          255,  256,  1e-3,   -1e-3,  448,      464,       240, 57344,
    61440, 65504, 65520, 1e5,          -1e5, 1e-8, 6e-8,   3e-5,   INFINITY, -INFINITY, NAN, 1e30,
    -1e30, 1e-30, 1e300, 3.3333333333, 7,    -7,   1.0625, 1.03125};

static double value_of(int i)
{
    enum { N = sizeof interesting / sizeof *interesting };
    return i < N ? interesting[i] : sin(i) * pow(2, i % 40 - 20);
}

/* Every conversion between numeric types agrees with dtype_from_double of the exact value. */
Test(elementwise, convert)
{
    for (int from = 1; from < DTYPE_COUNT; from++)
        for (int to = 1; to < DTYPE_COUNT; to++) {
            enum dtype a = (enum dtype)from, b = (enum dtype)to;
            if (dtype_is_complex(a) || dtype_is_complex(b) || a == DTYPE_TOKEN || b == DTYPE_TOKEN)
                continue;
            char in[COUNT * 8], expected[8];
            for (int i = 0; i < COUNT; i++)
                dtype_from_double(a, value_of(i), at(a, in, i));
            char *out = run(OP_convert, a, b, in, NULL, to % 2);
            for (int i = 0; i < COUNT; i++) {
                double x = dtype_to_double(a, at(a, in, i));
                bool narrowed = a == DTYPE_F64 && (b == DTYPE_F16 || b == DTYPE_BF16);
                if (dtype_is_integer(a) && (dtype_is_integer(b) || b == DTYPE_PRED)) { /* wraps */
                    int64_t bits = dtype_to_int64(a, at(a, in, i)),
                            got = dtype_to_int64(b, at(b, out, i));
                    int unused = 64 - dtype_info(b)->bits;
                    int64_t wrapped = dtype_info(b)->class == CLASS_SIGNED
                                          ? (int64_t)((uint64_t)bits << unused) >> unused
                                          : (int64_t)((uint64_t)bits << unused >> unused);
                    cr_assert_eq(got, b == DTYPE_PRED ? bits != 0 : wrapped, "%s to %s: %g",
                                 dtype_name(a), dtype_name(b), x);
                    continue;
                }
                dtype_from_double(b, narrowed ? (float)x : x, expected);
                double got = dtype_to_double(b, at(b, out, i)), want = dtype_to_double(b, expected);
                cr_assert(got == want || (isnan(got) && isnan(want)),
                          "%s to %s: %.9g gives %.9g, not %.9g", dtype_name(a), dtype_name(b), x,
                          got, want);
            }
            free(out);
        }
}

static double float_result(enum op_code code, double x, double y)
{
    switch (code) {
    case OP_add: return x + y;
    case OP_subtract: return x - y;
    case OP_multiply: return x * y;
    case OP_divide: return x / y;
    case OP_maximum: return isnan(x) || isnan(y) ? NAN : x > y ? x : y;
    case OP_minimum: return isnan(x) || isnan(y) ? NAN : x < y ? x : y;
    case OP_remainder: return fmod(x, y);
    default: return 0;
    }
}

/* Small floats: computed in f32, rounded once. */
Test(elementwise, floats)
{
    static const enum op_code codes[] = {OP_add,     OP_subtract, OP_multiply, OP_divide,
                                         OP_maximum, OP_minimum,  OP_remainder};
    for (int t = 1; t < DTYPE_COUNT; t++) {
        enum dtype dtype = (enum dtype)t;
        if (!dtype_is_float(dtype) || dtype == DTYPE_F8E8M0FNU || dtype == DTYPE_F4E2M1FN)
            continue;
        char a[COUNT * 8], b[COUNT * 8], expected[8];
        for (int i = 0; i < COUNT; i++) {
            dtype_from_double(dtype, value_of(i), at(dtype, a, i));
            dtype_from_double(dtype, value_of((i * 7 + 3) % COUNT), at(dtype, b, i));
        }
        for (size_t c = 0; c < sizeof codes / sizeof *codes; c++) {
            char *out = run(codes[c], dtype, dtype, a, b, c % 2);
            for (int i = 0; i < COUNT; i++) {
                double x = dtype_to_double(dtype, at(dtype, a, i)),
                       y = dtype_to_double(dtype, at(dtype, b, i));
                double r = float_result(codes[c], x, y);
                dtype_from_double(dtype, dtype == DTYPE_F64 ? r : (float)r, expected);
                double got = dtype_to_double(dtype, at(dtype, out, i)),
                       want = dtype_to_double(dtype, expected);
                cr_assert(got == want || (isnan(got) && isnan(want)),
                          "%s of %s: %.9g %.9g gives %.9g, not %.9g", op_info(codes[c])->name,
                          dtype_name(dtype), x, y, got, want);
            }
            free(out);
        }
    }
}

/* Denormal results of minimum and maximum are zero in types that programs flush, and preserved in
 * other types. */
Test(elementwise, extremes_of_denormals)
{
    static const struct {
        enum dtype dtype;
        double tiny;
        bool preserved;
    } types[] = {{DTYPE_F32, 0x1p-130, false},
                 {DTYPE_BF16, 0x1p-130, false},
                 {DTYPE_F64, 0x1p-1030, false},
                 {DTYPE_F16, 0x1p-16, true},
                 {DTYPE_F8E5M2, 0x1p-15, true}};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        enum dtype dtype = types[t].dtype;
        char a[COUNT * 8], b[COUNT * 8];
        for (int i = 0; i < COUNT; i++) {
            dtype_from_double(dtype, types[t].tiny, at(dtype, a, i));
            dtype_from_double(dtype, i % 2 ? 1 : -1, at(dtype, b, i));
        }
        char *most = run(OP_maximum, dtype, dtype, a, b, false);
        char *least = run(OP_minimum, dtype, dtype, a, b, false);
        double tiny = types[t].preserved || !fpu_flushes() ? types[t].tiny : 0;
        for (int i = 0; i < COUNT; i++) {
            cr_expect_eq(dtype_to_double(dtype, at(dtype, most, i)), i % 2 ? 1 : tiny);
            cr_expect_eq(dtype_to_double(dtype, at(dtype, least, i)), i % 2 ? tiny : -1);
        }
        free(most);
        free(least);
    }
}

/* One maximum or minimum, which is computed as a scalar. */
static double scalar_extreme(enum op_code code, enum dtype dtype, double x, double y, int tier)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, dtype, 1, 1);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *[]){type, type}, arena);
    fixture_return(f, 1, fixture_value(f, code, type, fixture_arg(f, 0), fixture_arg(f, 1)));
    char a[8], b[8], out[8];
    dtype_from_double(dtype, x, a);
    dtype_from_double(dtype, y, b);
    struct fpu_mode mode = fpu_enter();
    fixture_run(f, tier, 0, (void *[]){a, b, out}, NULL);
    fpu_restore(mode);
    arena_destroy(arena);
    return dtype_to_double(dtype, out);
}

static void check_scalar(enum dtype dtype, double x, double y, int tier)
{
    double tiny = dtype == DTYPE_F64 ? 0x1p-1022 : 0x1p-126;
    for (int maximum = 0; maximum < 2; maximum++) {
        enum op_code code = maximum ? OP_maximum : OP_minimum;
        double got = scalar_extreme(code, dtype, x, y, tier), want = float_result(code, x, y);
        if (x == 0 && y == 0)
            want = (maximum ? signbit(x) && signbit(y) : signbit(x) || signbit(y)) ? -0.0 : 0.0;
        bool flushed = fpu_flushes() && fabs(want) < tiny;
        cr_expect(isnan(want) ? isnan(got) : got == (flushed ? 0 : want), "%s of %g, %g: %g",
                  op_info(code)->name, x, y, got);
        cr_expect(isnan(want) || want != 0 || !signbit(got) == !signbit(want),
                  "%s of %g, %g: the sign of %g", op_info(code)->name, x, y, got);
    }
}

Test(elementwise, extremes_of_scalars)
{
    static const double values[] = {0.0, -0.0, 1, -1, 3, -3, INFINITY, -INFINITY, NAN};
    enum { VALUES = sizeof values / sizeof *values };
    for (int i = 0; i < VALUES * VALUES; i++)
        for (int wide = 0; wide < 2; wide++)
            check_scalar(wide ? DTYPE_F64 : DTYPE_F32, values[i / VALUES], values[i % VALUES],
                         i % 3);
    check_scalar(DTYPE_F32, 0x1p-130, 0x1.8p-130, 1);
    check_scalar(DTYPE_F32, -0x1p-130, -0x1.8p-130, 1);
    check_scalar(DTYPE_F64, 0x1p-1030, 0x1p-1030, 1);
}

static int64_t integer_result(enum op_code code, int64_t x, int64_t y, int bits, bool is_signed)
{
    uint64_t mask = bits == 64 ? UINT64_MAX : (1ULL << bits) - 1, ux = (uint64_t)x & mask,
             uy = (uint64_t)y & mask;
    int64_t least = (int64_t)((uint64_t)INT64_MAX + 1) >> (64 - bits);
    switch (code) {
    case OP_add: return (int64_t)((uint64_t)x + (uint64_t)y);
    case OP_subtract: return (int64_t)((uint64_t)x - (uint64_t)y);
    case OP_multiply: return (int64_t)((uint64_t)x * (uint64_t)y);
    case OP_divide:
        if (!uy)
            return -1;
        return !is_signed ? (int64_t)(ux / uy) : x == least && y == -1 ? least : x / y;
    case OP_remainder:
        if (!uy)
            return x;
        return !is_signed ? (int64_t)(ux % uy) : y == -1 ? 0 : x % y;
    case OP_and: return x & y;
    case OP_or: return x | y;
    case OP_xor: return x ^ y;
    case OP_maximum: return (is_signed ? x > y : ux > uy) ? x : y;
    case OP_minimum: return (is_signed ? x < y : ux < uy) ? x : y;
    case OP_shift_left: return uy >= (uint64_t)bits ? 0 : (int64_t)(ux << uy);
    case OP_shift_right_logical: return uy >= (uint64_t)bits ? 0 : (int64_t)(ux >> uy);
    case OP_shift_right_arithmetic: {
        int64_t s = (int64_t)(ux << (64 - bits)) >> (64 - bits);
        return s >> (uy >= (uint64_t)bits ? 63 : uy);
    }
    default: return 0;
    }
}

/* The low `bits` bits of a number, as a value of that type. */
static int64_t wrapped(int64_t value, int bits, bool is_signed)
{
    uint64_t high = (uint64_t)value << (64 - bits);
    return is_signed ? (int64_t)high >> (64 - bits) : (int64_t)(high >> (64 - bits));
}

static void store_int(enum dtype dtype, void *memory, int i, int64_t value)
{
    int64_t shown =
        wrapped(value, dtype_info(dtype)->bits, dtype_info(dtype)->class == CLASS_SIGNED);
    memcpy(at(dtype, memory, i), &shown, (size_t)dtype_bytes(dtype));
}

static void check_integers(enum op_code code, enum dtype dtype, void *a, void *b, int tier)
{
    int bits = dtype_info(dtype)->bits;
    bool is_signed = dtype_info(dtype)->class == CLASS_SIGNED;
    char *out = run(code, dtype, dtype, a, b, tier);
    for (int i = 0; i < COUNT; i++) {
        int64_t x = dtype_to_int64(dtype, at(dtype, a, i)),
                y = dtype_to_int64(dtype, at(dtype, b, i)),
                got = dtype_to_int64(dtype, at(dtype, out, i));
        int64_t want = wrapped(integer_result(code, x, y, bits, is_signed), bits, is_signed);
        cr_assert_eq(got, want, "%s of %s: %lld %lld gives %lld, not %lld", op_info(code)->name,
                     dtype_name(dtype), (long long)x, (long long)y, (long long)got,
                     (long long)want);
    }
    free(out);
}

/* Division by zero, division of the least number by -1, and shifts by the width or more: none
 * traps. */
Test(elementwise, integers_at_their_ends)
{
    static const enum op_code codes[] = {OP_divide, OP_remainder, OP_shift_left,
                                         OP_shift_right_logical, OP_shift_right_arithmetic};
    for (int t = 1; t < DTYPE_COUNT; t++) {
        enum dtype dtype = (enum dtype)t;
        if (!dtype_is_integer(dtype))
            continue;
        int bits = dtype_info(dtype)->bits;
        int64_t least = (int64_t)(1ULL << (bits - 1));
        int64_t greatest = (int64_t)((1ULL << (bits - 1)) - 1);
        int64_t ends[] = {0, 1, -1, least, greatest, bits - 1, bits, bits + 1};
        char a[COUNT * 8], b[COUNT * 8];
        for (int i = 0; i < COUNT; i++) {
            store_int(dtype, a, i, ends[i % 8]);
            store_int(dtype, b, i, ends[i / 8 % 8]);
        }
        for (size_t c = 0; c < sizeof codes / sizeof *codes; c++)
            for (int tier = 0; tier < CODEGEN_TIERS; tier++)
                check_integers(codes[c], dtype, a, b, tier);
    }
}

Test(elementwise, integers)
{
    static const enum op_code codes[] = {OP_add,
                                         OP_subtract,
                                         OP_multiply,
                                         OP_divide,
                                         OP_remainder,
                                         OP_and,
                                         OP_or,
                                         OP_xor,
                                         OP_maximum,
                                         OP_minimum,
                                         OP_shift_left,
                                         OP_shift_right_logical,
                                         OP_shift_right_arithmetic};
    static const int64_t corner[] = {
        0,         1,         -1,        2,         -2,        3,  5,       7,
        8,         15,        31,        32,        63,        64, 100,     INT8_MIN,
        INT16_MIN, INT32_MIN, INT64_MIN, INT64_MAX, INT32_MAX, -7, 12345678};
    for (int t = 1; t < DTYPE_COUNT; t++) {
        enum dtype dtype = (enum dtype)t;
        if (!dtype_is_integer(dtype))
            continue;
        char a[COUNT * 8], b[COUNT * 8];
        for (int i = 0; i < COUNT; i++) {
            store_int(dtype, a, i, corner[i % 23]);
            store_int(dtype, b, i, corner[(i * 5 + i / 23) % 23]);
        }
        for (size_t c = 0; c < sizeof codes / sizeof *codes; c++)
            check_integers(codes[c], dtype, a, b, c % 2);
    }
}

/* The polynomial approximations are accurate to a few ulp of f32. */
Test(elementwise, functions)
{
    static const struct {
        enum op_code code;
        double (*real)(double);
        double low, high;
    } functions[] = {{OP_exponential, exp, -100, 88}, {OP_log, log, 1e-30, 1e30},
                     {OP_tanh, tanh, -10, 10},        {OP_sine, sin, -100, 100},
                     {OP_sqrt, sqrt, 0, 1e20},        {OP_erf, erf, -4, 4},
                     {OP_floor, floor, -100, 100},    {OP_log_plus_one, log1p, -0.9, 10}};
    for (size_t n = 0; n < sizeof functions / sizeof *functions; n++) {
        float in[COUNT];
        for (int i = 0; i < COUNT; i++)
            in[i] = (float)(functions[n].low +
                            (functions[n].high - functions[n].low) * i / (COUNT - 1));
        float *out = run(functions[n].code, DTYPE_F32, DTYPE_F32, in, NULL, n % 2);
        for (int i = 0; i < COUNT; i++) {
            double want = functions[n].real(in[i]);
            cr_assert_float_eq(out[i], want, fabs(want) * 5e-7 + 1e-37,
                               "%s(%g) gives %.9g, not %.9g", op_info(functions[n].code)->name,
                               in[i], out[i], want);
        }
        free(out);
    }
}

/* ---- constant folding versus execution ------------------------------------------------------- */

/* Numbers at the limits of a type, and around its smallest normal number. */
static double extreme_of(enum dtype dtype, int i)
{
    const struct dtype_info *info = dtype_info(dtype);
    double least = dtype_is_float(dtype) ? ldexp(1, 1 - info->exponent_bias) : 1;
    double most = dtype_is_float(dtype) ? ldexp(1.5, info->exponent_bias - 1) : 100;
    const double sizes[] = {0,   least / 4, least * 0.75, least, least * 1.5,     1,
                            1.5, 3,         most,         NAN,   (double)INFINITY};
    enum { N = sizeof sizes / sizeof *sizes };
    return (i / N % 2 ? -1 : 1) * sizes[i % N];
}

static void fill_extremes(enum dtype dtype, void *memory, int step)
{
    for (int i = 0; i < COUNT; i++)
        dtype_from_double(dtype, extreme_of(dtype, i * step), at(dtype, memory, i));
}

static bool is_same(enum dtype dtype, const void *a, const void *b)
{
    bool nan = dtype_is_float(dtype) && isnan(dtype_to_double(dtype, a)) &&
               isnan(dtype_to_double(dtype, b));
    return nan || !memcmp(a, b, (size_t)dtype_bytes(dtype));
}

/* Constant folding gives the same bits as execution. */
static void expect_folded_as_executed(enum op_code code, enum dtype from, enum dtype to, bool two)
{
    char a[COUNT * 8], b[COUNT * 8], folded[8];
    struct op op = {.code = code, .operand_count = two ? 2 : 1};
    struct operation operation = operation_compile(code, from, to, two, 0);
    for (int step = 1; step < 22; step += 3) {
        fill_extremes(from, a, 1);
        fill_extremes(from, b, step);
        char *out = operation_run(&operation, a, b);
        for (int i = 0; i < COUNT; i++) {
            const void *operands[] = {at(from, a, i), at(from, b, i)};
            struct fpu_mode mode = fpu_enter();
            bool folds = fold_eval_element(&op, from, operands, to, folded);
            fpu_restore(mode);
            cr_assert(!folds || is_same(to, folded, at(to, out, i)),
                      "%s of %s to %s: %a %a is folded to %a, executed %a", op_info(code)->name,
                      dtype_name(from), dtype_name(to), dtype_to_double(from, operands[0]),
                      dtype_to_double(from, operands[1]), dtype_to_double(to, folded),
                      dtype_to_double(to, at(to, out, i)));
        }
        free(out);
    }
    operation_release(&operation);
}

static const enum dtype fold_types[] = {DTYPE_F32,    DTYPE_F64,      DTYPE_F16, DTYPE_BF16,
                                        DTYPE_F8E5M2, DTYPE_F8E4M3FN, DTYPE_S8,  DTYPE_U16,
                                        DTYPE_S32,    DTYPE_S64};
enum { FOLD_TYPES = sizeof fold_types / sizeof *fold_types };

Test(elementwise, operations_fold_to_what_is_executed)
{
    static const enum op_code ones[] =
        {OP_negate, OP_abs, OP_sign, OP_floor, OP_ceil, OP_round_nearest_even, OP_round_nearest_afz,
         OP_sqrt},
                              twos[] = {OP_add,    OP_subtract, OP_multiply,
                                        OP_divide, OP_maximum,  OP_minimum};
    for (int t = 0; t < FOLD_TYPES; t++) {
        bool is_float = dtype_is_float(fold_types[t]);
        for (size_t i = 0; i < (is_float ? sizeof ones / sizeof *ones : 3); i++)
            expect_folded_as_executed(ones[i], fold_types[t], fold_types[t], false);
        for (size_t i = 0; i < sizeof twos / sizeof *twos; i++)
            expect_folded_as_executed(twos[i], fold_types[t], fold_types[t], true);
    }
}

Test(elementwise, conversions_fold_to_what_is_executed)
{
    for (int from = 0; from < FOLD_TYPES; from++)
        for (int to = 0; to < FOLD_TYPES; to++)
            expect_folded_as_executed(OP_convert, fold_types[from], fold_types[to], false);
}

/* x x + y, y + x x, x x - y or y - x x. */
static void run_sum_of_product(enum op_code code, bool first, bool contracts, int tier, float *x,
                               float *y, float *out)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 1, COUNT);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *[]){type, type}, arena);
    struct value *term = fixture_arg(f, 1), *square;
    square = fixture_value(f, OP_multiply, type, fixture_arg(f, 0), fixture_arg(f, 0));
    square->def->attrs.multiply.contracts = contracts;
    fixture_return(f, 1,
                   fixture_value(f, code, type, first ? square : term, first ? term : square));
    float *result = fixture_memory(f, COUNT * 4);
    fixture_run(f, tier, 0, (void *[]){x, y, result}, NULL);
    memcpy(out, result, COUNT * 4);
    arena_destroy(arena);
}

/* Whatever LLVM's level of optimization, only products that contract are not rounded. */
Test(elementwise, products_are_rounded_unless_they_contract)
{
    float x[COUNT], y[COUNT], out[COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[i] = sinf((float)i);
        volatile float square = x[i] * x[i];
        y[i] = -square * (1 + (float)(i % 5) * 1e-4f);
    }
    for (int kind = 0; kind < 16; kind++) {
        bool subtracts = kind & 1, first = kind & 2, contracts = kind & 4;
        run_sum_of_product(subtracts ? OP_subtract : OP_add, first, contracts, kind >> 3, x, y,
                           out);
        for (int i = 0; i < COUNT; i++) {
            volatile float square = x[i] * x[i];
            float sign = subtracts && !first ? -1 : 1, term = subtracts && first ? -y[i] : y[i];
            bool fused = contracts && cpu_features()->fma;
            float want = fused ? fmaf(sign * x[i], x[i], term) : sign * square + term;
            cr_assert_eq(out[i], want, "kind %d, element %d: %a, not %a", kind, i, out[i], want);
        }
    }
}
