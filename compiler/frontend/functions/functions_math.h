/* functions_math.h: short names for building formulas over values of one shape and of one type, f64
 * or c128. NULL operands give NULL. */
#ifndef GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_MATH_H
#define GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_MATH_H

#include "compiler/ir/build.h"

typedef struct value V;

/* A number in x's shape, of the real type. */
V *functions_math_number(struct builder *b, const V *x, double number);
/* A polynomial's coefficients, the highest power first. */
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
static inline V *m_one(struct builder *b, enum op_code code, V *x)
{
    return build_unary(b, code, x);
}
static inline V *m_less(struct builder *b, V *x, V *y)
{
    return build_compare(b, COMPARE_LT, x, y);
}
static inline V *m_same(struct builder *b, V *x, V *y)
{
    return build_compare(b, COMPARE_EQ, x, y);
}
static inline V *m_either(struct builder *b, V *test, V *x, V *y)
{
    return build_select(b, test, x, y);
}

#endif
