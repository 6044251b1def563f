/* functions_math.h: short names for building formulas over values of the same shape and type: f32,
 * f64 or c128. NULL operands give NULL. */
#ifndef GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_MATH_H
#define GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_MATH_H

#include "compiler/ir/build.h"

typedef struct value V;

/* Whether the elements are f32. */
bool functions_math_is_narrow(const V *x);
/* A constant of x's shape; its element type is that of x's real part. */
V *functions_math_number(struct builder *b, const V *x, double number);
/* The polynomial with these coefficients, highest power first; multiply-adds that round once, of
 * floats (passes/arithmetic/contract.h). */
V *functions_math_polynomial(struct builder *b, V *x, int count, const double *coefficients);

static inline V *m_add(struct builder *b, V *x, V *y)
{
    return build_binary(b, OP_add, x, y);
}
static inline V *m_sub(struct builder *b, V *x, V *y)
{
    return build_binary(b, OP_subtract, x, y);
}
static inline V *m_mul(struct builder *b, V *x, V *y)
{
    return build_binary(b, OP_multiply, x, y);
}
static inline V *m_div(struct builder *b, V *x, V *y)
{
    return build_binary(b, OP_divide, x, y);
}
static inline V *m_pow(struct builder *b, V *x, V *y)
{
    return build_binary(b, OP_power, x, y);
}
static inline V *m_unary(struct builder *b, enum op_code code, V *x)
{
    return build_unary(b, code, x);
}
static inline V *m_less(struct builder *b, V *x, V *y)
{
    return build_compare(b, COMPARE_LT, x, y);
}
static inline V *m_equal(struct builder *b, V *x, V *y)
{
    return build_compare(b, COMPARE_EQ, x, y);
}
static inline V *m_select(struct builder *b, V *test, V *x, V *y)
{
    return build_select(b, test, x, y);
}

#endif
