/* vecmath_complex_exp.c: exponentials, logarithms and trigonometric functions of complex
 * numbers. */
#include "compiler/codegen/vecmath/vecmath_complex.h"

#include <math.h>

#include "compiler/codegen/vecmath/vecmath_ops.h"

typedef struct vecmath_complex Z;

static V constant(const struct vecmath *m, double of_float, double of_double)
{
    return vm_real(m, m->wide ? of_double : of_float);
}

static V both(const struct vecmath *m, V a, V b)
{
    return LLVMBuildAnd(m->builder, a, b, "");
}

static V is_zero(const struct vecmath *m, V a)
{
    return vm_compare(m, LLVMRealOEQ, a, vm_real(m, 0));
}

/* ---- sums of squares with their rounding errors ---------------------------------------------- */
struct sum {
    V value, rest;
};

/* a * a exactly: with fused multiply-add, or from halves (Dekker). */
static struct sum square(const struct vecmath *m, V a)
{
    V value = vm_mul(m, a, a);
    if (m->fma)
        return (struct sum){value, vm_fma(m, a, a, vm_neg(m, value))};
    V split = vm_mul(m, a, constant(m, 4097, 134217729));
    V high = vm_sub(m, split, vm_sub(m, split, a)), low = vm_sub(m, a, high);
    V rest = vm_sub(m, vm_mul(m, high, high), value);
    V cross = vm_mul(m, high, low);
    rest = vm_add(m, rest, vm_add(m, cross, cross));
    return (struct sum){value, vm_add(m, rest, vm_mul(m, low, low))};
}

static struct sum add_exactly(const struct vecmath *m, V a, V b)
{
    V value = vm_add(m, a, b), of_b = vm_sub(m, value, a);
    V rest = vm_add(m, vm_sub(m, a, vm_sub(m, value, of_b)), vm_sub(m, b, of_b));
    return (struct sum){value, rest};
}

/* a^2 + b^2 + c, rounded almost only once even when the terms cancel. */
static V sum_of_squares(const struct vecmath *m, V a, V b, V c)
{
    struct sum p = square(m, a), q = square(m, b);
    struct sum s = add_exactly(m, c, p.value), t = add_exactly(m, s.value, q.value);
    V rest = vm_add(m, vm_add(m, s.rest, t.rest), vm_add(m, p.rest, q.rest));
    return vm_add(m, t.value, rest);
}

/* ---- logarithms ------------------------------------------------------------------------------ */
/* log |z|: log1p(|z|^2 - 1) / 2 if |z| may be near 1; else the log of the larger part plus a
 * correction. */
static V log_abs(const struct vecmath *m, Z z)
{
    V a = vm_abs(m, z.re), b = vm_abs(m, z.im), one = vm_real(m, 1), half = vm_real(m, 0.5);
    V more = vm_compare(m, LLVMRealOGT, a, b);
    V max = vm_select(m, more, a, b), min = vm_select(m, more, b, a);
    V near = both(m, vm_compare(m, LLVMRealOGT, max, half),
                  vm_compare(m, LLVMRealOLT, max, vm_real(m, 1.5)));
    V excess = sum_of_squares(m, max, min, vm_real(m, -1));
    V ratio = vm_div(m, min, max);
    ratio = vm_select(m, is_zero(m, max), min, ratio); /* avoids 0 / 0; min may be NaN */
    V inside = vm_select(m, near, excess, vm_mul(m, ratio, ratio));
    V result = vm_mul(m, half, vecmath_log1p(m, inside));
    V outer = vecmath_log(m, vm_select(m, near, one, max));
    result = vm_add(m, outer, result);
    V infinity = vm_real(m, HUGE_VAL);
    V far = LLVMBuildOr(m->builder, vm_compare(m, LLVMRealOEQ, a, infinity),
                        vm_compare(m, LLVMRealOEQ, b, infinity), "");
    return vm_select(m, far, infinity, result);
}

Z vecmath_complex_log(const struct vecmath *m, Z z)
{
    return (Z){log_abs(m, z), vecmath_atan2(m, z.im, z.re)};
}

/* For a < -1/2, 1 + a is exact. Otherwise log |1 + z| = log1p(2 a + a^2 + b^2) / 2, unless that is
 * large. */
Z vecmath_complex_log1p(const struct vecmath *m, Z z)
{
    V two = vm_real(m, 2), moved = vm_add(m, z.re, vm_real(m, 1));
    V near = both(m, vm_compare(m, LLVMRealOGE, z.re, vm_real(m, -0.5)),
                  vm_compare(m, LLVMRealOLT, z.re, two));
    near = both(m, near, vm_compare(m, LLVMRealOLT, vm_abs(m, z.im), two));
    V tiny = vm_compare(m, LLVMRealOLT, vm_abs(m, z.im), constant(m, 0x1p-60, 0x1p-500));
    V part = vm_select(m, tiny, vm_real(m, 0), z.im); /* the squares' errors would underflow */
    V excess = sum_of_squares(m, z.re, part, vm_add(m, z.re, z.re));
    V small = vm_compare(m, LLVMRealOLT, vm_abs(m, z.re), constant(m, 0x1p-60, 0x1p-500));
    V simple = vm_fma(m, z.im, z.im, vm_add(m, z.re, z.re));
    excess = vm_select(m, small, simple, excess);
    V close =
        vm_mul(m, vm_real(m, 0.5), vecmath_log1p(m, vm_select(m, near, excess, vm_real(m, 0))));
    V re = vm_select(m, near, close, log_abs(m, (Z){moved, z.im}));
    return (Z){re, vecmath_atan2(m, z.im, moved)};
}

/* ---- exponentials ---------------------------------------------------------------------------- */
/* exp(a) * `factor` (about 1) * (cos b, sin b). Beyond the range of exp(a), scales in two steps. */
static Z exp_times(const struct vecmath *m, V a, double factor, V cosine, V sine)
{
    V limit = constant(m, 80, 700), high = vm_compare(m, LLVMRealOGT, a, limit);
    V base = vecmath_exp(m, vm_select(m, high, vm_sub(m, a, limit), a));
    V beyond = constant(m, 5.54062238439351e34 * factor, 1.0142320547350045e304 * factor);
    V rest = vm_select(m, high, beyond, vm_real(m, factor)), none = is_zero(m, base),
      zero = vm_real(m, 0);
    V re = vm_mul(m, base, vm_mul(m, cosine, rest)), im = vm_mul(m, base, vm_mul(m, sine, rest));
    V no_re =
        LLVMBuildOr(m->builder, none, is_zero(m, cosine), ""); /* avoid infinity * 0 and 0 * NaN */
    V no_im = LLVMBuildOr(m->builder, none, is_zero(m, sine), "");
    re = vm_select(m, no_re, vm_copysign(m, zero, cosine), re);
    return (Z){re, vm_select(m, no_im, vm_copysign(m, zero, sine), im)};
}

Z vecmath_complex_exp(const struct vecmath *m, Z z)
{
    V sine, cosine;
    vecmath_sincos(m, z.im, &sine, &cosine);
    Z result = exp_times(m, z.re, 1, cosine, sine);
    V real = is_zero(m, z.im);
    return (Z){result.re, vm_select(m, real, z.im, result.im)};
}

/* Real part: expm1(a) cos b - (1 - cos b). If b is NaN or infinite the result is NaN, even for a =
 * -infinity. */
Z vecmath_complex_expm1(const struct vecmath *m, Z z)
{
    V sine, cosine, one = vm_real(m, 1);
    vecmath_sincos(m, z.im, &sine, &cosine);
    Z whole = exp_times(m, z.re, 1, cosine, sine);
    V near =
        vm_compare(m, LLVMRealOGT, cosine, vm_real(m, 0.5)); /* 1 - cos b = sin^2 b / (1 + cos b) */
    V down = vm_div(m, vm_mul(m, sine, sine), vm_add(m, one, cosine));
    down = vm_select(m, near, down, vm_sub(m, one, cosine));
    V re = vm_fma(m, vecmath_expm1(m, z.re), cosine, vm_neg(m, down));
    V large = vm_compare(m, LLVMRealOGT, z.re, constant(m, 40, 80));
    V im = vm_select(m, vm_compare(m, LLVMRealUNO, sine, sine), sine, whole.im);
    im = vm_select(m, is_zero(m, z.im), z.im, im);
    return (Z){vm_select(m, large, whole.re, re), im};
}

Z vecmath_complex_logistic(const struct vecmath *m, Z z)
{
    V one = vm_real(m, 1), right = vm_compare(m, LLVMRealOGE, z.re, vm_real(m, 0));
    Z in = {vm_neg(m, vm_abs(m, z.re)), vm_select(m, right, vm_neg(m, z.im), z.im)};
    Z power = vecmath_complex_exp(m, in);
    Z over = {vm_select(m, right, one, power.re), vm_select(m, right, vm_real(m, 0), power.im)};
    Z under = {vm_add(m, one, power.re), power.im};
    return vecmath_complex_divide(m, over, under);
}

/* ---- trigonometric --------------------------------------------------------------------------- */
/* sinh a and cosh a, from expm1. */
static void hyperbolic(const struct vecmath *m, V a, V *sinh, V *cosh)
{
    V one = vm_real(m, 1), half = vm_real(m, 0.5), less = vecmath_expm1(m, vm_abs(m, a));
    V grown = vm_add(m, less, one);
    V shrunk = vm_div(m, less, grown);
    V infinite = vm_compare(m, LLVMRealOEQ, less, vm_real(m, HUGE_VAL));
    shrunk = vm_select(m, infinite, one, shrunk);
    *sinh = vm_copysign(m, vm_mul(m, half, vm_add(m, less, shrunk)), a);
    *cosh = vm_mul(m, half, vm_add(m, grown, vm_div(m, one, grown)));
}

/* (cosh b * c, sinh b * s). Where exp overflows or almost does, both are exp(|b|) / 2. */
static Z grow(const struct vecmath *m, V b, V c, V s)
{
    V sinh, cosh, size = vm_abs(m, b), one = vm_copysign(m, vm_real(m, 1), b);
    hyperbolic(m, b, &sinh, &cosh);
    V large = vm_compare(m, LLVMRealOGT, size, constant(m, 80, 700));
    Z far = exp_times(m, size, 0.5, c, vm_mul(m, one, s));
    V im = vm_select(m, is_zero(m, b), vm_mul(m, b, s), vm_mul(m, sinh, s));
    return (Z){vm_select(m, large, far.re, vm_mul(m, cosh, c)), vm_select(m, large, far.im, im)};
}

Z vecmath_complex_sin(const struct vecmath *m, Z z)
{
    V sine, cosine;
    vecmath_sincos(m, z.re, &sine, &cosine);
    return grow(m, z.im, sine, cosine);
}

Z vecmath_complex_cos(const struct vecmath *m, Z z)
{
    V sine, cosine;
    vecmath_sincos(m, z.re, &sine, &cosine);
    return grow(m, z.im, cosine, vm_neg(m, sine));
}

/* Zero with the sign of x; +0 if x is NaN, whose sign depends on how it came about. */
static V zero_of_sign(const struct vecmath *m, V x)
{
    V zero = vm_real(m, 0), is_nan = vm_compare(m, LLVMRealUNO, x, x);
    return vm_select(m, is_nan, zero, vm_copysign(m, zero, x));
}

/* (sinh x cosh x + i sin y cos y) / (sinh^2 x + cos^2 y). For large |x|: +-1 + 4 i sin y cos y
 * exp(-2 |x|). */
Z vecmath_complex_tanh(const struct vecmath *m, Z z)
{
    V sinh, cosh, limit = constant(m, 12, 24), size = vm_abs(m, z.re);
    V large = vm_compare(m, LLVMRealOGT, size, limit);
    hyperbolic(m, vm_select(m, large, limit, z.re), &sinh, &cosh);
    V sine, cosine;
    vecmath_sincos(m, z.im, &sine, &cosine);
    V both_angles = vm_mul(m, sine, cosine);
    V under = vm_fma(m, sinh, sinh, vm_mul(m, cosine, cosine));
    V re = vm_div(m, vm_mul(m, sinh, cosh), under), im = vm_div(m, both_angles, under);
    V shrink = vecmath_exp(m, vm_mul(m, vm_real(m, -2), size));
    V far = vm_mul(m, vm_mul(m, vm_real(m, 4), both_angles), shrink);
    V zero = vm_mul(m, vm_real(m, 0), both_angles); /* NaN if y is not finite */
    V infinite = vm_compare(m, LLVMRealOEQ, size, vm_real(m, HUGE_VAL)); /* then y is ignored */
    zero = vm_select(m, infinite, zero_of_sign(m, both_angles), zero);
    far = vm_select(m, is_zero(m, shrink), zero, far);
    re = vm_select(m, large, vm_add(m, vm_copysign(m, vm_real(m, 1), z.re), zero), re);
    im = vm_select(m, large, far, im);
    return (Z){re, vm_select(m, is_zero(m, z.im), z.im, im)};
}

/* tan z = -i tanh(i z) */
Z vecmath_complex_tan(const struct vecmath *m, Z z)
{
    Z rotated = vecmath_complex_tanh(m, (Z){vm_neg(m, z.im), z.re});
    return (Z){rotated.im, vm_neg(m, rotated.re)};
}

/* ---- two arguments --------------------------------------------------------------------------- */
/* |x|^c exp(-d arg x) at the angle c arg x + d log |x|. A power of zero is 0 where c > 0, or 1 for
 * exponent 0, or NaN; a real power of the positive infinity is real. */
Z vecmath_complex_pow(const struct vecmath *m, Z x, Z y)
{
    V zero = vm_real(m, 0), one = vm_real(m, 1), infinity = vm_real(m, HUGE_VAL);
    V radius = vecmath_complex_abs(m, x), angle = vecmath_atan2(m, x.im, x.re), log = log_abs(m, x);
    V size =
        vm_mul(m, vecmath_pow(m, radius, y.re), vecmath_exp(m, vm_neg(m, vm_mul(m, y.im, angle))));
    V phase = vm_fma(m, y.re, angle, vm_mul(m, y.im, log));
    V sine, cosine;
    vecmath_sincos(m, phase, &sine, &cosine);
    V re = vm_mul(m, size, cosine), im = vm_mul(m, size, sine);
    V none = both(m, is_zero(m, y.re), is_zero(m, y.im));
    V nothing = both(m, is_zero(m, radius), vm_compare(m, LLVMRealOGT, y.re, zero));
    V endless = both(m, vm_compare(m, LLVMRealOEQ, x.re, infinity), is_zero(m, x.im));
    V real = both(m, is_zero(m, y.im), vm_compare(m, LLVMRealONE, y.re, zero));
    endless = both(m, endless, real);
    re = vm_select(m, endless, size, re);
    im = vm_select(m, endless, zero, im);
    re = vm_select(m, none, one, vm_select(m, nothing, zero, re));
    im = vm_select(m, none, zero, vm_select(m, nothing, zero, im));
    return (Z){re, im};
}

Z vecmath_complex_atan2(const struct vecmath *m, Z y, Z x)
{
    Z rotated = {vm_sub(m, x.re, y.im), vm_add(m, x.im, y.re)}; /* x + i y */
    Z squares = vecmath_complex_add(m, vecmath_complex_multiply(m, x, x),
                                    vecmath_complex_multiply(m, y, y));
    Z log = vecmath_complex_log(
        m, vecmath_complex_divide(m, rotated, vecmath_complex_sqrt(m, squares)));
    return (Z){log.im, vm_neg(m, log.re)};
}
