#include "compiler/frontend/functions/functions_math.h"

bool functions_math_is_narrow(const V *x)
{
    return x && x->type->shape.dtype == DTYPE_F32;
}

V *functions_math_number(struct builder *b, const V *x, double number)
{
    if (!x)
        return NULL;
    return build_splat(
        b, type_with_dtype(b->module->arena, x->type, dtype_real_part(x->type->shape.dtype)),
        number);
}

V *functions_math_polynomial(struct builder *b, V *x, int count, const double *coefficients)
{
    V *sum = functions_math_number(b, x, coefficients[0]);
    for (int i = 1; x && i < count; i++) {
        V *product = m_mul(b, sum, x);
        if (product)
            product->def->attrs.multiply.contracts = dtype_is_float(x->type->shape.dtype);
        sum = m_add(b, product, functions_math_number(b, x, coefficients[i]));
    }
    return sum;
}
