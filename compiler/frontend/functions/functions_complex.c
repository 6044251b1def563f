/* functions_complex.c: the formulas of Hull, Fairgrieve and Tang ("Implementing the complex arcsine
 * and arccosine functions using exception handling", 1997) on real parts, which avoid cancellation
 * in intermediate results. All branches are computed; selects choose among them. */
#include "compiler/frontend/functions/functions_complex.h"

#include <math.h>

#define N(number) functions_math_number(b, x, (number))
#define LOG_2 0.69314718055994530942
#define HALF_PI 1.57079632679489661923

/* ---- real parts ------------------------------------------------------------------------------ */

/* `size` with the sign bit of `sign`. The bits are compared, since -0.0 < 0.0 is false. */
static V *copy_sign(struct builder *b, V *size, V *sign)
{
    const struct type *type = type_with_dtype(b->module->arena, sign->type, DTYPE_S64);
    V *bits = build_declared(b, OP_bitcast_convert, 1, &sign, type, NULL);
    V *negative = build_compare(b, COMPARE_LT, bits, build_splat(b, type, 0));
    return m_select(b, negative, m_unary(b, OP_negate, size), size);
}

static V *greater(struct builder *b, V *x, double limit)
{
    return build_compare(b, COMPARE_GT, x, N(limit));
}

static V *either_of(struct builder *b, V *first, V *second)
{
    return build_binary(b, OP_or, first, second);
}

static V *square_root(struct builder *b, V *x)
{
    return m_unary(b, OP_sqrt, x);
}

/* sqrt(x^2 + y^2) of nonnegative numbers, without intermediate overflow or underflow. */
static V *hypotenuse(struct builder *b, V *x, V *y)
{
    V *most = build_binary(b, OP_maximum, x, y), *least = build_binary(b, OP_minimum, x, y);
    V *ratio = m_div(b, least, m_select(b, m_equal(b, most, N(0)), N(1), most));
    return m_mul(b, most, square_root(b, m_add(b, N(1), m_mul(b, ratio, ratio))));
}

static V *halved(struct builder *b, V *x)
{
    return m_mul(b, N(0.5), x);
}

/* ---- arcsine and arccosine in the first quadrant --------------------------------------------- */

/* For z = x + i y with x, y >= 0: Re asin(z) = atan2(x, rest), Re acos(z) = atan2(rest, x), and
 * `size` is |Im asin(z)| = |Im acos(z)|. */
struct quadrant {
    V *x, *y;
    V *right, *left, *mean; /* distances from -1 and 1, and the mean of the two */
    V *beyond;              /* x > 1 */
    V *large;               /* squares may overflow: the result depends on |z| alone */
};

static struct quadrant quadrant_of(struct builder *b, V *x, V *y)
{
    struct quadrant q = {.x = x, .y = y};
    q.right = hypotenuse(b, m_add(b, x, N(1)), y);
    q.left = hypotenuse(b, m_unary(b, OP_abs, m_sub(b, x, N(1))), y);
    q.mean = halved(b, m_add(b, q.right, q.left));
    q.beyond = greater(b, x, 1);
    q.large = either_of(b, greater(b, x, 1e150), greater(b, y, 1e150));
    return q;
}

/* y / (right + x + 1) and, where x <= 1, y / (left + 1 - x). */
static V *right_slope(struct builder *b, const struct quadrant *q)
{
    V *x = q->x;
    return m_div(b, q->y, m_add(b, q->right, m_add(b, x, N(1))));
}

/* left + |1 - x| */
static V *left_sum(struct builder *b, const struct quadrant *q)
{
    V *x = q->x;
    return m_add(b, q->left, m_unary(b, OP_abs, m_sub(b, x, N(1))));
}

static V *quadrant_rest(struct builder *b, const struct quadrant *q)
{
    V *x = q->x, *sum = m_add(b, q->mean, x), *slope = right_slope(b, q);
    V *inner = m_mul(b, halved(b, sum), m_add(b, m_mul(b, q->y, slope), left_sum(b, q)));
    V *below = m_add(b, m_div(b, sum, m_add(b, q->right, m_add(b, x, N(1)))),
                     m_div(b, sum, left_sum(b, q)));
    V *outer = m_mul(b, q->y, square_root(b, halved(b, below)));
    V *rest = m_select(b, q->beyond, outer, square_root(b, inner));
    rest = m_select(b, q->large, q->y, rest);
    return m_select(b, m_equal(b, x, N(0)), N(1), rest); /* independent of y */
}

/* log(2 |z|) */
static V *size_of_large(struct builder *b, const struct quadrant *q)
{
    V *x = build_binary(b, OP_maximum, q->x, q->y);
    V *ratio = m_div(b, build_binary(b, OP_minimum, q->x, q->y), x);
    V *rest = halved(b, m_unary(b, OP_log_plus_one, m_mul(b, ratio, ratio)));
    V *size = m_add(b, m_add(b, m_unary(b, OP_log, x), N(LOG_2)), rest);
    V *infinite = either_of(b, m_equal(b, q->x, N(INFINITY)), m_equal(b, q->y, N(INFINITY)));
    return m_select(b, infinite, N(INFINITY), size);
}

static V *quadrant_size(struct builder *b, const struct quadrant *q)
{
    V *x = q->x, *y = q->y, *slope = m_mul(b, y, right_slope(b, q)), *sum = left_sum(b, q);
    V *left = m_select(b, m_less(b, x, N(1)), m_mul(b, y, m_div(b, y, sum)), sum);
    V *excess = halved(b, m_add(b, slope, left)); /* mean - 1 */
    V *root = square_root(b, m_mul(b, excess, m_add(b, q->mean, N(1))));
    V *near = m_unary(b, OP_log_plus_one, m_add(b, excess, root));
    V *far = m_unary(b, OP_log, m_add(b, q->mean, root));
    V *size = m_select(b, greater(b, q->mean, 1.5), far, near);
    V *flat = m_div(b, y, square_root(b, m_mul(b, m_sub(b, N(1), x), m_add(b, N(1), x))));
    V *is_flat = build_binary(b, OP_and, m_less(b, x, N(1)), m_less(b, y, N(1e-150)));
    size = m_select(b, is_flat, flat, size);
    return m_select(b, q->large, size_of_large(b, q), size);
}

/* ---- the whole plane ------------------------------------------------------------------------- */

struct parts {
    V *re, *im;
};

static struct parts parts_of(struct builder *b, V *z)
{
    return (struct parts){m_unary(b, OP_real, z), m_unary(b, OP_imag, z)};
}

/* i times the conjugate: asinh(z) = swapped(asin(swapped(z))). */
static struct parts swapped(struct parts z)
{
    return (struct parts){z.im, z.re};
}

static V *joined(struct builder *b, struct parts z)
{
    return build_binary(b, OP_complex, z.re, z.im);
}

static struct quadrant sizes_of(struct builder *b, struct parts z)
{
    return quadrant_of(b, m_unary(b, OP_abs, z.re), m_unary(b, OP_abs, z.im));
}

static struct parts asin_of(struct builder *b, struct parts z)
{
    struct quadrant q = sizes_of(b, z);
    V *re = build_binary(b, OP_atan2, q.x, quadrant_rest(b, &q));
    return (struct parts){copy_sign(b, re, z.re), copy_sign(b, quadrant_size(b, &q), z.im)};
}

/* `im` is the size of the imaginary part. */
static struct parts acos_of(struct builder *b, struct parts z)
{
    struct quadrant q = sizes_of(b, z);
    return (struct parts){build_binary(b, OP_atan2, quadrant_rest(b, &q), z.re),
                          quadrant_size(b, &q)};
}

/* x / (x^2 + y^2) of nonnegative numbers. */
static V *inverse_part(struct builder *b, V *x, V *y)
{
    V *most = build_binary(b, OP_maximum, x, y), *least = build_binary(b, OP_minimum, x, y);
    V *below = m_add(b, most, m_mul(b, least, m_div(b, least, most)));
    return m_mul(b, m_div(b, x, most), m_div(b, N(1), below));
}

/* Re atanh = log1p(4 x / ((1 - x)^2 + y^2)) / 4 for x, y >= 0. */
static V *atanh_size(struct builder *b, V *x, V *y)
{
    V *t = m_sub(b, N(1), x), *below = m_add(b, m_mul(b, t, t), m_mul(b, y, y));
    V *size = m_unary(b, OP_log_plus_one, m_div(b, m_mul(b, N(4), x), below));
    size = m_mul(b, N(0.25), size);
    V *at_one = halved(b, m_sub(b, N(LOG_2), m_unary(b, OP_log, y)));
    V *close = build_binary(b, OP_and, m_equal(b, x, N(1)), m_less(b, y, N(1e-100)));
    size = m_select(b, close, at_one, size);
    V *large = either_of(b, greater(b, x, 1e150), greater(b, y, 1e150));
    V *infinite = either_of(b, m_equal(b, x, N(INFINITY)), m_equal(b, y, N(INFINITY)));
    size = m_select(b, large, inverse_part(b, x, y), size);
    return m_select(b, either_of(b, infinite, m_equal(b, x, N(0))), N(0), size);
}

/* Im atanh = atan2(2 y, (1 - x)(1 + x) - y^2) / 2 for x, y >= 0. */
static V *atanh_angle(struct builder *b, V *x, V *y)
{
    V *right = m_mul(b, m_sub(b, N(1), x), m_add(b, N(1), x));
    V *angle = build_binary(b, OP_atan2, m_add(b, y, y), m_sub(b, right, m_mul(b, y, y)));
    V *large = either_of(b, greater(b, x, 1e150), greater(b, y, 1e150));
    V *known = either_of(b, m_equal(b, x, x), m_equal(b, y, N(INFINITY)));
    V *limit = m_select(b, build_binary(b, OP_and, known, m_equal(b, y, y)), N(HALF_PI),
                        N(__builtin_nan("")));
    return m_select(b, large, limit, halved(b, angle));
}

static struct parts atanh_of(struct builder *b, struct parts z)
{
    V *x = m_unary(b, OP_abs, z.re), *y = m_unary(b, OP_abs, z.im);
    return (struct parts){copy_sign(b, atanh_size(b, x, y), z.re),
                          copy_sign(b, atanh_angle(b, x, y), z.im)};
}

/* ---- the functions --------------------------------------------------------------------------- */

V *functions_complex_asin(struct builder *b, V *z)
{
    return joined(b, asin_of(b, parts_of(b, z)));
}

V *functions_complex_asinh(struct builder *b, V *z)
{
    return joined(b, swapped(asin_of(b, swapped(parts_of(b, z)))));
}

V *functions_complex_acos(struct builder *b, V *z)
{
    struct parts in = parts_of(b, z), out = acos_of(b, in);
    V *opposite = m_unary(b, OP_negate, in.im);
    return joined(b, (struct parts){out.re, copy_sign(b, out.im, opposite)});
}

V *functions_complex_acosh(struct builder *b, V *z)
{
    struct parts in = parts_of(b, z), out = acos_of(b, in);
    return joined(b, (struct parts){out.im, copy_sign(b, out.re, in.im)});
}

V *functions_complex_atanh(struct builder *b, V *z)
{
    return joined(b, atanh_of(b, parts_of(b, z)));
}

V *functions_complex_atan(struct builder *b, V *z)
{
    return joined(b, swapped(atanh_of(b, swapped(parts_of(b, z)))));
}
