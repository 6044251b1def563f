/* Logarithms, powers and cube roots. */
#include <math.h>
#include <stddef.h>

#include "compiler/codegen/vecmath/vecmath_ops.h"

/* x = 2^e (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)) */
struct split {
    V e, f;
    V exponent; /* e as an integer, in the exponent's bits */
};

/* x is positive, finite and normal. */
static struct split split_of_normal(const struct vecmath *m, V x)
{
    int mantissa = m->wide ? 52 : 23;
    LLVMBuilderRef b = m->builder;
    /* Subtracting the bits of sqrt(1/2) makes the exponent field change where 1 + f should wrap
     * around. */
    V root = m->wide ? vm_int(m, 0x3fe6a09e667f3bcd) : vm_int(m, 0x3f3504f3);
    V width = vm_int(m, mantissa), bits = vm_bits(m, x);
    V e = LLVMBuildAShr(b, LLVMBuildSub(b, bits, root, ""), width, "");
    V exponent = LLVMBuildShl(b, e, width, "");
    V one_and_f = vm_from_bits(m, LLVMBuildSub(b, bits, exponent, ""));
    return (struct split){vm_to_real(m, e), vm_sub(m, one_and_f, vm_real(m, 1)), exponent};
}

/* x is positive and finite; it may be denormal, unless these are flushed. `exponent` is that of
 * x scaled. */
static struct split split_of(const struct vecmath *m, V x)
{
    int mantissa = m->wide ? 52 : 23;
    if (m->flushes)
        return split_of_normal(m, x);
    V tiny = vm_compare(m, LLVMRealOLT, x, vm_real(m, m->wide ? 0x1p-1022 : 0x1p-126));
    V scaled = vm_select(m, tiny, vm_mul(m, x, vm_real(m, ldexp(1, mantissa))), x);
    struct split p = split_of_normal(m, scaled);
    p.e = vm_select(m, tiny, vm_sub(m, p.e, vm_real(m, mantissa)), p.e);
    return p;
}

/* log(1+f) = 2 atanh(s) with s = f / (2 + f). Returns the sum 2/3 z + 2/5 z^2 + ... for z = s^2. */
static V atanh_series(const struct vecmath *m, V z)
{
    double coefficients[11];
    int count = m->wide ? 11 : 5;
    for (int k = 0; k < count; k++)
        coefficients[count - 1 - k] = 2.0 / (2 * k + 3);
    return vm_mul(m, z, vm_polynomial(m, z, count, coefficients));
}

/* e ln 2 + log(1 + f) in double: f - (f^2/2 - (s (f^2/2 + R) + e lo)) + e hi. The large terms are
 * exact. */
static V log_sum_wide(const struct vecmath *m, V e, V f)
{
    V s = vm_div(m, f, vm_add(m, f, vm_real(m, 2)));
    V series = atanh_series(m, vm_mul(m, s, s));
    V half_square = vm_mul(m, vm_mul(m, f, f), vm_real(m, 0.5));
    V small = vm_fma(m, s, vm_add(m, half_square, series),
                     vm_mul(m, e, vm_real(m, 0x1.a39ef35793c76p-33)));
    V y = vm_sub(m, f, vm_sub(m, half_square, small));
    return vm_fma(m, e, vm_real(m, 0x1.62e42fee00000p-1), y);
}

/* f - s (f - R) + e ln 2. The series is a polynomial with an error of 8e-10. ln 2 is in two parts
 * where the product is rounded. */
static V log_sum(const struct vecmath *m, V e, V f)
{
    static const double series[] = {0.29871351754339415, 0.3997755987266819, 0.666667761882896};
    if (m->wide)
        return log_sum_wide(m, e, f);
    V one = vm_real(m, 1), s = vm_div(m, f, vm_add(m, vm_add(m, f, one), one));
    V z = vm_mul(m, s, s);
    V rest = vm_fma(m, vm_neg(m, z), vm_polynomial(m, z, 3, series), f);
    V y = vm_fma(m, vm_neg(m, s), rest, f);
    if (m->fma)
        return vm_fma(m, e, vm_real(m, 0.693147180559945309), y);
    y = vm_add(m, y, vm_mul(m, e, vm_real(m, 3.19461832987666e-05)));
    return vm_add(m, y, vm_mul(m, e, vm_real(m, 0x1.62e0000000000p-1)));
}

/* The logarithm of zero, negative numbers, infinity and NaN. */
static V log_edges(const struct vecmath *m, V x, V y)
{
    static const enum vm_fixed fixed[VM_CLASSES] = {
        [VM_QUIET_NAN] = VM_NAN_OF_CLASSIFIED, [VM_SIGNALING_NAN] = VM_NAN_OF_CLASSIFIED,
        [VM_ZERO] = VM_MINUS_INFINITY,         [VM_MINUS_INFINITE] = VM_NAN,
        [VM_PLUS_INFINITE] = VM_PLUS_INFINITY, [VM_NEGATIVE] = VM_NAN};
    if (vm_fixes(m))
        return vm_fix(m, y, x, fixed);
    V infinity = vm_real(m, INFINITY);
    V negative = LLVMBuildICmp(m->builder, LLVMIntSLT, vm_bits(m, x), vm_int(m, 0), "");
    y = vm_select(m, negative, vm_real(m, NAN), y);
    y = vm_select(m, vm_compare(m, LLVMRealUGE, x, infinity), x, y); /* NaN, too */
    V zero = vm_compare(m, LLVMRealOEQ, x, vm_real(m, 0));
    return vm_select(m, zero, vm_real(m, -INFINITY), y);
}

V vecmath_log(const struct vecmath *m, V x)
{
    struct split p = split_of(m, x);
    return log_edges(m, x, log_sum(m, p.e, p.f));
}

/* 1 + x is rounded to u = 2^e (1 + f); what is lost is added to f. The sign of x is that of the
 * result, zero included. */
V vecmath_log1p(const struct vecmath *m, V x)
{
    LLVMBuilderRef b = m->builder;
    V one = vm_real(m, 1), u = vm_add(m, one, x);
    V lost = vm_sub(m, x, vm_sub(m, u, one));
    struct split p = split_of_normal(m, u);
    V power = LLVMBuildSub(b, vm_bits(m, one), p.exponent, ""); /* the bits of 2^-e, or negative */
    V least = vm_int(m, 0);
    power = vm_call(m, "llvm.smax", 2, (V[]){power, least});
    power = vm_from_bits(m, power);
    V y = log_edges(m, u, log_sum(m, p.e, vm_fma(m, lost, power, p.f)));
    V sign = LLVMBuildAnd(b, vm_bits(m, x), vm_bits(m, vm_real(m, -0.0)), "");
    return vm_from_bits(m, LLVMBuildOr(b, vm_bits(m, y), sign, ""));
}

/* ---- pow ------------------------------------------------------------------------------------- */
/* The number hi + lo, where |lo| is at most about half an ulp of hi. */
struct pair {
    V hi, lo;
};

static struct pair add_fast(const struct vecmath *m, V a, V b) /* requires |a| >= |b| */
{
    V sum = vm_add(m, a, b);
    return (struct pair){sum, vm_sub(m, b, vm_sub(m, sum, a))};
}

/* log |x| in double, to about 2^-65. The division by which s is computed is corrected by its
 * remainder; only the small part of the series is rounded. */
static struct pair log_pair(const struct vecmath *m, V x)
{
    struct split p = split_of(m, x);
    V two = vm_real(m, 2), d = vm_add(m, two, p.f);
    V d_low = vm_sub(m, p.f, vm_sub(m, d, two));
    V s = vm_div(m, p.f, d);
    V rest = vm_sub(m, vm_fma(m, vm_neg(m, s), d, p.f), vm_mul(m, s, d_low));
    V s_low = vm_div(m, rest, d);
    V tail = vm_fma(m, s, atanh_series(m, vm_mul(m, s, s)), vm_add(m, s_low, s_low));
    V e_hi = vm_mul(m, p.e, vm_real(m, 0x1.62e42fee00000p-1));
    struct pair sum = add_fast(m, e_hi, vm_add(m, s, s));
    V apart = vm_compare(m, LLVMRealOEQ, p.e, vm_real(m, 0));
    V hi = vm_select(m, apart, vm_add(m, s, s), sum.hi);
    V lo = vm_select(m, apart, vm_real(m, 0), sum.lo);
    lo = vm_add(m, lo, vm_fma(m, p.e, vm_real(m, 0x1.a39ef35793c76p-33), tail));
    return add_fast(m, hi, lo);
}

static V is_integer(const struct vecmath *m, V y)
{
    return vm_compare(m, LLVMRealOEQ, vm_round(m, y), y);
}

static V or_(const struct vecmath *m, V a, V b)
{
    return LLVMBuildOr(m->builder, a, b, "");
}
static V and_(const struct vecmath *m, V a, V b)
{
    return LLVMBuildAnd(m->builder, a, b, "");
}

/* Zero, infinite and negative bases; infinite exponents; pow(1, y) and pow(x, 0). */
static V pow_edges(const struct vecmath *m, V x, V y, V result)
{
    V zero = vm_real(m, 0), one = vm_real(m, 1), infinity = vm_real(m, INFINITY);
    V magnitude = vm_abs(m, x);
    V grows = vm_compare(m, LLVMRealOGT, y, zero);
    V base_zero = vm_compare(m, LLVMRealOEQ, x, zero);
    V base_infinite = vm_compare(m, LLVMRealOEQ, magnitude, infinity);
    result = vm_select(m, base_zero, vm_select(m, grows, zero, infinity), result);
    result = vm_select(m, base_infinite, vm_select(m, grows, infinity, zero), result);
    V infinite = vm_compare(m, LLVMRealOEQ, vm_abs(m, y), infinity);
    V above = vm_compare(m, LLVMRealOGT, magnitude, one);
    V diverges = LLVMBuildXor(m->builder, above, vm_compare(m, LLVMRealOLT, y, zero), "");
    V limit = vm_select(m, diverges, infinity, zero);
    limit = vm_select(m, vm_compare(m, LLVMRealOEQ, magnitude, one), one, limit);
    result = vm_select(m, infinite, limit, result);

    V whole = is_integer(m, y);
    V half = vm_mul(m, y, vm_real(m, 0.5));
    V odd = and_(m, whole, vm_compare(m, LLVMRealUNE, vm_round(m, half), half));
    odd = and_(m, odd, vm_compare(m, LLVMRealONE, vm_abs(m, y), infinity));
    V signed_result = vm_copysign(m, result, x);
    result = vm_select(m, odd, signed_result, result);
    V negative = and_(m, vm_compare(m, LLVMRealOLT, x, zero),
                      vm_compare(m, LLVMRealONE, magnitude, infinity));
    V undefined = and_(m, negative, LLVMBuildNot(m->builder, or_(m, whole, infinite), ""));
    undefined = or_(m, undefined, vm_compare(m, LLVMRealUNO, x, y));
    result = vm_select(m, undefined, vm_real(m, NAN), result);
    V trivial = or_(m, vm_compare(m, LLVMRealOEQ, x, one), vm_compare(m, LLVMRealOEQ, y, zero));
    return vm_select(m, trivial, one, result);
}

static V pow_wide(const struct vecmath *m, V x, V y)
{
    struct pair l = log_pair(m, vm_abs(m, x));
    V bound = vm_real(m, 0x1p64); /* keeps the product finite; exp saturates much earlier */
    V capped = vm_select(m, vm_compare(m, LLVMRealOGT, y, bound), bound, y);
    capped =
        vm_select(m, vm_compare(m, LLVMRealOLT, y, vm_neg(m, bound)), vm_neg(m, bound), capped);
    V product = vm_mul(m, capped, l.hi);
    V tail = vm_fma(m, capped, l.lo, vm_fma(m, capped, l.hi, vm_neg(m, product)));
    V in_range = vm_compare(m, LLVMRealOLT, vm_abs(m, product), vm_real(m, 800));
    tail = vm_select(m, in_range, tail, vm_real(m, 0));
    return pow_edges(m, x, y, vm_exp_with_tail(m, product, tail));
}

/* exp(y log |x|) in double with the precision that float needs: log to 5e-12, exp to 3e-9. No float
 * is denormal as a double. */
static V pow_narrow(const struct vecmath *m, V x, V y)
{
    static const double series[] = {0.23581923211053762, 0.28537324673223063, 0.40000334858941233,
                                    0.6666666564735447};
    struct split p = split_of_normal(m, vm_abs(m, x));
    V s = vm_div(m, p.f, vm_add(m, p.f, vm_real(m, 2))), z = vm_mul(m, s, s);
    V log = vm_fma(m, vm_mul(m, s, z), vm_polynomial(m, z, 4, series), vm_add(m, s, s));
    log = vm_fma(m, p.e, vm_real(m, 0.693147180559945309), log);
    V product = vm_mul(m, y, log), high = vm_real(m, 200), low = vm_real(m, -200);
    product = vm_select(m, vm_compare(m, LLVMRealOGT, product, high), high, product);
    product = vm_select(m, vm_compare(m, LLVMRealOLT, product, low), low, product);
    return vm_exp_for_float(m, product);
}

V vecmath_pow(const struct vecmath *m, V x, V y)
{
    if (m->wide)
        return pow_wide(m, x, y);
    struct vecmath w = vm_widened(m);
    V result = vm_narrow(m, pow_narrow(&w, vm_widen(m, x), vm_widen(m, y)));
    return pow_edges(m, x, y, result);
}

/* sqrt(x), but as powers are at infinity and zero: positive. */
static V positive_root(const struct vecmath *m, V x)
{
    V infinite = vm_compare(m, LLVMRealOEQ, x, vm_real(m, -INFINITY));
    return vm_select(m, infinite, vm_real(m, INFINITY), vm_abs(m, vecmath_sqrt(m, x)));
}

/* x ** 1.5, or x ** -0.5 if `inverse`: rounded twice, so in double for float. */
static V pow_rounded_twice(const struct vecmath *m, V x, bool inverse)
{
    if (!m->wide) {
        struct vecmath w = vm_widened(m);
        return vm_narrow(m, pow_rounded_twice(&w, vm_widen(m, x), inverse));
    }
    V root = positive_root(m, x);
    return inverse ? vm_div(m, vm_real(m, 1), root) : vm_mul(m, vm_abs(m, x), root);
}

V vecmath_pow_constant(const struct vecmath *m, V x, V y)
{
    if (y == vm_real(m, 0.5))
        return positive_root(m, x);
    if (y == vm_real(m, 1.5) || y == vm_real(m, -0.5))
        return pow_rounded_twice(m, x, y == vm_real(m, -0.5));
    if (y == vm_real(m, -1))
        return vm_div(m, vm_real(m, 1), x);
    if (y == vm_real(m, 3)) /* as XLA computes it */
        return vm_mul(m, vm_mul(m, x, x), x);
    return NULL;
}

/* ---- cbrt --------------------------------------------------------------------------------------
 * Dividing the bits by three divides the exponent and, roughly, the logarithm by three. Each step
 * of Halley's iteration triples the number of correct bits: 5, 16, 48, all. */
static V cbrt_wide(const struct vecmath *m, V x)
{
    LLVMBuilderRef b = m->builder;
    V a = vm_abs(m, x);
    V tiny = vm_compare(m, LLVMRealOLT, a, vm_real(m, 0x1p-900)); /* differences may underflow */
    V huge = vm_compare(m, LLVMRealOGT, a, vm_real(m, 0x1p1000)); /* its cube would overflow */
    V scale = vm_select(m, huge, vm_real(m, 0x1p-54), vm_real(m, 1));
    V scaled = vm_mul(m, a, vm_select(m, tiny, vm_real(m, 0x1p54), scale));
    /* In double precision, divides only the upper half of the bits by three. */
    V high = LLVMBuildLShr(b, vm_bits(m, scaled), vm_int(m, 32), "");
    V third = LLVMBuildUDiv(b, high, vm_int(m, 3), "");
    V guess = LLVMBuildShl(b, LLVMBuildAdd(b, third, vm_int(m, 715094163), ""), vm_int(m, 32), "");
    V y = vm_from_bits(m, guess);
    for (int i = 0; i < 3; i++) {
        V cube = vm_mul(m, vm_mul(m, y, y), y);
        V up = vm_sub(m, cube, scaled), down = vm_fma(m, vm_real(m, 2), cube, scaled);
        y = vm_fma(m, vm_neg(m, y), vm_div(m, up, down), y);
    }
    V back = vm_select(m, huge, vm_real(m, 0x1p18), vm_real(m, 1));
    y = vm_mul(m, y, vm_select(m, tiny, vm_real(m, 0x1p-18), back));
    V zero = vm_compare(m, LLVMRealOEQ, x, vm_real(m, 0)), none = vm_real(m, 0);
    V edge = vm_compare(m, LLVMRealUNO, x, x);
    edge = LLVMBuildOr(b, edge, vm_compare(m, LLVMRealOEQ, a, vm_real(m, INFINITY)), "");
    y = vm_copysign(m, vm_select(m, zero, none, y), x); /* zero if x is flushed */
    return vm_select(m, edge, x, y);
}

V vecmath_cbrt(const struct vecmath *m, V x)
{
    if (m->wide)
        return cbrt_wide(m, x);
    struct vecmath w = vm_widened(m);
    return vm_narrow(m, cbrt_wide(&w, vm_widen(m, x)));
}
