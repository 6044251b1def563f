/* vecmath_complex.c: absolute values, roots and arithmetic of complex numbers. */
#include "compiler/codegen/vecmath/vecmath_complex.h"

#include <math.h>

#include "compiler/codegen/vecmath/vecmath_ops.h"

typedef struct vecmath_complex Z;

static V constant(const struct vecmath *m, double of_float, double of_double)
{
    return vm_real(m, m->wide ? of_double : of_float);
}

static V larger(const struct vecmath *m, Z z) /* max(|re|, |im|), or NaN */
{
    return vm_call(m, "llvm.maximum", 2, (V[]){vm_abs(m, z.re), vm_abs(m, z.im)});
}

static V is_infinite(const struct vecmath *m, Z z)
{
    V re = vm_compare(m, LLVMRealOEQ, vm_abs(m, z.re), vm_real(m, HUGE_VAL));
    V im = vm_compare(m, LLVMRealOEQ, vm_abs(m, z.im), vm_real(m, HUGE_VAL));
    return LLVMBuildOr(m->builder, re, im, "");
}

static Z scale(const struct vecmath *m, Z z, V by)
{
    return (Z){vm_mul(m, z.re, by), vm_mul(m, z.im, by)};
}

static Z choose(const struct vecmath *m, V condition, Z a, Z b)
{
    return (Z){vm_select(m, condition, a.re, b.re), vm_select(m, condition, a.im, b.im)};
}

/* ---- arithmetic ------------------------------------------------------------------------------ */
Z vecmath_complex_add(const struct vecmath *m, Z x, Z y)
{
    return (Z){vm_add(m, x.re, y.re), vm_add(m, x.im, y.im)};
}

Z vecmath_complex_subtract(const struct vecmath *m, Z x, Z y)
{
    return (Z){vm_sub(m, x.re, y.re), vm_sub(m, x.im, y.im)};
}

/* The products are not contracted, so a number times its conjugate has an imaginary part of
 * zero. */
Z vecmath_complex_multiply(const struct vecmath *m, Z x, Z y)
{
    V re = vm_sub(m, vm_mul(m, x.re, y.re), vm_mul(m, x.im, y.im));
    return (Z){re, vm_add(m, vm_mul(m, x.re, y.im), vm_mul(m, x.im, y.re))};
}

/* x / y by Smith's method: divides by the larger part of y first, so that squares do not
 * overflow. The second part's numerator is not negated afterwards, so that zeros have its sign, as
 * with XLA's CPU backend. */
static Z divide_smith(const struct vecmath *m, Z x, Z y)
{
    V big = vm_compare(m, LLVMRealOGE, vm_abs(m, y.re), vm_abs(m, y.im));
    V large = vm_select(m, big, y.re, y.im), small = vm_select(m, big, y.im, y.re);
    V ratio = vm_div(m, small, large), divisor = vm_fma(m, small, ratio, large);
    V p = vm_select(m, big, x.re, x.im), q = vm_select(m, big, x.im, x.re);
    V minus_p = vm_select(m, big, vm_neg(m, p), p), plus_q = vm_select(m, big, q, vm_neg(m, q));
    V re = vm_div(m, vm_fma(m, q, ratio, p), divisor);
    return (Z){re, vm_div(m, vm_fma(m, minus_p, ratio, plus_q), divisor)};
}

/* Replaces each part with 1 if it is infinite, else with 0, keeping its sign. */
static Z box(const struct vecmath *m, Z z)
{
    V one = vm_real(m, 1), zero = vm_real(m, 0);
    V re = vm_compare(m, LLVMRealOEQ, vm_abs(m, z.re), vm_real(m, HUGE_VAL));
    V im = vm_compare(m, LLVMRealOEQ, vm_abs(m, z.im), vm_real(m, HUGE_VAL));
    return (Z){vm_copysign(m, vm_select(m, re, one, zero), z.re),
               vm_copysign(m, vm_select(m, im, one, zero), z.im)};
}

/* Applies Annex G to quotients that are NaN in both parts: division by zero, of infinities and by
 * infinities. */
static Z divide_special(const struct vecmath *m, Z x, Z y, Z quotient)
{
    LLVMBuilderRef b = m->builder;
    V zero = vm_real(m, 0), infinity = vm_real(m, HUGE_VAL);
    V lost = LLVMBuildAnd(b, vm_compare(m, LLVMRealUNO, quotient.re, zero),
                          vm_compare(m, LLVMRealUNO, quotient.im, zero), "");
    V signed_infinity = vm_copysign(m, infinity, y.re);
    V by_zero = vm_compare(m, LLVMRealOEQ, larger(m, y), zero);
    Z result =
        choose(m, LLVMBuildAnd(b, lost, by_zero, ""), scale(m, x, signed_infinity), quotient);

    V x_infinite = is_infinite(m, x), y_infinite = is_infinite(m, y);
    V x_finite = vm_compare(m, LLVMRealOLT, larger(m, x), infinity);
    V y_finite = vm_compare(m, LLVMRealOLT, larger(m, y), infinity);
    Z u = box(m, x), v = box(m, y);
    Z large = {vm_add(m, vm_mul(m, u.re, y.re), vm_mul(m, u.im, y.im)),
               vm_sub(m, vm_mul(m, u.im, y.re), vm_mul(m, u.re, y.im))};
    V some = LLVMBuildAnd(b, lost, LLVMBuildAnd(b, x_infinite, y_finite, ""), "");
    result = choose(m, LLVMBuildAnd(b, some, LLVMBuildNot(b, by_zero, ""), ""),
                    scale(m, large, infinity), result);
    Z small = {vm_add(m, vm_mul(m, x.re, v.re), vm_mul(m, x.im, v.im)),
               vm_sub(m, vm_mul(m, x.im, v.re), vm_mul(m, x.re, v.im))};
    some = LLVMBuildAnd(b, lost, LLVMBuildAnd(b, y_infinite, x_finite, ""), "");
    return choose(m, some, scale(m, small, zero), result);
}

/* Scales both operands to the middle of the exponent range first. */
Z vecmath_complex_divide(const struct vecmath *m, Z x, Z y)
{
    V one = vm_real(m, 1), size = larger(m, y), of_x = larger(m, x);
    V big = vm_compare(m, LLVMRealOGE, size, constant(m, 0x1p124, 0x1p1020));
    V tiny = vm_compare(m, LLVMRealOLE, size, constant(m, 0x1p-100, 0x1p-960));
    V both = vm_select(m, big, constant(m, 0x1p-4, 0x1p-4), one);
    both = vm_select(m, tiny, constant(m, 0x1p50, 0x1p110), both);
    V x_big = vm_compare(m, LLVMRealOGE, of_x, constant(m, 0x1p124, 0x1p1020));
    V down = vm_select(m, x_big, vm_real(m, 0x1p-4), one),
      up = vm_select(m, x_big, vm_real(m, 0x1p4), one);
    V factor = vm_mul(m, both, down);
    Z quotient = divide_smith(m, scale(m, x, factor), scale(m, y, both));
    return divide_special(m, x, y, scale(m, quotient, up));
}

/* ---- absolute value, sign -------------------------------------------------------------------- */
V vecmath_complex_abs(const struct vecmath *m, Z z)
{
    V a = vm_abs(m, z.re), b = vm_abs(m, z.im), zero = vm_real(m, 0),
      infinity = vm_real(m, HUGE_VAL);
    V more = vm_compare(m, LLVMRealOGT, a, b);
    V max = vm_select(m, more, a, b),
      min = vm_select(m, more, b, a); /* a NaN is in max or in min */
    V ratio = vm_div(m, min, max);
    V result = vm_mul(m, max, vecmath_sqrt(m, vm_fma(m, ratio, ratio, vm_real(m, 1))));
    result = vm_select(m, vm_compare(m, LLVMRealOEQ, max, zero), min, result);
    return vm_select(m, is_infinite(m, z), infinity, result);
}

Z vecmath_complex_sign(const struct vecmath *m, Z z)
{
    V size = larger(m, z), zero = vm_compare(m, LLVMRealOEQ, size, vm_real(m, 0));
    V tiny = vm_compare(m, LLVMRealOLT, size, constant(m, 0x1p-60, 0x1p-500));
    V huge = vm_compare(m, LLVMRealOGT, size, constant(m, 0x1p60, 0x1p500));
    V by = vm_select(m, tiny, constant(m, 0x1p90, 0x1p600), vm_real(m, 1));
    by = vm_select(m, huge, constant(m, 0x1p-66, 0x1p-600), by);
    Z scaled = scale(m, z, by);
    V length = vecmath_complex_abs(m, scaled);
    length = vm_select(m, vm_compare(m, LLVMRealUNO, size, size), size, length);
    return choose(m, zero, z, (Z){vm_div(m, scaled.re, length), vm_div(m, scaled.im, length)});
}

/* ---- roots ----------------------------------------------------------------------------------- */
/* Square root of a number that was scaled by a power of 4 so that nothing overflows. t = sqrt((|a|
 * + |z|) / 2) is the magnitude of the larger part; the other part is b / 2t. */
Z vecmath_complex_sqrt(const struct vecmath *m, Z z)
{
    V size = larger(m, z), zero = vm_real(m, 0), one = vm_real(m, 1),
      infinity = vm_real(m, HUGE_VAL);
    V big = vm_compare(m, LLVMRealOGT, size, constant(m, 0x1p120, 0x1p1000));
    V tiny = vm_compare(m, LLVMRealOLT, size, constant(m, 0x1p-80, 0x1p-900));
    V down = vm_select(m, big, vm_real(m, 0x1p-20),
                       vm_select(m, tiny, constant(m, 0x1p80, 0x1p200), one));
    V up = vm_select(m, big, vm_real(m, 0x1p10),
                     vm_select(m, tiny, constant(m, 0x1p-40, 0x1p-100), one));
    Z w = scale(m, z, down);
    V t = vm_add(m, vm_abs(m, w.re), vecmath_complex_abs(m, w));
    t = vecmath_sqrt(m, vm_mul(m, t, vm_real(m, 0.5)));
    V other = vm_div(m, vm_abs(m, w.im), vm_add(m, t, t));
    other = vm_select(m, vm_compare(m, LLVMRealOEQ, t, zero), vm_abs(m, z.im), other); /* z is 0 */
    t = vm_mul(m, t, up);
    other = vm_mul(m, other, up);
    V left = vm_compare(m, LLVMRealOLT, w.re, zero);
    V re = vm_select(m, left, other, t), im = vm_select(m, left, t, other);
    V im_infinite = vm_compare(m, LLVMRealOEQ, vm_abs(m, z.im), infinity);
    V re_infinite = vm_compare(m, LLVMRealOEQ, vm_abs(m, z.re), infinity);
    V im_nan = vm_compare(m, LLVMRealUNO, z.im, z.im);
    V far_im = vm_select(m, left, infinity, vm_select(m, im_nan, z.im, zero));
    V far_re = vm_select(m, left, vm_select(m, im_nan, z.im, zero), infinity);
    re = vm_select(m, im_infinite, infinity, vm_select(m, re_infinite, far_re, re));
    im = vm_select(m, im_infinite, infinity, vm_select(m, re_infinite, far_im, im));
    return (Z){re, vm_copysign(m, im, z.im)};
}

/* 1 / sqrt(z). 1 / 0 is an infinity with an imaginary part of zero. */
Z vecmath_complex_rsqrt(const struct vecmath *m, Z z)
{
    Z root = vecmath_complex_sqrt(m, z);
    Z one = {vm_real(m, 1), vm_real(m, 0)};
    return vecmath_complex_divide(m, one, root);
}

static Z polar(const struct vecmath *m, V radius, V angle)
{
    V sine, cosine;
    vecmath_sincos(m, angle, &sine, &cosine);
    return (Z){vm_mul(m, radius, cosine), vm_mul(m, radius, sine)};
}

Z vecmath_complex_cbrt(const struct vecmath *m, Z z)
{
    V angle = vm_div(m, vecmath_atan2(m, z.im, z.re), vm_real(m, 3));
    return polar(m, vecmath_cbrt(m, vecmath_complex_abs(m, z)), angle);
}
