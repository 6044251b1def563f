/* Logarithms, powers and cube roots. */
#include <math.h>

#include "compiler/codegen/vecmath/vecmath_ops.h"

/* x = 2^e (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)). */
struct split {
    V e, f;
};

static int mantissa_bits(const struct vecmath *m)
{
    return m->wide ? 52 : 23;
}

/* x is positive, finite and not denormal. */
static struct split split_normal(const struct vecmath *m, V x)
{
    LLVMBuilderRef b = m->builder;
    /* Subtracting the bits of sqrt(1/2) makes the exponent field change where 1 + f should wrap
     * around. */
    V root = m->wide ? vm_int(m, 0x3fe6a09e667f3bcd) : vm_int(m, 0x3f3504f3);
    V shifted = LLVMBuildSub(b, vm_bits(m, x), root, "");
    V exponent = LLVMBuildAShr(b, shifted, vm_int(m, mantissa_bits(m)), "");
    V mask = vm_int(m, (INT64_C(1) << mantissa_bits(m)) - 1);
    V bits = LLVMBuildAdd(b, LLVMBuildAnd(b, shifted, mask, ""), root, "");
    return (struct split){vm_to_real(m, exponent), vm_sub(m, vm_from_bits(m, bits), vm_real(m, 1))};
}

/* x is positive and finite; it may be denormal. */
static struct split split_of(const struct vecmath *m, V x)
{
    int mantissa = mantissa_bits(m);
    V tiny = vm_compare(m, LLVMRealOLT, x, vm_real(m, m->wide ? 0x1p-1022 : 0x1p-126));
    x = vm_select(m, tiny, vm_mul(m, x, vm_real(m, ldexp(1, mantissa))), x);
    struct split p = split_normal(m, x);
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

/* The logarithm of zero, negative numbers, infinity and NaN. */
static V log_edges(const struct vecmath *m, V x, V y)
{
    V infinity = vm_real(m, INFINITY), zero = vm_real(m, 0);
    y = vm_select(m, vm_compare(m, LLVMRealOEQ, x, zero), vm_real(m, -INFINITY), y);
    y = vm_select(m, vm_compare(m, LLVMRealULT, x, zero), vm_real(m, NAN), y);
    return vm_select(m, vm_compare(m, LLVMRealOEQ, x, infinity), infinity, y);
}

static V log_of_split(const struct vecmath *m, struct split p)
{
    double hi = m->wide ? 0x1.62e42fee00000p-1 : 0x1.62e0000000000p-1;
    double lo = m->wide ? 0x1.a39ef35793c76p-33 : 3.19461832987666e-05;
    V s = vm_div(m, p.f, vm_add(m, p.f, vm_real(m, 2)));
    V series = atanh_series(m, vm_mul(m, s, s));
    V half_square = vm_mul(m, vm_mul(m, p.f, p.f), vm_real(m, 0.5));
    /* f - (f^2/2 - (s (f^2/2 + R) + e lo)) + e hi: the large terms are exact. */
    V small = vm_fma(m, s, vm_add(m, half_square, series), vm_mul(m, p.e, vm_real(m, lo)));
    V y = vm_sub(m, p.f, vm_sub(m, half_square, small));
    return vm_fma(m, p.e, vm_real(m, hi), y);
}

V vecmath_log(const struct vecmath *m, V x)
{
    return log_edges(m, x, log_of_split(m, split_of(m, x)));
}

/* 1 + x is never denormal. Its rounding error is negligible where x is large, NaN where x is
 * infinite. */
V vecmath_log1p(const struct vecmath *m, V x)
{
    V one = vm_real(m, 1), zero = vm_real(m, 0), u = vm_add(m, one, x);
    V lost = vm_sub(m, x, vm_sub(m, u, one)); /* the rounding error of 1 + x */
    V y = vm_add(m, log_of_split(m, split_normal(m, u)), vm_div(m, lost, u));
    y = log_edges(m, u, y);
    V is_zero = vm_compare(m, LLVMRealOEQ, x, zero);
    return vm_select(m, is_zero, vm_copysign(m, zero, x), y); /* zero if x is flushed */
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

V vecmath_pow(const struct vecmath *m, V x, V y)
{
    if (m->wide)
        return pow_wide(m, x, y);
    struct vecmath w = vm_widened(m);
    return vm_narrow(m, pow_wide(&w, vm_widen(m, x), vm_widen(m, y)));
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
