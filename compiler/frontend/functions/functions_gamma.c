#include "compiler/frontend/functions/functions_gamma.h"

#include <math.h>

#define N(number) functions_math_number(b, x, (number))

static const double PI = 3.14159265358979323846;

/* x - floor(x) */
static V *fraction(struct builder *b, V *x)
{
    return m_sub(b, x, m_unary(b, OP_floor, x));
}

static V *is_integer(struct builder *b, V *x)
{
    return m_equal(b, x, m_unary(b, OP_floor, x));
}

/* Lanczos' sum for g = 7 and 9 terms, as one fraction. It is 1 for numbers whose powers would
 * overflow. */
static V *lanczos_sum(struct builder *b, V *x)
{
    static const double over[] = {0.99999999999980993, 60.4583333333420339, 1599.0425347220458,
                                  24165.5106650295337, 228235.215499714519, 1379496.26587867074,
                                  5210869.01776083147, 11246929.4846599268, 10619610.0990759933};
    static const double under[] = {1, 36, 546, 4536, 22449, 67284, 118124, 109584, 40320};
    V *z = build_binary(b, OP_minimum, x, N(1e20));
    return m_div(b, functions_math_polynomial(b, z, 9, over),
                 functions_math_polynomial(b, z, 9, under));
}

/* The Lanczos approximation for x >= 1/2; log(pi / |sin(pi x)|) - lgamma(1 - x) below. */
V *functions_gamma_lgamma(struct builder *b, V *x)
{
    V *left = m_less(b, x, N(0.5)), *inf = N(INFINITY);
    V *z = m_sub(b, m_select(b, left, m_sub(b, N(1), x), x), N(1));
    V *sum = lanczos_sum(b, z), *t = m_add(b, z, N(7.5));
    V *power = m_mul(b, m_add(b, z, N(0.5)), m_unary(b, OP_log, t));
    power = m_sub(b, m_add(b, power, N(0.91893853320467274178)), t);
    V *sine = m_unary(b, OP_sine, m_mul(b, fraction(b, x), N(PI)));
    V *log = m_unary(b, OP_log, m_select(b, left, m_mul(b, sine, sum), sum));
    V *mirrored = m_sub(b, m_sub(b, N(1.1447298858494001741), log), power); /* log pi */
    V *value = m_select(b, left, mirrored, m_add(b, power, log));
    return m_select(b, m_equal(b, m_unary(b, OP_abs, x), inf), inf, value);
}

/* The asymptotic series, after digamma(x) = digamma(x + 1) - 1/x has made the argument large; for
 * x < 1/2 the reflection formula. */
V *functions_gamma_digamma(struct builder *b, V *x)
{
    static const double series[] = {691.0 / 32760, -1.0 / 132, 1.0 / 240, -1.0 / 252,
                                    1.0 / 120,     -1.0 / 12,  0};
    V *left = m_less(b, x, N(0.5)), *sum = N(0);
    V *z = m_select(b, left, m_sub(b, N(1), x), x);
    for (int i = 0; i < 10; i++) {
        V *small = m_less(b, z, N(10));
        sum = m_select(b, small, m_sub(b, sum, m_div(b, N(1), z)), sum);
        z = m_select(b, small, m_add(b, z, N(1)), z);
    }
    V *inverse = m_div(b, N(1), m_mul(b, z, z));
    V *value = m_add(b, sum, m_sub(b, m_unary(b, OP_log, z), m_div(b, N(0.5), z)));
    value = m_add(b, value, functions_math_polynomial(b, inverse, 7, series));
    V *mirror = m_div(b, N(PI), m_unary(b, OP_tan, m_mul(b, fraction(b, x), N(PI))));
    value = m_select(b, left, m_sub(b, value, mirror), value);
    V *pole = build_binary(b, OP_and, m_less(b, x, N(0.25)), is_integer(b, x));
    return m_select(b, pole, N(NAN), value);
}

/* Euler-Maclaurin summation: 8 or 12 terms, the integral of the others, and derivatives. */
V *functions_gamma_zeta(struct builder *b, V *x, V *q)
{
    static const double factors[] = {1.0 / 12,          -1.0 / 720,
                                     1.0 / 30240,       -1.0 / 1209600,
                                     1.0 / 47900160,    -691.0 / 1307674368000,
                                     1.0 / 74724249600, -3617.0 / 10670622842880000};
    bool narrow = functions_math_is_narrow(x);
    int terms = narrow ? 8 : 12, derivatives = narrow ? 5 : 8;
    V *less = m_unary(b, OP_negate, x), *sum = m_pow(b, q, less);
    for (int i = 1; i < terms; i++)
        sum = m_add(b, sum, m_pow(b, m_add(b, q, N(i)), less));
    V *end = m_add(b, q, N(terms)), *power = m_pow(b, end, less);
    sum = m_add(b, sum, m_div(b, m_mul(b, power, end), m_sub(b, x, N(1))));
    sum = m_add(b, sum, m_mul(b, power, N(0.5)));
    V *inverse = m_div(b, N(1), end), *term = m_mul(b, m_mul(b, x, power), inverse);
    for (int i = 0; i < derivatives; i++) { /* the term becomes smaller before it is multiplied */
        sum = m_add(b, sum, m_mul(b, term, N(factors[i])));
        term = m_mul(b, m_mul(b, term, inverse), m_add(b, x, N(2 * i + 1)));
        term = m_mul(b, m_mul(b, term, inverse), m_add(b, x, N(2 * i + 2)));
    }
    V *nothing = build_binary(b, OP_and, m_less(b, q, N(0)), m_unary(b, OP_not, is_integer(b, x)));
    V *pole = build_binary(b, OP_and, m_less(b, q, N(0.5)), is_integer(b, q));
    sum = m_select(b, nothing, N(NAN), sum);
    sum = m_select(b, pole, N(INFINITY), sum);
    sum = m_select(b, m_equal(b, x, N(1)), N(INFINITY), sum);
    return m_select(b, m_less(b, x, N(1)), N(NAN), sum);
}

/* (-1)^(n + 1) n! zeta(n + 1, x) */
V *functions_gamma_polygamma(struct builder *b, V *n, V *x)
{
    V *next = m_add(b, n, N(1)), *half = m_mul(b, n, N(0.5));
    V *value = m_mul(b, m_unary(b, OP_exponential, functions_gamma_lgamma(b, next)),
                     functions_gamma_zeta(b, next, x));
    value = m_select(b, is_integer(b, half), m_unary(b, OP_negate, value), value);
    value = m_select(b, m_equal(b, n, N(0)), functions_gamma_digamma(b, x), value);
    V *wrong = build_binary(b, OP_or, m_less(b, n, N(0)), m_unary(b, OP_not, is_integer(b, n)));
    return m_select(b, wrong, N(NAN), value);
}
