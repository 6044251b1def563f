#include "compiler/frontend/functions/functions_error.h"

#include <math.h>

#define N(number) functions_math_number(b, x, (number))

/* 1 - erf(x) below 2; from there the continued fraction
 * exp(-x^2) / sqrt(pi) / (x + 1/2 / (x + 1 / (x + 3/2 / ...))). */
V *functions_error_erfc(struct builder *b, V *x)
{
    enum { TERMS = 60 };
    V *near = m_sub(b, N(1), m_unary(b, OP_erf, x)), *fraction = x;
    for (int i = TERMS; i > 0; i--)
        fraction = m_add(b, x, m_div(b, N(0.5 * i), fraction));
    V *square = m_unary(b, OP_negate, m_mul(b, x, x));
    V *far =
        m_div(b, m_mul(b, m_unary(b, OP_exponential, square), N(0.56418958354775628695)), fraction);
    return m_select(b, m_less(b, x, N(2)), near, far);
}

/* Giles' polynomials for single precision, refined by two steps of Halley's method. */
V *functions_error_erf_inv(struct builder *b, V *x)
{
    static const double center[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                    -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                    -0.00417768164,  0.246640727,    1.50140941};
    static const double tail[] = {-0.000200214257, 0.000100950558, 0.00134934322,
                                  -0.00367342844,  0.00573950773,  -0.0076224613,
                                  0.00943887047,   1.00167406,     2.83297682};
    V *y = m_unary(b, OP_abs, x), *rest = m_sub(b, N(1), y);
    V *w = m_unary(b, OP_negate, m_unary(b, OP_log, m_mul(b, rest, m_add(b, N(1), y))));
    V *inside = functions_math_polynomial(b, m_sub(b, w, N(2.5)), 9, center);
    V *outside = functions_math_polynomial(b, m_sub(b, m_unary(b, OP_sqrt, w), N(3)), 9, tail);
    V *a = m_mul(b, y, m_select(b, m_less(b, w, N(5)), inside, outside));
    for (int i = 0; i < 2; i++) {
        V *error = m_select(b, m_less(b, y, N(0.5)), m_sub(b, m_unary(b, OP_erf, a), y),
                            m_sub(b, rest, functions_error_erfc(b, a)));
        V *slope = m_mul(b, N(1.1283791670955125739),
                         m_unary(b, OP_exponential, m_unary(b, OP_negate, m_mul(b, a, a))));
        V *step = m_div(b, error, slope);
        V *better = m_sub(b, a, m_div(b, step, m_add(b, N(1), m_mul(b, a, step))));
        a = m_select(b, m_unary(b, OP_is_finite, better), better, a);
    }
    a = m_select(b, m_equal(b, y, N(1)), N(INFINITY), a);
    a = m_select(b, m_less(b, N(1), y), N(NAN), a);
    a = m_select(b, m_less(b, x, N(0)), m_unary(b, OP_negate, a), a);
    return m_select(b, m_equal(b, x, N(0)), x, a);
}

/* exp(-|x|) I1(x), a = |x|. Up to 30: 1/pi times the integral of exp(a (cos t - 1)) cos t by the
 * trapezoidal rule, which converges exponentially; beyond: the asymptotic series. */
V *functions_error_bessel_i1e(struct builder *b, V *x)
{
    enum { POINTS = 32, TERMS = 24 };
    V *a = m_unary(b, OP_abs, x), *sum = N(0.5);
    for (int i = 1; i <= POINTS; i++) {
        double cosine = cos(3.14159265358979323846 * i / POINTS);
        V *height = m_unary(b, OP_exponential, m_mul(b, a, N(cosine - 1)));
        sum = m_add(b, sum, m_mul(b, height, N(i == POINTS ? cosine / 2 : cosine)));
    }
    sum = m_mul(b, sum, N(1.0 / POINTS));
    double factors[TERMS] = {0}, factor = 1;
    for (int i = 0; i < TERMS; i++) {
        factors[TERMS - 1 - i] = factor;
        factor *= -(4.0 - (2.0 * i + 1) * (2.0 * i + 1)) / (8.0 * (i + 1));
    }
    V *series = functions_math_polynomial(b, m_div(b, N(1), a), TERMS, factors);
    V *far = m_mul(b, series, m_unary(b, OP_rsqrt, m_mul(b, a, N(6.28318530717958647693))));
    V *value = m_select(b, m_less(b, a, N(30)), sum, far);
    return m_mul(b, value, m_unary(b, OP_sign, x));
}
