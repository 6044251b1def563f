/* The error function. Up to 1: its Taylor series. Beyond: 1 - exp(-x^2) g(1 / (1 + x/2)), where g
 * is the scaled complementary error function exp(x^2) erfc(x), approximated by Chebyshev
 * polynomials for x in [1, 4.2] (float, error 5e-11) and [1, 6] (double, error 3e-21). */
#include "compiler/codegen/vecmath/vecmath_ops.h"

static const double scaled_float[] = {
    0.0169932313282254982, 0.052013814810461545,   -0.355468397097591361,
    0.450585658492310724,  -0.0356335256707799271, 0.321783157861438493,
    0.265859255813128949,  0.284083053921748496,   -0.00010580983082009935};
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
    int count = m->wide ? 19 : 10;
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
    V limit = vm_real(m, m->wide ? 6.0 : 4.2); /* the result is 1 from here on */
    V capped = vm_select(m, vm_compare(m, LLVMRealOGT, magnitude, limit), limit, magnitude);
    V t = vm_div(m, vm_real(m, 1), vm_fma(m, capped, vm_real(m, 0.5), vm_real(m, 1)));
    int count = m->wide ? sizeof scaled_double / sizeof *scaled_double
                        : sizeof scaled_float / sizeof *scaled_float;
    V g = vm_polynomial(m, t, count, m->wide ? scaled_double : scaled_float);
    V gaussian = vecmath_exp(m, vm_neg(m, vm_mul(m, capped, capped)));
    return vm_fma(m, vm_neg(m, gaussian), g, vm_real(m, 1));
}

V vecmath_erf(const struct vecmath *m, V x)
{
    V magnitude = vm_abs(m, x);
    V is_near = vm_compare(m, LLVMRealULE, magnitude, vm_real(m, 1)); /* true for NaN, too */
    V y = vm_select(m, is_near, near_zero(m, magnitude), away_from_zero(m, magnitude));
    return vm_copysign(m, y, x);
}
