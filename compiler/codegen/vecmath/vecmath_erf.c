/* The error function. In float a rational approximation. In double its Taylor series up to 1, and
 * beyond 1 - exp(-x^2) g(1 / (1 + x/2)), where g is the scaled complementary error function
 * exp(x^2) erfc(x), approximated by a Chebyshev polynomial for x in [1, 6] (error 3e-21). */
#include "compiler/codegen/vecmath/vecmath_ops.h"

/* of erf(x) / x, as functions of x^2; relative error of the quotient 1.4e-8 up to 3.85. A factor of
 * both makes the constant terms exact in float. */
static const double numerator[] = {1.87805529e-06, 0.000254418352, 0.00327126891,
                                   0.0467337184,   0.167314902,    1.00485885};
static const double denominator[] = {3.44983273e-05, 0.00102003023, 0.0131655214,
                                     0.100739814,    0.445122898,   0.89053297};

static const double scaled_double[] = {
    -0.0992353193164289894, 0.899951906889756103,    -3.78524441562888421,
    9.74571268916184454,    -17.0620351674135494,    21.3448381891119906,
    -19.5841905404946397,   13.4673603192116845,     -7.21145726445286907,
    3.1578754349101546,     -1.06766199006170341,    0.238252724535441334,
    -0.120475332168922367,  0.00654613677017796082,  0.0822978220497643083,
    0.176451458749493692,   0.246823224119912038,    0.282095200011803723,
    0.282094784302080078,   -3.44867501953797074e-11};

static V near_zero(const struct vecmath *m, V x)
{
    double coefficients[20], factorial = 1;
    int count = 19;
    for (int k = 0; k < count; k++) {
        factorial *= k ? k : 1;
        coefficients[count - 1 - k] =
            (k & 1 ? -1 : 1) * 1.1283791670955125739 / (factorial * (2 * k + 1));
    }
    V z = vm_mul(m, x, x), rest = vm_polynomial(m, z, count - 1, coefficients);
    return vm_fma(m, vm_mul(m, x, z), rest, vm_mul(m, x, vm_real(m, coefficients[count - 1])));
}

static V away_from_zero(const struct vecmath *m, V magnitude)
{
    V limit = vm_real(m, 6); /* the result is 1 from here on */
    V capped = vm_select(m, vm_compare(m, LLVMRealOGT, magnitude, limit), limit, magnitude);
    V t = vm_div(m, vm_real(m, 1), vm_fma(m, capped, vm_real(m, 0.5), vm_real(m, 1)));
    V g = vm_polynomial(m, t, sizeof scaled_double / sizeof *scaled_double, scaled_double);
    V gaussian = vecmath_exp(m, vm_neg(m, vm_mul(m, capped, capped)));
    return vm_fma(m, vm_neg(m, gaussian), g, vm_real(m, 1));
}

static V clamped(const struct vecmath *m, V x, double limit)
{
    V high = vm_real(m, limit), low = vm_real(m, -limit);
    x = vm_select(m, vm_compare(m, LLVMRealOGT, x, high), high, x);
    return vm_select(m, vm_compare(m, LLVMRealOLT, x, low), low, x);
}

/* x P(x^2) / Q(x^2): about 5 ulp close to 1, where the errors of both polynomials add up. */
static V erf_narrow(const struct vecmath *m, V x)
{
    V capped = clamped(m, x, 3.85), z = vm_mul(m, capped, capped);
    V over = vm_mul(m, capped, vm_polynomial(m, z, 6, numerator));
    return clamped(m, vm_div(m, over, vm_polynomial(m, z, 6, denominator)), 1);
}

V vecmath_erf(const struct vecmath *m, V x)
{
    if (!m->wide)
        return erf_narrow(m, x);
    V magnitude = vm_abs(m, x);
    V is_near = vm_compare(m, LLVMRealULE, magnitude, vm_real(m, 1)); /* true for NaN, too */
    V y = vm_select(m, is_near, near_zero(m, magnitude), away_from_zero(m, magnitude));
    return vm_copysign(m, y, x);
}
