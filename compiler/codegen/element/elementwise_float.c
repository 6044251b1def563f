/* elementwise_float.c: floats. Small floats are f32 here. */
#include <math.h>

#include "compiler/codegen/element/elementwise.h"
#include "compiler/codegen/element/math.h"

static LLVMValueRef constant(const struct elementwise *w, double value)
{
    return emitter_real_like(w->type, value);
}

/* Maps floats to integers in total order: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN.
 * Reinterprets the bits and inverts the magnitude of negative numbers. */
static LLVMValueRef total_order(const struct elementwise *w, LLVMValueRef x)
{
    LLVMBuilderRef b = w->e->builder;
    LLVMTypeRef type = emitter_vector(w->dtype == DTYPE_F64 ? w->e->i64 : w->e->i32, w->lanes);
    int bits = w->dtype == DTYPE_F64 ? 64 : 32;
    x = LLVMBuildBitCast(b, x, type, "");
    LLVMValueRef ones = LLVMBuildAShr(b, x, emitter_int_like(type, bits - 1), "");
    return LLVMBuildXor(b, x, LLVMBuildLShr(b, ones, emitter_int_like(type, 1), ""), "");
}

static LLVMValueRef compare(const struct elementwise *w)
{
    static const LLVMRealPredicate real[] = {
        [COMPARE_EQ] = LLVMRealOEQ, [COMPARE_NE] = LLVMRealUNE, [COMPARE_GE] = LLVMRealOGE,
        [COMPARE_GT] = LLVMRealOGT, [COMPARE_LE] = LLVMRealOLE, [COMPARE_LT] = LLVMRealOLT};
    static const LLVMIntPredicate total[] = {
        [COMPARE_EQ] = LLVMIntEQ,  [COMPARE_NE] = LLVMIntNE,  [COMPARE_GE] = LLVMIntSGE,
        [COMPARE_GT] = LLVMIntSGT, [COMPARE_LE] = LLVMIntSLE, [COMPARE_LT] = LLVMIntSLT};
    enum comparison direction = w->op->attrs.compare.comparison_direction;
    LLVMBuilderRef b = w->e->builder;
    if (w->op->attrs.compare.compare_type == COMPARE_TOTALORDER)
        return LLVMBuildICmp(b, total[direction], total_order(w, w->in[0]),
                             total_order(w, w->in[1]), "");
    return LLVMBuildFCmp(b, real[direction], w->in[0], w->in[1], "");
}

/* NaN and zeros are returned unchanged. A denormal number that counts as zero gives zero. */
static LLVMValueRef sign(const struct elementwise *w)
{
    LLVMBuilderRef b = w->e->builder;
    LLVMValueRef zero = LLVMConstNull(w->type);
    LLVMValueRef ordinary = LLVMBuildFCmp(b, LLVMRealUNE, w->in[0], zero, "");
    LLVMValueRef size = LLVMBuildSelect(b, ordinary, constant(w, 1), zero, "");
    LLVMValueRef nan = LLVMBuildFCmp(b, LLVMRealUNO, w->in[0], w->in[0], "");
    LLVMValueRef result = emitter_binary(w->e, "llvm.copysign", size, w->in[0]);
    return LLVMBuildSelect(b, nan, w->in[0], result, "");
}

static LLVMValueRef is_finite(const struct elementwise *w)
{
    LLVMValueRef size = emitter_unary(w->e, "llvm.fabs", w->in[0]);
    return LLVMBuildFCmp(w->e->builder, LLVMRealOLT, size, constant(w, HUGE_VAL), "");
}

/* Denormals of f16 are normal numbers in f32 and have fewer significant bits. Returns x; but if the
 * operand is such a denormal, returns it rounded to a multiple of the last bit that `mantissa` bits
 * keep of f16's denormals. */
static LLVMValueRef reduce_denormal_f16(const struct elementwise *w, LLVMValueRef x, int mantissa)
{
    LLVMBuilderRef b = w->e->builder;
    LLVMValueRef size = emitter_unary(w->e, "llvm.fabs", w->in[0]);
    LLVMValueRef small = LLVMBuildFCmp(b, LLVMRealOLT, size, constant(w, 0x1p-14), "");
    LLVMValueRef round = constant(w, ldexp(1.5, 9 - mantissa)); /* its ulp is that multiple */
    LLVMValueRef rounded = LLVMBuildFSub(b, LLVMBuildFAdd(b, size, round, ""), round, "");
    rounded = emitter_binary(w->e, "llvm.copysign", rounded, w->in[0]);
    return LLVMBuildSelect(b, small, rounded, x, "");
}

/* Rounds the fraction to `mantissa` bits by adding half an ulp to the bits. Then replaces values
 * outside the exponent range with infinity or zero. */
static LLVMValueRef reduce_precision(const struct elementwise *w)
{
    LLVMBuilderRef b = w->e->builder;
    bool wide = w->dtype == DTYPE_F64;
    int fraction = wide ? 52 : 23;
    int mantissa = (int)w->op->attrs.reduce_precision.mantissa_bits;
    int exponent = (int)w->op->attrs.reduce_precision.exponent_bits;
    LLVMTypeRef type = emitter_vector(wide ? w->e->i64 : w->e->i32, w->lanes);
    LLVMValueRef bits = LLVMBuildBitCast(b, w->in[0], type, ""), x = w->in[0];
    if (mantissa < fraction) {
        int lost = fraction - mantissa;
        LLVMValueRef odd = LLVMBuildLShr(b, bits, emitter_int_like(type, lost), "");
        odd = LLVMBuildAnd(b, odd, emitter_int_like(type, 1), "");
        LLVMValueRef half = emitter_int_like(type, (1LL << (lost - 1)) - 1);
        bits = LLVMBuildAdd(b, bits, LLVMBuildAdd(b, odd, half, ""), "");
        bits = LLVMBuildAnd(b, bits, emitter_int_like(type, -(1LL << lost)), "");
        x = LLVMBuildBitCast(b, bits, w->type, "");
    }
    if (w->dtype == DTYPE_F16 && mantissa < 10)
        x = reduce_denormal_f16(w, x, mantissa);
    if (exponent < dtype_info(w->dtype)->exponent_bits) {
        int most = (1 << (exponent - 1)) - 1; /* the narrow type's exponent bias */
        LLVMValueRef size = emitter_unary(w->e, "llvm.fabs", x);
        LLVMValueRef infinity = emitter_binary(w->e, "llvm.copysign", constant(w, HUGE_VAL), x);
        LLVMValueRef zero = emitter_binary(w->e, "llvm.copysign", constant(w, 0), x);
        LLVMValueRef over =
            LLVMBuildFCmp(b, LLVMRealOGE, size, constant(w, ldexp(1, most + 1)), "");
        LLVMValueRef under =
            LLVMBuildFCmp(b, LLVMRealOLT, size, constant(w, ldexp(1, 1 - most)), "");
        x = LLVMBuildSelect(b, over, infinity, LLVMBuildSelect(b, under, zero, x, ""), "");
    }
    LLVMValueRef nan = LLVMBuildFCmp(b, LLVMRealUNO, w->in[0], w->in[0], "");
    return LLVMBuildSelect(b, nan, w->in[0], x, "");
}

static LLVMValueRef extreme_of_any_zero(const struct elementwise *w, const char *name)
{
    LLVMValueRef result = emitter_binary(w->e, name, w->in[0], w->in[1]);
    if (LLVMCanValueUseFastMathFlags(result))
        LLVMSetFastMathFlags(result, LLVMFastMathNoSignedZeros);
    return result;
}

/* A maximum or minimum of scalars. For the order of zeros LLVM would branch on a sign, which is
 * often mispredicted. Equal numbers are the same, or zeros (or flushed to zero), whose sum is the
 * maximum. Each select has a comparison of floats as its condition, so that a number that a loop
 * carries from one iteration to the next stays in a vector register, after few operations. */
static LLVMValueRef scalar_extreme(const struct elementwise *w, bool maximum)
{
    LLVMBuilderRef b = w->e->builder;
    LLVMValueRef x = w->in[0], y = w->in[1], zero;
    LLVMValueRef result = extreme_of_any_zero(w, maximum ? "llvm.maximum" : "llvm.minimum");
    if (maximum)
        zero = LLVMBuildFAdd(b, x, y, "");
    else
        zero = LLVMBuildFNeg(b, LLVMBuildFSub(b, LLVMBuildFNeg(b, x, ""), y, ""), "");
    LLVMValueRef is_zero = LLVMBuildFCmp(b, LLVMRealOEQ, y, constant(w, 0), "");
    LLVMValueRef same = LLVMBuildSelect(b, is_zero, zero, y, "");
    LLVMValueRef equal = LLVMBuildFCmp(b, LLVMRealOEQ, x, y, "");
    return LLVMBuildSelect(b, equal, same, result, "");
}

/* In a reduction or a scatter, the sign of a zero result is unspecified. */
static LLVMValueRef extreme(const struct elementwise *w, bool maximum)
{
    const char *name = maximum ? "llvm.maximum" : "llvm.minimum";
    bool is_constant = LLVMIsConstant(w->in[0]) || LLVMIsConstant(w->in[1]);
    if (w->e->combining.any_zero)
        return extreme_of_any_zero(w, name);
    if (LLVMGetTypeKind(w->type) != LLVMVectorTypeKind && !is_constant)
        return scalar_extreme(w, maximum);
    return emitter_binary(w->e, name, w->in[0], w->in[1]);
}

static LLVMValueRef clamp(const struct elementwise *w)
{
    LLVMValueRef low = emitter_binary(w->e, "llvm.maximum", w->in[0], w->in[1]);
    return emitter_binary(w->e, "llvm.minimum", low, w->in[2]);
}

static LLVMValueRef multiply(const struct elementwise *w, LLVMValueRef x, LLVMValueRef y)
{
    LLVMValueRef product = LLVMBuildFMul(w->e->builder, x, y, "");
    return w->op && w->op->attrs.multiply.contracts ? emitter_contract(product) : product;
}

static LLVMValueRef multiply_add(const struct elementwise *w, LLVMValueRef product, bool negated,
                                 LLVMValueRef sum)
{
    LLVMBuilderRef b = w->e->builder;
    LLVMValueRef x = LLVMGetOperand(product, 0), y = LLVMGetOperand(product, 1);
    LLVMValueRef arguments[] = {negated ? LLVMBuildFNeg(b, x, "") : x, y, sum};
    return emitter_intrinsic(w->e, "llvm.fma", 1, &w->type, 3, arguments);
}

/* x + y or x - y; a fused multiply-add if one of them is a product that contracts. An intrinsic,
 * since what LLVM makes of flags depends on its level of optimization. */
static LLVMValueRef add(const struct elementwise *w, bool subtracts)
{
    LLVMBuilderRef b = w->e->builder;
    LLVMValueRef x = w->in[0], y = w->in[1], first = emitter_contracted_product(x),
                 second = emitter_contracted_product(y);
    if (w->e->target->isa.fma && first)
        return multiply_add(w, first, false, subtracts ? LLVMBuildFNeg(b, y, "") : y);
    if (w->e->target->isa.fma && second)
        return multiply_add(w, second, subtracts, x);
    return subtracts ? LLVMBuildFSub(b, x, y, "") : LLVMBuildFAdd(b, x, y, "");
}

LLVMValueRef elementwise_float_emit(const struct elementwise *w)
{
    LLVMBuilderRef b = w->e->builder;
    LLVMValueRef x = w->in[0], y = w->in[1];
    switch (w->code) {
    case OP_add: return add(w, false);
    case OP_subtract: return add(w, true);
    case OP_multiply: return multiply(w, x, y);
    case OP_divide: return LLVMBuildFDiv(b, x, y, "");
    case OP_negate: return LLVMBuildFNeg(b, x, "");
    case OP_abs: return emitter_unary(w->e, "llvm.fabs", x);
    case OP_sign: return sign(w);
    case OP_floor: return emitter_unary(w->e, "llvm.floor", x);
    case OP_ceil: return emitter_unary(w->e, "llvm.ceil", x);
    case OP_round_nearest_afz: return emitter_unary(w->e, "llvm.round", x);
    case OP_round_nearest_even: return emitter_unary(w->e, "llvm.roundeven", x);
    case OP_maximum: return extreme(w, true);
    case OP_minimum: return extreme(w, false);
    case OP_clamp: return clamp(w);
    case OP_compare: return compare(w);
    case OP_is_finite: return is_finite(w);
    case OP_reduce_precision: return reduce_precision(w);
    default: return math_emit(w->e, w->code, x, y);
    }
}
