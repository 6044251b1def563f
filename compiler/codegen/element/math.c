/* math.c: maps operations to elementary functions. */
#include "compiler/codegen/element/math.h"

typedef LLVMValueRef unary(const struct vecmath *m, LLVMValueRef x);
typedef LLVMValueRef binary(const struct vecmath *m, LLVMValueRef x, LLVMValueRef y);

static unary *const unaries[OP_CODE_COUNT] = {
    [OP_cbrt] = vecmath_cbrt,
    [OP_cosine] = vecmath_cos,
    [OP_erf] = vecmath_erf,
    [OP_exponential] = vecmath_exp,
    [OP_exponential_minus_one] = vecmath_expm1,
    [OP_log] = vecmath_log,
    [OP_log_plus_one] = vecmath_log1p,
    [OP_logistic] = vecmath_logistic,
    [OP_rsqrt] = vecmath_rsqrt,
    [OP_sine] = vecmath_sin,
    [OP_sqrt] = vecmath_sqrt,
    [OP_tan] = vecmath_tan,
    [OP_tanh] = vecmath_tanh,
};

static binary *const binaries[OP_CODE_COUNT] = {
    [OP_atan2] = vecmath_atan2,
    [OP_power] = vecmath_pow,
};

struct vecmath math_over(const struct emitter *e, LLVMValueRef like)
{
    return vecmath(e->builder, e->module, LLVMTypeOf(like), e->target->features->fma);
}

LLVMValueRef math_emit(struct emitter *e, enum op_code code, LLVMValueRef x, LLVMValueRef y)
{
    struct vecmath m = math_over(e, x);
    if (unaries[code])
        return unaries[code](&m, x);
    return binaries[code] ? binaries[code](&m, x, y) : NULL;
}
