/* Elementary functions against the C library in higher precision: errors in ulp over random and
 * special arguments, for float and double, with and without fused multiply-add in the generated
 * code. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

#include "base/cpu.h"
#include "base/fpu.h"
#include "compiler/codegen/routines/large_angle.h"
#include "compiler/codegen/vecmath/vecmath.h"
#include "compiler/codegen/vecmath/vecmath_ops.h"

enum { LANES = 16, COUNT = 1 << 15 };

static bool unfused; /* multiply-adds */
static bool scales;  /* as in struct vecmath_mode */

typedef LLVMValueRef unary(const struct vecmath *, LLVMValueRef);
typedef LLVMValueRef binary(const struct vecmath *, LLVMValueRef, LLVMValueRef);
typedef long double reference1(long double);
typedef long double reference2(long double, long double);

struct function {
    const char *name;
    unary *one;
    binary *two;
    reference1 *expect1;
    reference2 *expect2;
    double ulps_float, ulps_double, low, high; /* error bounds, and the range of random arguments */
};

static long double logistic(long double x)
{
    return 1 / (1 + expl(-x));
}
static long double rsqrt(long double x)
{
    return 1 / sqrtl(x);
}

/* A power with a constant exponent, and its reference. */
#define POWER(name, exponent)                                                                      \
    static LLVMValueRef power_##name(const struct vecmath *m, LLVMValueRef x)                      \
    {                                                                                              \
        LLVMValueRef y[LANES];                                                                     \
        for (int i = 0; i < LANES; i++)                                                            \
            y[i] = LLVMConstReal(LLVMGetElementType(m->type), exponent);                           \
        return vecmath_pow_constant(m, x, LLVMConstVector(y, LANES));                              \
    }                                                                                              \
    static long double expected_##name(long double x)                                              \
    {                                                                                              \
        return powl(x, exponent);                                                                  \
    }
POWER(minus_one, -1)
POWER(minus_half, -0.5)
POWER(half, 0.5)
POWER(three_halves, 1.5)
POWER(three, 3)

/* atan2(y, x 0), whose result is pi/2 rounded: -0 is on the axis, too. */
static LLVMValueRef vecmath_on_y_axis(const struct vecmath *m, LLVMValueRef y, LLVMValueRef x)
{
    LLVMValueRef zero = vm_copysign(m, vm_real(m, 0), x);
    return vecmath_atan2(m, y, zero);
}

static long double expected_on_y_axis(long double y, long double x)
{
    return atan2l(y, copysignl(0, x));
}

static const struct function functions[] = {
    {"exp", vecmath_exp, 0, expl, 0, 1, 1, -750, 720},
    {"expm1", vecmath_expm1, 0, expm1l, 0, 2, 2, -60, 100},
    {"expm1 small", vecmath_expm1, 0, expm1l, 0, 0.9, 0.75, -0.3, 0.3},
    {"expm1 middle", vecmath_expm1, 0, expm1l, 0, 2, 2, -1, 1},
    {"tanh", vecmath_tanh, 0, tanhl, 0, 2.4, 2.7, -12, 12},
    {"tanh middle", vecmath_tanh, 0, tanhl, 0, 2.4, 2.7, -1, 1},
    {"tanh reduced", vecmath_tanh, 0, tanhl, 0, 0.7, 0.7, -0.17, 0.17},
    {"tanh small", vecmath_tanh, 0, tanhl, 0, 0.7, 0.7, -0.01, 0.01},
    {"logistic", vecmath_logistic, 0, logistic, 0, 2.1, 2, -80, 80},
    {"log", vecmath_log, 0, logl, 0, 1, 1, 0, 10},
    {"log large", vecmath_log, 0, logl, 0, 1, 1, 0, 1e37},
    {"log1p", vecmath_log1p, 0, log1pl, 0, 2, 2, -1, 3},
    {"log1p small", vecmath_log1p, 0, log1pl, 0, 2, 2, -0.001, 0.001},
    {"cbrt", vecmath_cbrt, 0, cbrtl, 0, 1, 2, -1000, 1000},
    {"sin", vecmath_sin, 0, sinl, 0, 0.51, 2, -100, 100},
    {"cos", vecmath_cos, 0, cosl, 0, 0.51, 2, -100, 100},
    {"tan", vecmath_tan, 0, tanl, 0, 0.51, 3, -100, 100},
    {"sin middle", vecmath_sin, 0, sinl, 0, 0.51, 2, -2.6e8, 2.6e8},
    {"cos middle", vecmath_cos, 0, cosl, 0, 0.51, 2, -2.6e8, 2.6e8},
    {"tan middle", vecmath_tan, 0, tanl, 0, 0.51, 3, -2.6e8, 2.6e8},
    {"sin wide", vecmath_sin, 0, sinl, 0, 1, 2, -1e12, 1e12},
    {"cos wide", vecmath_cos, 0, cosl, 0, 1, 2, -1e18, 1e18},
    {"erf", vecmath_erf, 0, erfl, 0, 5, 3, -5, 5},
    {"erf small", vecmath_erf, 0, erfl, 0, 3, 3, -0.1, 0.1},
    {"sqrt", vecmath_sqrt, 0, sqrtl, 0, 0.51, 0.51, 0, 1e5},
    {"rsqrt", vecmath_rsqrt, 0, rsqrt, 0, 1.6, 1.6, 0, 1e5},
    {"pow", 0, vecmath_pow, 0, powl, 1, 2, -20, 20},
    {"pow wide", 0, vecmath_pow, 0, powl, 1, 6, 0, 1000},
    {"x ** -1", power_minus_one, 0, expected_minus_one, 0, 0.51, 0.51, -100, 100},
    {"x ** -0.5", power_minus_half, 0, expected_minus_half, 0, 0.51, 1.5, -20, 100},
    {"x ** 0.5", power_half, 0, expected_half, 0, 0.51, 0.51, -20, 100},
    {"x ** 1.5", power_three_halves, 0, expected_three_halves, 0, 0.51, 1.5, -20, 100},
    {"x ** 3", power_three, 0, expected_three, 0, 1.5, 1.5, -100, 100},
    {"remainder", 0, vecmath_remainder, 0, fmodl, 0, 0, -100, 100},
    {"remainder of large", 0, vecmath_remainder, 0, fmodl, 0, 0, -1e8, 1e8},
    {"atan2", 0, vecmath_atan2, 0, atan2l, 2, 2, -10, 10},
    {"atan2 on the y axis", 0, vecmath_on_y_axis, 0, expected_on_y_axis, 0.5, 0.5, -10, 10},
};

static const double specials[] = {
    0.0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, INFINITY, -INFINITY, NAN, 1e-310, -1e-310, 1e-40,
    1e-42, 1e300, -1e300, 88.7, -87.4, 709.7, -745.1, -104, 1e22, 1e10, 3e38, 1e-30, 0x1p-1022,
    -0x1.8p-1021, 0x1p-126, -0x1.4p-124,
    /* NaN with payloads */
    __builtin_nan("0xfffffffffffff"), -__builtin_nan("0xfffffffffffff"),
    __builtin_nan("0x0000020000001")};
#define SPECIALS (int)(sizeof specials / sizeof *specials)

typedef void kernel(const void *, const void *, void *, int64_t);

/* for (i = 0; i < n; i += LANES) out[i..] = f(a[i..], b[i..]); */
static LLVMModuleRef emit(LLVMContextRef c, const struct function *f, bool wide, bool flushes)
{
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("test", c);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c, 0), i64 = LLVMInt64TypeInContext(c);
    LLVMTypeRef scalar = wide ? LLVMDoubleTypeInContext(c) : LLVMFloatTypeInContext(c);
    LLVMTypeRef vector = LLVMVectorType(scalar, LANES);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c),
                                        (LLVMTypeRef[]){pointer, pointer, pointer, i64}, 4, 0);
    LLVMValueRef function = LLVMAddFunction(module, "kernel", type);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(c, function, ""),
                      loop = LLVMAppendBasicBlockInContext(c, function, "");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(c, function, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef i = LLVMBuildPhi(b, i64, ""), x[2];
    for (unsigned k = 0; k < 2; k++)
        x[k] = LLVMBuildLoad2(b, vector,
                              LLVMBuildGEP2(b, scalar, LLVMGetParam(function, k), &i, 1, ""), "");
    struct vecmath m = vecmath(b, module, vector, (struct vecmath_mode){!unfused, flushes, scales});
    LLVMValueRef y = f->one ? f->one(&m, x[0]) : f->two(&m, x[0], x[1]);
    LLVMBuildStore(b, y, LLVMBuildGEP2(b, scalar, LLVMGetParam(function, 2), &i, 1, ""));
    LLVMValueRef next = LLVMBuildAdd(b, i, LLVMConstInt(i64, LANES, 0), "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntSLT, next, LLVMGetParam(function, 3), ""), loop,
                    done);
    LLVMAddIncoming(i, (LLVMValueRef[]){LLVMConstInt(i64, 0, 0), next},
                    (LLVMBasicBlockRef[]){entry, LLVMGetInsertBlock(b)}, 2);
    /* The body may end in another block: branch back from there. */
    LLVMPositionBuilderAtEnd(b, done);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return module;
}

/* Makes the routine that generated code calls known to a JIT. */
static void define_routine(LLVMOrcLLJITRef jit)
{
    LLVMJITSymbolFlags flags = {
        LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0};
    LLVMOrcCSymbolMapPair pair = {LLVMOrcLLJITMangleAndIntern(jit, "large_angles"),
                                  {(LLVMOrcJITTargetAddress)(uintptr_t)large_angles, flags}};
    LLVMErrorRef error =
        LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit), LLVMOrcAbsoluteSymbols(&pair, 1));
    cr_assert_null(error);
}

static kernel *compile(LLVMOrcLLJITRef *jit, const struct function *f, bool wide, bool flushes)
{
    LLVMInitializeX86TargetInfo(), LLVMInitializeX86Target(), LLVMInitializeX86TargetMC(),
        LLVMInitializeX86AsmPrinter();
    LLVMErrorRef error = LLVMOrcCreateLLJIT(jit, NULL);
    cr_assert_null(error);
    define_routine(*jit);
    LLVMOrcThreadSafeContextRef context = LLVMOrcCreateNewThreadSafeContext();
    LLVMModuleRef module = emit(LLVMOrcThreadSafeContextGetContext(context), f, wide, flushes);
    error = LLVMOrcLLJITAddLLVMIRModule(*jit, LLVMOrcLLJITGetMainJITDylib(*jit),
                                        LLVMOrcCreateNewThreadSafeModule(module, context));
    cr_assert_null(error);
    LLVMOrcDisposeThreadSafeContext(context); /* the module keeps it alive */
    LLVMOrcExecutorAddress address;
    error = LLVMOrcLLJITLookup(*jit, &address, "kernel");
    cr_assert_null(error, "%s", error ? LLVMGetErrorMessage(error) : "");
    return (kernel *)(uintptr_t)address;
}

static double ulps(long double want, double got, bool wide)
{
    if (isnan((double)want) || isnan(got))
        return isnan((double)want) && isnan(got) ? 0 : 1e9;
    double rounded = wide ? (double)want : (double)(float)want;
    if (rounded == got && signbit(rounded) == signbit(got))
        return 0;
    if (isinf(rounded) || isinf(got)) /* near overflow either is correct */
        return fabsl(want) > (wide ? 1.79e308L : 3.4e38L) * 0.99999L &&
                       fabs(got) > (wide ? 1.79e308 : 3.4e38) * 0.99999
                   ? 0
                   : 1e9;
    if (want == 0)
        return got == 0 ? (signbit(rounded) == signbit(got) ? 0 : 1e8) : 1e9;
    int exponent = (int)fmax(ilogbl(want), wide ? -1022 : -126);
    return (double)(fabsl(want - got) / ldexpl(1, exponent - (wide ? 52 : 23)));
}

enum { SEED = 362436069 };
static uint64_t state;
static double uniform(double low, double high)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return low + (high - low) * ((double)(state >> 11) * 0x1p-53);
}

static bool is_denormal(double x, bool wide)
{
    return x != 0 && fabs(x) < (wide ? 0x1p-1022 : 0x1p-126);
}

/* `flushes`: runs with the floating-point mode of programs. Results are checked only where no
 * denormals are involved. */
static void check(const struct function *f, bool wide, bool flushes)
{
    static _Alignas(64) double in[2][COUNT], out[COUNT];
    float *narrow[3] = {(float *)in[0], (float *)in[1], (float *)out};
    LLVMOrcLLJITRef jit;
    kernel *run = compile(&jit, f, wide, flushes);
    state = SEED; /* use the same numbers with and without flushing */
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 2; k++) {
            double x = uniform(f->low, f->high);
            if (i < SPECIALS * SPECIALS)
                x = specials[k ? i / SPECIALS : i % SPECIALS];
            else if (i % 16 == 5)
                x = rint(x);
            if (wide)
                in[k][i] = x;
            else
                narrow[k][i] = (float)x;
        }
    struct fpu_mode mode = flushes ? fpu_enter() : fpu_current();
    run(in[0], in[1], out, COUNT);
    fpu_restore(mode);
    double worst = 0, bound = wide ? f->ulps_double : f->ulps_float, at[2] = {0};
    for (int i = 0; i < COUNT; i++) {
        double x = wide ? in[0][i] : narrow[0][i], y = wide ? in[1][i] : narrow[1][i];
        long double want = f->one ? f->expect1(x) : f->expect2(x, y);
        if (flushes &&
            (is_denormal(x, wide) || is_denormal(y, wide) || is_denormal((double)want, wide)))
            continue;
        double error = ulps(want, wide ? out[i] : narrow[2][i], wide);
        if (error > worst)
            worst = error, at[0] = x, at[1] = y;
    }
    LLVMOrcDisposeLLJIT(jit);
    cr_expect(worst <= bound, "%s %s%s: %.3g ulp at %.17g, %.17g", f->name,
              wide ? "double" : "float", flushes ? ", flushed" : "", worst, at[0], at[1]);
}

Test(vecmath, float_functions)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        check(&functions[i], false, false);
}

Test(vecmath, double_functions)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        check(&functions[i], true, false);
}

Test(vecmath, flushing_changes_only_results_of_denormals)
{
    setenv("GANTRY_DENORMALS", "flush", 1);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        check(&functions[i], false, true), check(&functions[i], true, true);
}

/* Logarithms of special values are one instruction there. */
Test(vecmath, logarithms_where_the_processor_replaces_special_results)
{
    if (!cpu_features()->avx512)
        return;
    setenv("GANTRY_DENORMALS", "flush", 1);
    scales = true;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (functions[i].one == vecmath_log || functions[i].one == vecmath_log1p)
            for (int k = 0; k < 4; k++)
                check(&functions[i], k % 2, k / 2);
}

/* exp(factor x), and its reference. */
#define MULTIPLE(name, factor)                                                                     \
    static LLVMValueRef multiple_##name(const struct vecmath *m, LLVMValueRef x)                   \
    {                                                                                              \
        cr_assert(vecmath_exp_takes_factor(m, factor));                                            \
        return vecmath_exp_of_multiple(m, x, factor);                                              \
    }                                                                                              \
    static long double expected_multiple_##name(long double x)                                     \
    {                                                                                              \
        return expl((long double)(factor) * x);                                                    \
    }
MULTIPLE(falling, -1.59576917F)
MULTIPLE(least, 0x1p-16F)
MULTIPLE(most, -0x1p16F)

static const struct function multiples[] = {
    {"exp(-1.6 x)", multiple_falling, 0, expected_multiple_falling, 0, 1, 1, -60, 60},
    {"exp(2^-16 x)", multiple_least, 0, expected_multiple_least, 0, 1, 1, -6e6, 6e6},
    {"exp(-2^16 x)", multiple_most, 0, expected_multiple_most, 0, 1, 1, -0.002, 0.002}};

Test(vecmath, multiples_are_not_rounded_before_the_exponential)
{
    setenv("GANTRY_DENORMALS", "flush", 1);
    for (int i = 0; i <= cpu_features()->avx512; i++) {
        scales = i;
        for (size_t k = 0; k < sizeof multiples / sizeof *multiples; k++)
            check(&multiples[k], false, true);
    }
}

Test(vecmath, factors_of_exponentials_are_normal_numbers_of_a_type_with_multiply_adds)
{
    LLVMContextRef c = LLVMContextCreate();
    struct vecmath_mode flushes = {.fma = true, .flushes = true}, keeps = {.fma = true},
                        rounds = {.flushes = true};
    struct vecmath m = vecmath(NULL, NULL, LLVMFloatTypeInContext(c), flushes);
    static const double bad[] = {0, NAN, INFINITY, 1e-30, -1e30};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_not(vecmath_exp_takes_factor(&m, bad[i]));
    cr_expect(vecmath_exp_takes_factor(&m, -0.5));
    m = vecmath(NULL, NULL, LLVMFloatTypeInContext(c), keeps);
    cr_expect_not(vecmath_exp_takes_factor(&m, -0.5));
    m = vecmath(NULL, NULL, LLVMFloatTypeInContext(c), rounds);
    cr_expect_not(vecmath_exp_takes_factor(&m, -0.5));
    m = vecmath(NULL, NULL, LLVMDoubleTypeInContext(c), flushes);
    cr_expect_not(vecmath_exp_takes_factor(&m, -0.5));
    LLVMContextDispose(c);
}

static double element(const double *array, int i, bool wide)
{
    return wide ? array[i] : (double)((const float *)array)[i];
}

/* Results for SPECIALS, and for numbers around those whose power is the least or largest one. */
static void compute_powers(const struct function *power, bool wide, double *in, double *out)
{
    LLVMOrcLLJITRef jit;
    kernel *run = compile(&jit, power, wide, true);
    state = SEED;
    for (int i = 0; i < COUNT; i++) {
        double edge = i % 2 ? (wide ? 709.782712893384 : 88.7228394) : wide ? -708.396 : -87.3365;
        double x = i < SPECIALS ? specials[i]
                   : i % 3      ? edge + uniform(-1e-3, 1e-3)
                                : uniform(-90, 90);
        if (wide)
            in[i] = x;
        else
            ((float *)in)[i] = (float)x;
    }
    struct fpu_mode mode = fpu_enter();
    run(in, in, out, COUNT);
    fpu_restore(mode);
    LLVMOrcDisposeLLJIT(jit);
}

static void check_scaled(const struct function *power, bool wide)
{
    static _Alignas(64) double in[COUNT], out[COUNT], scaled[COUNT];
    scales = false, compute_powers(power, wide, in, out);
    scales = true, compute_powers(power, wide, in, scaled);
    for (int i = 0; i < COUNT; i++) {
        double a = element(out, i, wide), b = element(scaled, i, wide);
        cr_assert(a == b || (isnan(a) && isnan(b)), "%s of %.17g = %.17g, scaled %.17g",
                  power->name, element(in, i, wide), a, b);
    }
}

Test(vecmath, powers_have_the_same_bits_where_the_processor_scales)
{
    static const struct function power = {.name = "exp", .one = vecmath_exp};
    if (!cpu_features()->avx512)
        return;
    setenv("GANTRY_DENORMALS", "flush", 1);
    check_scaled(&power, false);
    check_scaled(&power, true);
    check_scaled(&multiples[0], false);
}

/* 1 - tanh(x)^2 must not be negative, and 1 + tanh(x) must be 0 at large negative x: activations
 * multiply it by x. */
static void check_range_of_tanh(bool wide, bool flushes)
{
    static _Alignas(64) double in[COUNT], out[COUNT];
    static const struct function tanh_function = {.one = vecmath_tanh};
    LLVMOrcLLJITRef jit;
    kernel *run = compile(&jit, &tanh_function, wide, flushes);
    state = SEED;
    for (int i = 0; i < COUNT; i++) {
        double x = ldexp(uniform(1, 2), i % 64 < 56 ? i % 8 - 3 : i % 64 * 2) * (i % 2 ? -1 : 1);
        if (wide)
            in[i] = x;
        else
            ((float *)in)[i] = (float)x;
    }
    run(in, in, out, COUNT);
    for (int i = 0; i < COUNT; i++) {
        double x = element(in, i, wide), y = element(out, i, wide);
        bool largest = fabs(x) >= (wide ? 22 : 10);
        cr_assert(largest ? fabs(y) == 1 : fabs(y) <= 1, "tanh(%.17g) = %.17g", x, y);
        cr_assert_eq(signbit(x), signbit(y));
    }
    LLVMOrcDisposeLLJIT(jit);
}

Test(vecmath, tanh_is_within_1_and_exactly_1_of_large_arguments)
{
    for (int i = 0; i < 4; i++)
        check_range_of_tanh(i % 2, i / 2);
}

/* As in XLA: they move through tanh of f32 unchanged although programs flush denormals. */
Test(vecmath, tanh_of_float_denormals_is_the_argument)
{
    static _Alignas(64) float in[LANES] = {1e-40F, -1e-40F, 0x1p-149F, -0x1p-149F,
                                           0.0F,   -0.0F,   1e-38F,    -0x1p-126F},
                              out[LANES];
    static const struct function tanh_function = {.one = vecmath_tanh};
    for (int flushes = 0; flushes < 2; flushes++) {
        LLVMOrcLLJITRef jit;
        kernel *run = compile(&jit, &tanh_function, false, flushes);
        struct fpu_mode mode = flushes ? fpu_enter() : fpu_current();
        run(in, in, out, LANES);
        fpu_restore(mode);
        cr_expect_arr_eq(in, out, sizeof in);
        LLVMOrcDisposeLLJIT(jit);
    }
}

/* Multiples of pi/2 have more bits than a product without fused multiply-adds. */
Test(vecmath, angles_without_fused_multiply_adds)
{
    static const struct function sine = {"sin", vecmath_sin, 0, sinl, 0, 1, 8, -2.6e8, 2.6e8};
    unfused = true;
    check(&sine, false, false);
    check(&sine, true, false);
    unfused = false;
}
