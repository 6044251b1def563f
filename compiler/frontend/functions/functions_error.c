#include "compiler/frontend/functions/functions_error.h"

#include <math.h>

#define N(number) functions_math_number(b, x, (number))

/* erfc(x) exp(x^2) / t for t = 1 / (1 + x/2), of 2 t - 1: Chebyshev interpolations with
 * relative errors of 2e-8 and 1e-16. */
static const double scaled_narrow[] = {4.21611971964e-05, -3.66018769438e-05, -0.000299382712072,
                                       0.000430670488436, 0.00152915716076,   -0.0032434519181,
                                       -0.0107516261866,  0.0182216694284,    0.139735733522,
                                       0.343580318711,    0.510791356916};
static const double scaled_wide[] = {
    -3.38886955622604719e-10, 1.20516659966962617e-09,  1.22845363605404357e-09,
    -9.74475662643943274e-09, 6.35386466652270862e-09,  2.9041985445606919e-08,
    -5.76014669667330663e-08, -1.69827240353276423e-09, 1.64911631106360074e-07,
    -2.85548182381102763e-07, -3.05871964160163219e-09, 1.00091858626380661e-06,
    -1.82080783840507747e-06, -5.62816693518529987e-07, 8.06004049102889265e-06,
    -1.08480572688913437e-05, -1.70743365307358814e-05, 7.22353506143854815e-05,
    -1.71857375945489106e-05, -0.000331536747619460431, 0.000418648033296486804,
    0.00154530602905764364,   -0.00323959253398651333,  -0.0107553309447163646,
    0.0182211157534424954,    0.139736046278026882,     0.343580342206905254,
    0.510791352621011496};

/* The number without the lower half of its bits, whose square is exact. */
static V *upper_half(struct builder *b, V *x)
{
    bool narrow = functions_math_is_narrow(x);
    union attrs attrs = {
        .reduce_precision = {.exponent_bits = narrow ? 8 : 11, .mantissa_bits = narrow ? 11 : 25}};
    return x ? build_declared(b, OP_reduce_precision, 1, &x, x->type, &attrs) : NULL;
}

/* y exp(-x^2). The rounding error of the square would be multiplied by it, so the exponential of a
 * part whose square is exact is corrected. */
static V *times_gaussian(struct builder *b, V *y, V *x)
{
    V *high = upper_half(b, x);
    V *rest = m_mul(b, m_sub(b, high, x), m_add(b, high, x));
    y = m_add(b, y, m_mul(b, y, m_unary(b, OP_exponential_minus_one, rest)));
    return m_mul(b, y, m_unary(b, OP_exponential, m_unary(b, OP_negate, m_mul(b, high, high))));
}

/* 1 - erf(x) below 1/2, else t exp(-x^2) times the interpolation. */
V *functions_error_erfc(struct builder *b, V *x)
{
    bool narrow = functions_math_is_narrow(x);
    V *near = m_sub(b, N(1), m_unary(b, OP_erf, x));
    V *capped = build_binary(b, OP_minimum, x, N(100)); /* the result is 0 */
    V *t = m_div(b, N(1), m_add(b, N(1), m_mul(b, N(0.5), capped)));
    V *at = m_sub(b, m_add(b, t, t), N(1));
    V *scaled = narrow ? functions_math_polynomial(b, at, 11, scaled_narrow)
                       : functions_math_polynomial(b, at, 28, scaled_wide);
    V *far = times_gaussian(b, m_mul(b, t, scaled), capped);
    return m_select(b, m_less(b, x, N(0.5)), near, far);
}

/* Giles' polynomials for single precision. There are no cases for the ends and beyond them: at the
 * ends w is infinite, and so are both polynomials, `outside` with the other sign; the logarithm of
 * a negative number is NaN. */
static V *giles(struct builder *b, V *x)
{
    static const double center[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                    -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                    -0.00417768164,  0.246640727,    1.50140941};
    static const double tail[] = {-0.000200214257, 0.000100950558, 0.00134934322,
                                  -0.00367342844,  0.00573950773,  -0.0076224613,
                                  0.00943887047,   1.00167406,     2.83297682};
    V *both = m_mul(b, m_sub(b, N(1), x), m_add(b, N(1), x));
    V *w = m_unary(b, OP_negate, m_unary(b, OP_log, both));
    V *inside = functions_math_polynomial(b, m_sub(b, w, N(2.5)), 9, center);
    V *outside = functions_math_polynomial(b, m_sub(b, m_unary(b, OP_sqrt, w), N(3)), 9, tail);
    outside = m_unary(b, OP_abs, outside);
    return m_mul(b, x, m_select(b, m_less(b, w, N(5)), inside, outside));
}

/* For f64 refined by two steps of Halley's method. */
V *functions_error_erf_inv(struct builder *b, V *x)
{
    if (functions_math_is_narrow(x))
        return giles(b, x);
    V *y = m_unary(b, OP_abs, x), *rest = m_sub(b, N(1), y), *a = giles(b, y);
    for (int i = 0; i < 2; i++) {
        V *error = m_select(b, m_less(b, y, N(0.5)), m_sub(b, m_unary(b, OP_erf, a), y),
                            m_sub(b, rest, functions_error_erfc(b, a)));
        V *slope = m_mul(b, N(1.1283791670955125739),
                         m_unary(b, OP_exponential, m_unary(b, OP_negate, m_mul(b, a, a))));
        V *step = m_div(b, error, slope);
        V *better = m_sub(b, a, m_div(b, step, m_add(b, N(1), m_mul(b, a, step))));
        a = m_select(b, m_unary(b, OP_is_finite, better), better, a);
    }
    a = m_select(b, m_less(b, x, N(0)), m_unary(b, OP_negate, a), a);
    return m_select(b, m_equal(b, x, N(0)), x, a);
}

/* exp(-a) I1(a) / a up to 8, of a/4 - 1; beyond exp(-a) I1(a) sqrt(a), of 16/a - 1: Chebyshev
 * interpolations with relative errors of 2e-8 and 3e-16. near_wide has coefficients of Chebyshev
 * polynomials, since those of powers would cancel; the others have those of powers. */
static const double near_narrow[] = {
    -0.000123682799729, 0.000307414217081, -0.000202626588814, 0.000411442193787, -0.00169859431467,
    0.00336142037271,   -0.00542742132489, 0.00936740035592,   -0.0156143009904,  0.0237626420356,
    -0.0336612828667,   0.0446594370792,   -0.055281312762,    0.0637688955287,   -0.0684825331981,
    0.0680575434463,    -0.0611243392552,  0.0446877102267};
static const double near_wide[] = {
    -3.54158177254213621e-19,  2.77791411276104637e-18,  -2.11142121435816608e-17,
    1.55363195773620047e-16,   -1.10559694773538631e-15, 7.60068429473540693e-15,
    -5.04218550472791169e-14,  3.22379336594557471e-13,  -1.98397439776494372e-12,
    1.17361862988909016e-11,   -6.66348972350202774e-11, 3.62559028155211704e-10,
    -1.88724975172282929e-9,   9.38153738649577178e-9,   -4.44505912879632808e-8,
    2.00329475355213526e-7,    -8.56872026469545474e-7,  3.47025130813767848e-6,
    -0.0000132731636560394358, 0.0000478156510755005423, -0.000161760815825896746,
    0.000512285956168575773,   -0.00151357245063125315,  0.00415642294431288816,
    -0.0105640848946261982,    0.0247264490306265168,    -0.0529459812080949914,
    0.102643658689847095,      -0.176416518357834055,    0.126293593221816827};
static const double far_narrow[] = {-1.22732172351e-07, -4.21035015502e-07, -1.82569073177e-06,
                                    -1.50039654661e-05, -0.000219237125382, -0.00974958137038,
                                    0.38939845906};
static const double far_wide[] = {
    6.30596519715005705e-11,  1.85151188288529557e-11,  -4.75881883870385339e-10,
    -1.40116251797706271e-10, 1.68489844797051461e-09,  5.29562544116126128e-10,
    -3.79467089620833928e-09, -1.43872505330410133e-09, 6.24274121978644507e-09,
    3.42623414900779577e-09,  -7.88835150786207753e-09, -7.64239413436356065e-09,
    5.97443760804026417e-09,  1.40342387820671827e-08,  6.73446481530159168e-09,
    -8.42776609373518482e-09, -2.33739282081426386e-08, -4.31291772917834898e-08,
    -1.00012882948648835e-07, -3.48385576104429479e-07, -1.8349101326980946e-06,
    -1.50385472005672175e-05, -0.000219235763833889284, -0.00974957719323573703,
    0.389398459025872334};

/* The sum of coefficients times Chebyshev polynomials, highest degree first (Clenshaw). */
static V *chebyshev_sum(struct builder *b, V *x, int count, const double *coefficients)
{
    V *twice = m_add(b, x, x), *one = N(coefficients[0]), *two = N(0);
    for (int i = 1; i < count - 1; i++) {
        V *next = m_add(b, m_sub(b, m_mul(b, twice, one), two), N(coefficients[i]));
        two = one, one = next;
    }
    return m_add(b, m_sub(b, m_mul(b, x, one), two), N(coefficients[count - 1]));
}

V *functions_error_bessel_i1e(struct builder *b, V *x)
{
    bool narrow = functions_math_is_narrow(x);
    V *a = m_unary(b, OP_abs, x);
    V *small = m_sub(b, m_mul(b, a, N(0.25)), N(1)), *large = m_sub(b, m_div(b, N(16), a), N(1));
    V *near = narrow ? functions_math_polynomial(b, small, 18, near_narrow)
                     : chebyshev_sum(b, small, 30, near_wide);
    V *far = narrow ? functions_math_polynomial(b, large, 7, far_narrow)
                    : functions_math_polynomial(b, large, 25, far_wide);
    far = m_mul(b, far, m_unary(b, OP_rsqrt, a));
    far = m_select(b, m_less(b, x, N(0)), m_unary(b, OP_negate, far), far);
    return m_select(b, m_less(b, N(8), a), far, m_mul(b, near, x));
}
