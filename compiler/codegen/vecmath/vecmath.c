#include "compiler/codegen/vecmath/vecmath.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compiler/codegen/link/vector_intrinsics.h"
#include "compiler/codegen/vecmath/vecmath_ops.h"

struct vecmath vecmath(LLVMBuilderRef builder, LLVMModuleRef module, LLVMTypeRef type,
                       struct vecmath_mode mode)
{
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef scalar = vector ? LLVMGetElementType(type) : type;
    return (struct vecmath){.builder = builder,
                            .module = module,
                            .type = type,
                            .scalar = scalar,
                            .lanes = vector ? LLVMGetVectorSize(type) : 0,
                            .wide = LLVMGetTypeKind(scalar) == LLVMDoubleTypeKind,
                            .fma = mode.fma,
                            .flushes = mode.flushes,
                            .scales = mode.scales};
}

/* ---- helpers --------------------------------------------------------------------------------- */
static V splat(const struct vecmath *m, V scalar)
{
    V lanes[64];
    if (!m->lanes)
        return scalar;
    for (unsigned i = 0; i < m->lanes; i++)
        lanes[i] = scalar;
    return LLVMConstVector(lanes, m->lanes);
}

static LLVMTypeRef int_scalar(const struct vecmath *m)
{
    return LLVMIntTypeInContext(LLVMGetTypeContext(m->scalar), m->wide ? 64 : 32);
}

V vm_real(const struct vecmath *m, double value)
{
    return splat(m, LLVMConstReal(m->scalar, value));
}

V vm_int(const struct vecmath *m, int64_t value)
{
    return splat(m, LLVMConstInt(int_scalar(m), (unsigned long long)value, 1));
}

LLVMTypeRef vm_int_type(const struct vecmath *m)
{
    return m->lanes ? LLVMVectorType(int_scalar(m), m->lanes) : int_scalar(m);
}

V vm_add(const struct vecmath *m, V a, V b)
{
    return LLVMBuildFAdd(m->builder, a, b, "");
}
V vm_sub(const struct vecmath *m, V a, V b)
{
    return LLVMBuildFSub(m->builder, a, b, "");
}
V vm_mul(const struct vecmath *m, V a, V b)
{
    return LLVMBuildFMul(m->builder, a, b, "");
}
V vm_div(const struct vecmath *m, V a, V b)
{
    return LLVMBuildFDiv(m->builder, a, b, "");
}
V vm_neg(const struct vecmath *m, V a)
{
    return LLVMBuildFNeg(m->builder, a, "");
}

/* Calls an intrinsic that is overloaded on `type_count` types. */
static V call_overloaded(const struct vecmath *m, const char *intrinsic, size_t type_count,
                         LLVMTypeRef *types, unsigned count, V *arguments)
{
    unsigned id = LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic));
    V function = LLVMGetIntrinsicDeclaration(m->module, id, types, type_count);
    LLVMTypeRef signature =
        LLVMIntrinsicGetType(LLVMGetTypeContext(m->scalar), id, types, type_count);
    return LLVMBuildCall2(m->builder, signature, function, arguments, count, "");
}

V vm_call(const struct vecmath *m, const char *intrinsic, int count, V *arguments)
{
    LLVMTypeRef type = LLVMTypeOf(arguments[0]);
    return call_overloaded(m, intrinsic, 1, &type, (unsigned)count, arguments);
}

V vm_fma(const struct vecmath *m, V a, V b, V c)
{
    return vm_call(m, m->fma ? "llvm.fma" : "llvm.fmuladd", 3, (V[]){a, b, c});
}

V vm_abs(const struct vecmath *m, V a)
{
    return vm_call(m, "llvm.fabs", 1, &a);
}
V vm_round(const struct vecmath *m, V a)
{
    return vm_call(m, "llvm.roundeven", 1, &a);
}

V vm_copysign(const struct vecmath *m, V magnitude, V sign)
{
    return vm_call(m, "llvm.copysign", 2, (V[]){magnitude, sign});
}

V vm_compare(const struct vecmath *m, LLVMRealPredicate predicate, V a, V b)
{
    return LLVMBuildFCmp(m->builder, predicate, a, b, "");
}

V vm_select(const struct vecmath *m, V condition, V on_true, V on_false)
{
    return LLVMBuildSelect(m->builder, condition, on_true, on_false, "");
}

V vm_any_lane(const struct vecmath *m, V condition)
{
    if (!m->lanes)
        return condition;
    LLVMTypeRef mask = LLVMIntTypeInContext(LLVMGetTypeContext(m->scalar), m->lanes);
    V bits = LLVMBuildBitCast(m->builder, condition, mask, "");
    return LLVMBuildICmp(m->builder, LLVMIntNE, bits, LLVMConstNull(mask), "");
}

V vm_join(const struct vecmath *m, V first, LLVMBasicBlockRef first_block, V second,
          LLVMBasicBlockRef second_block)
{
    V phi = LLVMBuildPhi(m->builder, LLVMTypeOf(second), "");
    LLVMAddIncoming(phi, (V[]){first, second}, (LLVMBasicBlockRef[]){first_block, second_block}, 2);
    return phi;
}

V vm_bits(const struct vecmath *m, V a)
{
    return LLVMBuildBitCast(m->builder, a, vm_int_type(m), "");
}
V vm_from_bits(const struct vecmath *m, V a)
{
    return LLVMBuildBitCast(m->builder, a, m->type, "");
}
V vm_to_int(const struct vecmath *m, V a)
{
    return LLVMBuildFPToSI(m->builder, a, vm_int_type(m), "");
}
V vm_to_real(const struct vecmath *m, V a)
{
    return LLVMBuildSIToFP(m->builder, a, m->type, "");
}

/* Adding 1.5 * 2^mantissa puts the integer n in the low bits. Adding the bias and shifting make it
 * an exponent. This avoids a conversion to integers, which vectors of 32 bytes lack for double. */
V vm_power_of_two(const struct vecmath *m, V n)
{
    int mantissa = m->wide ? 52 : 23, bias = m->wide ? 1023 : 127;
    double magic = ldexp(1.5, mantissa) + bias;
    V bits = vm_bits(m, vm_add(m, n, vm_real(m, magic)));
    return vm_from_bits(m, LLVMBuildShl(m->builder, bits, vm_int(m, mantissa), ""));
}

V vm_polynomial(const struct vecmath *m, V x, int count, const double *coefficients)
{
    V sum = vm_real(m, coefficients[0]);
    for (int i = 1; i < count; i++)
        sum = vm_fma(m, sum, x, vm_real(m, coefficients[i]));
    return sum;
}

struct vecmath vm_widened(const struct vecmath *m)
{
    LLVMTypeRef scalar = LLVMDoubleTypeInContext(LLVMGetTypeContext(m->scalar));
    return vecmath(m->builder, m->module, m->lanes ? LLVMVectorType(scalar, m->lanes) : scalar,
                   (struct vecmath_mode){m->fma, m->flushes, m->scales});
}

V vm_widen(const struct vecmath *m, V a)
{
    return LLVMBuildFPExt(m->builder, a, vm_widened(m).type, "");
}

V vm_narrow(const struct vecmath *m, V a)
{
    return LLVMBuildFPTrunc(m->builder, a, m->type, "");
}

V vecmath_sqrt(const struct vecmath *m, V x)
{
    return vm_call(m, "llvm.sqrt", 1, &x);
}
V vecmath_rsqrt(const struct vecmath *m, V x)
{
    return vm_div(m, vm_real(m, 1), vecmath_sqrt(m, x));
}

/* ---- one instruction where the processor scales ---------------------------------------------- */
/* Lanes of a register. */
static unsigned register_lanes(const struct vecmath *m)
{
    return m->wide ? 8 : 16;
}

static bool is_scaled(const struct vecmath *m)
{
    return m->scales && m->lanes && m->lanes % register_lanes(m) == 0;
}

enum { ROUNDING_AS_SET = 4 };

static V constant_i32(const struct vecmath *m, unsigned value)
{
    return LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(m->scalar)), value, 0);
}

static V all_lanes(const struct vecmath *m)
{
    LLVMContextRef context = LLVMGetTypeContext(m->scalar);
    return LLVMConstAllOnes(LLVMIntTypeInContext(context, register_lanes(m)));
}

/* y 2^n for an integral n, of one register. */
static V scale_register(const struct vecmath *m, V y, V n, V unused)
{
    const char *name = vector_intrinsics_name(m->wide ? VECTOR_SCALE_F64 : VECTOR_SCALE_F32);
    (void)unused;
    return call_overloaded(m, name, 0, NULL, 5,
                           (V[]){y, n, y, all_lanes(m), constant_i32(m, ROUNDING_AS_SET)});
}

static V fix_register(const struct vecmath *m, V result, V argument, V table)
{
    const char *name = vector_intrinsics_name(m->wide ? VECTOR_FIX_F64 : VECTOR_FIX_F32);
    return call_overloaded(m, name, 0, NULL, 6,
                           (V[]){result, argument, table, constant_i32(m, 0), all_lanes(m),
                                 constant_i32(m, ROUNDING_AS_SET)});
}

/* A function of two vectors, register by register. `constant` has the lanes of one. */
static V by_registers(const struct vecmath *m,
                      V function(const struct vecmath *m, V a, V b, V constant), V a, V b,
                      V constant)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(m->scalar)),
                part = LLVMVectorType(m->scalar, register_lanes(m));
    V result = LLVMGetPoison(m->type);
    for (unsigned first = 0; first < m->lanes; first += register_lanes(m)) {
        V parts[2] = {a, b}, at = LLVMConstInt(i64, first, 0);
        for (int i = 0; i < 2; i++)
            parts[i] = call_overloaded(m, "llvm.vector.extract", 2, (LLVMTypeRef[]){part, m->type},
                                       2, (V[]){parts[i], at});
        V of_part = function(m, parts[0], parts[1], constant);
        result = call_overloaded(m, "llvm.vector.insert", 2, (LLVMTypeRef[]){m->type, part}, 3,
                                 (V[]){result, of_part, at});
    }
    return result;
}

/* y 2^n for an integral n: zero or infinity beyond the range of exponents. */
static V scale_lanes(const struct vecmath *m, V y, V n)
{
    return by_registers(m, scale_register, y, n, NULL);
}

bool vm_fixes(const struct vecmath *m)
{
    return is_scaled(m);
}

V vm_fix(const struct vecmath *m, V result, V argument, const enum vm_fixed fixed[VM_CLASSES])
{
    enum { BITS_OF_CLASS = 4 };
    V lanes[16];
    uint32_t table = 0;
    for (int class = 0; class < VM_CLASSES; class ++)
        table |= (uint32_t)fixed[class] << BITS_OF_CLASS * class;
    LLVMTypeRef scalar = LLVMGetElementType(vm_int_type(m));
    for (unsigned i = 0; i < register_lanes(m); i++)
        lanes[i] = LLVMConstInt(scalar, table, 0);
    return by_registers(m, fix_register, result, argument,
                        LLVMConstVector(lanes, register_lanes(m)));
}

/* ---- exp, expm1, tanh, logistic ----------------------------------------------------------------
 * x = n ln 2 + r with |r| <= ln 2 / 2. expm1(r) is computed from its Taylor series, with
 * coefficients 1/k!. */
struct reduced {
    V n, r;
};

/* x - n ln 2 */
static V reduce_exp_by(const struct vecmath *m, V x, V n)
{
    double hi = m->wide ? 0x1.62e42fee00000p-1 : 0x1.62e0000000000p-1;
    double lo = m->wide ? 0x1.a39ef35793c76p-33 : 3.19461832987666e-05;
    return vm_fma(m, n, vm_real(m, -lo), vm_fma(m, n, vm_real(m, -hi), x));
}

static struct reduced reduce_exp(const struct vecmath *m, V x, V tail)
{
    V n = vm_round(m, vm_mul(m, x, vm_real(m, 1.44269504088896340736)));
    V r = reduce_exp_by(m, x, n);
    return (struct reduced){n, tail ? vm_add(m, r, tail) : r};
}

/* (exp(r) - 1) / r for |r| <= 0.35: the sum of r^k / (k+1)!. */
static V exp_series(const struct vecmath *m, V r)
{
    double coefficients[13], factorial = 1;
    int count = m->wide ? 13 : 7;
    for (int k = 0; k < count; k++) {
        factorial *= k + 1;
        coefficients[count - 1 - k] = 1 / factorial;
    }
    return vm_polynomial(m, r, count, coefficients);
}

/* y * 2^n for n within twice the exponent range. Scales in two steps so that denormal results are
 * correct. */
static V scale(const struct vecmath *m, V y, V n)
{
    V half = vm_round(m, vm_mul(m, n, vm_real(m, 0.5)));
    y = vm_mul(m, y, vm_power_of_two(m, half));
    return vm_mul(m, y, vm_power_of_two(m, vm_sub(m, n, half)));
}

/* exp is 0 from here down. */
static double lowest_exp(const struct vecmath *m)
{
    return m->wide ? -746.0 : -104.0;
}

/* Clamps x to the range where exp(factor x) is neither 0 nor infinite. NaN stays NaN. */
static V clamp_exp(const struct vecmath *m, V x, double factor)
{
    double zero = lowest_exp(m) / factor, infinite = (m->wide ? 710 : 89) / factor;
    V low = vm_real(m, fmin(zero, infinite)), high = vm_real(m, fmax(zero, infinite));
    x = vm_select(m, vm_compare(m, LLVMRealOGT, x, high), high, x);
    return vm_select(m, vm_compare(m, LLVMRealOLT, x, low), low, x);
}

V vm_exp_with_tail(const struct vecmath *m, V x, V tail)
{
    V clamped = clamp_exp(m, x, 1), low = vm_real(m, lowest_exp(m));
    struct reduced e = reduce_exp(m, clamped, tail);
    V y = vm_fma(m, e.r, exp_series(m, e.r), vm_real(m, 1));
    /* Select results of 0 (masked scores) explicitly: underflow would cost about 100 cycles. */
    V vanishes = vm_compare(m, LLVMRealOLE, clamped, low);
    return scale(m, vm_select(m, vanishes, vm_real(m, 0), y), e.n);
}

/* exp(s) = 1 + s + s^2 q(s) with a relative error of 3e-9, where s = factor r */
static V exp_short(const struct vecmath *m, V r, double factor)
{
    static const double q[] = {0.001381459034159569, 0.008368716682500912, 0.04166838817219963,
                               0.1666652053355614, 0.4999999344744044};
    enum { COUNT = sizeof q / sizeof *q };
    double coefficients[COUNT], power = factor;
    for (int i = COUNT - 1; i >= 0; i--)
        coefficients[i] = q[i] * (power *= factor);
    V series = vm_polynomial(m, r, COUNT, coefficients);
    V inner = vm_fma(m, r, series, vm_real(m, factor));
    return vm_fma(m, r, inner, vm_real(m, 1));
}

/* exp(factor r) for |factor r| <= ln 2 / 2; the factor is 1 in double */
static V exp_of_reduced(const struct vecmath *m, V r, double factor)
{
    return m->wide ? vm_fma(m, r, exp_series(m, r), vm_real(m, 1)) : exp_short(m, r, factor);
}

/* factor x log2(e) rounded to an integer, which is in the low bits: adding 1.5 * 2^mantissa
 * rounds. */
static V shifted_exponent(const struct vecmath *m, V x, double factor, V magic)
{
    return vm_fma(m, x, vm_real(m, factor * 1.44269504088896340736), magic);
}

/* x - n ln 2 / factor. The first part of the quotient has all bits of the type: the fused
 * multiply-add that a factor requires does not round where so much cancels. */
static V reduce_multiple(const struct vecmath *m, V x, V n, double factor)
{
    double step = 0.693147180559945309 / factor, hi = (float)step;
    if (factor == 1)
        return reduce_exp_by(m, x, n);
    return vm_fma(m, n, vm_real(m, hi - step), vm_fma(m, n, vm_real(m, -hi), x));
}

/* y 2^n for y near 1, by adding n to the exponent: the result must be a normal number. */
static V add_exponent(const struct vecmath *m, V y, V shifted)
{
    V power = LLVMBuildShl(m->builder, vm_bits(m, shifted), vm_int(m, m->wide ? 52 : 23), "");
    return vm_from_bits(m, LLVMBuildAdd(m->builder, vm_bits(m, y), power, ""));
}

/* Where the processor scales, exponents beyond those of normal numbers give infinity and zero. */
static V exp_scaled(const struct vecmath *m, V x, double factor)
{
    V magic = vm_real(m, ldexp(1.5, m->wide ? 52 : 23));
    x = clamp_exp(m, x, factor); /* beyond which r would not be small */
    V n = vm_sub(m, shifted_exponent(m, x, factor, magic), magic);
    V r = reduce_multiple(m, x, n, factor);
    return scale_lanes(m, exp_of_reduced(m, r, factor), n);
}

/* exp(factor x): zero, infinity or a normal number. */
static V exp_of_normals(const struct vecmath *m, V x, double factor)
{
    if (is_scaled(m))
        return exp_scaled(m, x, factor);
    V magic = vm_real(m, ldexp(1.5, m->wide ? 52 : 23));
    V shifted = shifted_exponent(m, x, factor, magic);
    V r = reduce_multiple(m, x, vm_sub(m, shifted, magic), factor);
    V y = add_exponent(m, exp_of_reduced(m, r, factor), shifted);
    bool falls = factor < 0;
    /* the logarithms of the least and the largest normal number */
    V low = vm_real(m, (m->wide ? -0x1.6232bdd7abcd2p+9 : -0x1.5d589ep+6) / factor);
    V high = vm_real(m, (m->wide ? 0x1.62e42fefa39efp+9 : 0x1.62e42ep+6) / factor);
    y = vm_select(m, vm_compare(m, falls ? LLVMRealOGT : LLVMRealOLT, x, low), vm_real(m, 0), y);
    /* Infinity, or NaN for a NaN, whose payload has been added as if it were an exponent. */
    V infinity = vm_real(m, INFINITY);
    V above = falls ? vm_sub(m, infinity, x) : vm_add(m, x, infinity);
    return vm_select(m, vm_compare(m, falls ? LLVMRealULT : LLVMRealUGT, x, high), above, y);
}

V vm_exp_for_float(const struct vecmath *m, V x)
{
    V magic = vm_real(m, 0x1.8p52), shifted = shifted_exponent(m, x, 1, magic);
    V n = vm_sub(m, shifted, magic);
    V r = vm_fma(m, n, vm_real(m, -0.693147180559945309), x);
    return add_exponent(m, exp_short(m, r, 1), shifted);
}

V vecmath_exp(const struct vecmath *m, V x)
{
    return m->flushes ? exp_of_normals(m, x, 1) : vm_exp_with_tail(m, x, NULL);
}

bool vecmath_exp_takes_factor(const struct vecmath *m, double factor)
{
    return m->flushes && m->fma && !m->wide && fabs(factor) >= 0x1p-16 && fabs(factor) <= 0x1p16;
}

V vecmath_exp_of_multiple(const struct vecmath *m, V x, double factor)
{
    return exp_of_normals(m, x, factor);
}

/* exp(r) - 1 for |r| <= 0.35, as r + r^2 q(r): the first term is exact. In float, q is a polynomial
 * with an error of 1.4e-8, in double 1/2 + r/6 ... */
static V expm1_reduced(const struct vecmath *m, V r)
{
    static const double narrow[] = {0.0013898226944471447, 0.008366040759631392,
                                    0.041666854173984726, 0.16666548708160048, 0.5};
    double coefficients[12], factorial = 1;
    int count = 12;
    if (!m->wide)
        return vm_fma(m, vm_mul(m, r, r), vm_polynomial(m, r, 5, narrow), r);
    for (int k = 0; k < count; k++) {
        factorial *= k + 2;
        coefficients[count - 1 - k] = 1 / factorial;
    }
    V series = vm_polynomial(m, r, count, coefficients);
    return vm_fma(m, vm_mul(m, r, r), series, r);
}

/* 2^n exp(r) - 1 where 2^n is normal. */
static V expm1_scaled(const struct vecmath *m, V r, V n)
{
    V power = vm_power_of_two(m, n);
    return vm_fma(m, power, expm1_reduced(m, r), vm_sub(m, power, vm_real(m, 1)));
}

/* 2^n (exp(r) - 1) + (2^n - 1): exact under cancellation, because 2^n - 1 is exact. If x is so
 * large that subtracting 1 has no effect, n is capped and the result is scaled afterwards. */
V vecmath_expm1(const struct vecmath *m, V x)
{
    struct reduced e = reduce_exp(m, clamp_exp(m, x, 1), NULL);
    V cap = vm_real(m, m->wide ? 1000 : 120);
    V n = vm_select(m, vm_compare(m, LLVMRealOGT, e.n, cap), cap, e.n);
    V low = vm_real(m, m->wide ? -60 : -30);
    n = vm_select(m, vm_compare(m, LLVMRealOLT, n, low), low, n);
    V y = expm1_scaled(m, e.r, n);
    V over = vm_sub(m, e.n, n);
    V rest = vm_select(m, vm_compare(m, LLVMRealOGT, over, vm_real(m, 0)), over, vm_real(m, 0));
    y = vm_mul(m, y, vm_power_of_two(m, rest));
    V zero = vm_compare(m, LLVMRealOEQ, x, vm_real(m, 0)); /* preserves the sign of zero */
    return vm_select(m, zero, x, y);
}

/* `size`, whose sign bit is clear, with the sign of x: without the mask that copysign needs too */
static V with_sign_of(const struct vecmath *m, V size, V x)
{
    V mask = vm_bits(m, vm_real(m, -0.0));
    V sign = LLVMBuildAnd(m->builder, vm_bits(m, x), mask, "");
    return vm_from_bits(m, LLVMBuildOr(m->builder, vm_bits(m, size), sign, ""));
}

/* tanh w for |w| <= ln 2 / 4, as w + w^3 q(w^2): relative errors of 1.6e-10 and 4e-18 */
static V tanh_reduced(const struct vecmath *m, V w)
{
    static const double narrow[] = {-0.0527256671596425304, 0.133311788498267852,
                                    -0.333333226826568559};
    static const double wide[] = {0.00344467842307958214, -0.00885729581923014031,
                                  0.0218693703263548312,  -0.0539682527767803383,
                                  0.133333333327807079,   -0.333333333333324794};
    V square = vm_mul(m, w, w);
    V q = vm_polynomial(m, square, m->wide ? 6 : 3, m->wide ? wide : narrow);
    return vm_fma(m, vm_mul(m, w, square), q, w);
}

/* |x| = n ln 2 / 2 + w. With t = tanh w and h = 2^n / 2,
 *     tanh |x| = ((h + 1/2) t + h - 1/2) / ((h - 1/2) t + h + 1/2),
 * where the divisor is the dividend + 1 - t: so it is never less, and the result is at most 1 and
 * is t for n = 0. Everything is computed from -|x| and -t: then the mask of the sign is the only
 * one. The product n ln 2 / 2 need not be more exact for a large n, where tanh is flat.
 * The mode of programs would make denormals 0, but XLA leaves those of float as they are (not
 * those of double); both compare as equal to 0. */
V vecmath_tanh(const struct vecmath *m, V x)
{
    V minus = vm_neg(m, vm_abs(m, x)), limit = vm_real(m, m->wide ? -22 : -10);
    minus = vm_select(m, vm_compare(m, LLVMRealOLT, minus, limit), limit, minus);
    /* n + the bias - 1 in the low bits: see vm_power_of_two() */
    V magic = vm_real(m, m->wide ? 0x1.8p52 + 1022 : 0x1.8p23 + 126);
    V shifted = vm_fma(m, minus, vm_real(m, -2.88539008177792681472), magic);
    V w = vm_fma(m, vm_sub(m, shifted, magic), vm_real(m, 0.346573590279972654709), minus);
    V t = tanh_reduced(m, w), half = vm_real(m, 0.5);
    V h = LLVMBuildShl(m->builder, vm_bits(m, shifted), vm_int(m, m->wide ? 52 : 23), "");
    h = vm_from_bits(m, h);
    V dividend = vm_fma(m, vm_neg(m, vm_add(m, h, half)), t, vm_sub(m, h, half));
    V divisor = vm_add(m, dividend, vm_add(m, t, vm_real(m, 1)));
    V y = with_sign_of(m, vm_div(m, dividend, divisor), x);
    bool keeps = m->flushes && !m->wide;
    return keeps ? vm_select(m, vm_compare(m, LLVMRealOEQ, x, vm_real(m, 0)), x, y) : y;
}

/* Where denormals are flushed, exp(-x) is infinite only if the result is 0. */
static V logistic_of_normals(const struct vecmath *m, V x)
{
    V one = vm_real(m, 1);
    V e = vecmath_exp_takes_factor(m, -1) ? vecmath_exp_of_multiple(m, x, -1)
                                          : vecmath_exp(m, vm_neg(m, x));
    return vm_div(m, one, vm_add(m, one, e));
}

V vecmath_logistic(const struct vecmath *m, V x)
{
    if (m->flushes)
        return logistic_of_normals(m, x);
    V e = vecmath_exp(m, vm_neg(m, vm_abs(m, x)));
    V positive = vm_compare(m, LLVMRealOGE, x, vm_real(m, 0));
    return vm_div(m, vm_select(m, positive, vm_real(m, 1), e), vm_add(m, vm_real(m, 1), e));
}
