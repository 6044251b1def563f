/* math.c: which function an operation is, and functions of f32 by range reduction and polynomials. */
#include "compiler/codegen/math.h"

#include <math.h>
#include <string.h>

static LLVMValueRef real(LLVMValueRef like, double value)
{
    return emitter_real_like(LLVMTypeOf(like), value);
}

static LLVMValueRef fma_of(struct emitter *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    const char *name = e->target->features->fma ? "llvm.fma" : "llvm.fmuladd";
    return emitter_intrinsic(e, name, 1, &type, 3, (LLVMValueRef[]){a, b, c});
}

/* c[0] + c[1] x + ... by Horner. */
static LLVMValueRef polynomial(struct emitter *e, LLVMValueRef x, int count, const double *c)
{
    LLVMValueRef sum = real(x, c[count - 1]);
    for (int i = count - 2; i >= 0; i--)
        sum = fma_of(e, sum, x, real(x, c[i]));
    return sum;
}

static LLVMTypeRef integers(struct emitter *e, LLVMValueRef x)
{
    LLVMTypeRef type = LLVMTypeOf(x);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMVectorType(e->i32, LLVMGetVectorSize(type)) : e->i32;
}

/* exp(x) = 2^n exp(r), |r| <= ln 2 / 2; 2^n in two factors, so that results near the limits are right. */
LLVMValueRef math_exp_f32(struct emitter *e, LLVMValueRef x)
{
    static const double c[] = {1.0, 1.0, 0.5, 0.166666597127914, 0.0416665338, 0.00833345670, 0.00139303086};
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef type = LLVMTypeOf(x), ints = integers(e, x);
    LLVMValueRef nan = LLVMBuildFCmp(b, LLVMRealUNO, x, x, "");
    LLVMValueRef low = LLVMBuildFCmp(b, LLVMRealOGT, x, real(x, -104.0), "");
    LLVMValueRef t = LLVMBuildSelect(b, low, x, real(x, -104.0), "");
    LLVMValueRef high = LLVMBuildFCmp(b, LLVMRealOLT, t, real(x, 89.0), "");
    t = LLVMBuildSelect(b, high, t, real(x, 89.0), "");
    LLVMValueRef n = emitter_unary(e, "llvm.rint", LLVMBuildFMul(b, t, real(x, 1.44269504088896), ""));
    LLVMValueRef r = fma_of(e, n, real(x, -0.693145751953125), t);
    r = fma_of(e, n, real(x, -1.42860682030941723212e-6), r);
    LLVMValueRef p = polynomial(e, r, 7, c);
    LLVMValueRef k = LLVMBuildFPToSI(b, n, ints, ""), one = emitter_int_like(ints, 1);
    LLVMValueRef half = LLVMBuildAShr(b, k, one, ""), rest = LLVMBuildSub(b, k, half, "");
    LLVMValueRef bias = emitter_int_like(ints, 127), up = emitter_int_like(ints, 23);
    LLVMValueRef f = LLVMBuildBitCast(b, LLVMBuildShl(b, LLVMBuildAdd(b, half, bias, ""), up, ""), type, "");
    LLVMValueRef g = LLVMBuildBitCast(b, LLVMBuildShl(b, LLVMBuildAdd(b, rest, bias, ""), up, ""), type, "");
    LLVMValueRef result = LLVMBuildFMul(b, LLVMBuildFMul(b, p, f, ""), g, "");
    return LLVMBuildSelect(b, nan, x, result, "");
}

/* log(x) = n ln 2 + log(m), m in [sqrt(1/2), sqrt(2)); log(1 + f) by a polynomial of degree 9 (Cephes' form). */
LLVMValueRef math_log_f32(struct emitter *e, LLVMValueRef x)
{
    static const double c[] = {3.3333331174e-1, -2.4999993993e-1, 2.0000714765e-1, -1.6668057665e-1,
                               1.4249322787e-1, -1.2420140846e-1, 1.1676998740e-1, -1.1514610310e-1,
                               7.0376836292e-2};
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef type = LLVMTypeOf(x), ints = integers(e, x);
    LLVMValueRef tiny = LLVMBuildFCmp(b, LLVMRealOLT, x, real(x, 0x1p-126), "");
    LLVMValueRef scaled = LLVMBuildSelect(b, tiny, LLVMBuildFMul(b, x, real(x, 0x1p23), ""), x, "");
    LLVMValueRef bits = LLVMBuildBitCast(b, scaled, ints, "");
    LLVMValueRef from = LLVMBuildSub(b, bits, emitter_int_like(ints, 0x3F3504F3), ""); /* sqrt(1/2) */
    LLVMValueRef n = LLVMBuildAShr(b, from, emitter_int_like(ints, 23), "");
    LLVMValueRef exponent = LLVMBuildShl(b, n, emitter_int_like(ints, 23), "");
    LLVMValueRef m = LLVMBuildBitCast(b, LLVMBuildSub(b, bits, exponent, ""), type, "");
    LLVMValueRef lifted = LLVMBuildSub(b, n, emitter_int_like(ints, 23), "");
    n = LLVMBuildSIToFP(b, LLVMBuildSelect(b, tiny, lifted, n, ""), type, "");
    LLVMValueRef f = LLVMBuildFSub(b, m, real(x, 1), ""), square = LLVMBuildFMul(b, f, f, "");
    LLVMValueRef p = LLVMBuildFMul(b, LLVMBuildFMul(b, f, square, ""), polynomial(e, f, 9, c), "");
    p = fma_of(e, n, real(x, -2.12194440e-4), p);
    p = fma_of(e, square, real(x, -0.5), p);
    p = fma_of(e, n, real(x, 0.693359375), LLVMBuildFAdd(b, f, p, ""));
    LLVMValueRef zero = LLVMBuildFCmp(b, LLVMRealOEQ, x, LLVMConstNull(type), "");
    LLVMValueRef below = LLVMBuildFCmp(b, LLVMRealULT, x, LLVMConstNull(type), ""); /* NaN too */
    LLVMValueRef infinite = LLVMBuildFCmp(b, LLVMRealOEQ, x, real(x, HUGE_VAL), "");
    p = LLVMBuildSelect(b, zero, real(x, -HUGE_VAL), p, "");
    p = LLVMBuildSelect(b, below, real(x, (double)NAN), p, "");
    return LLVMBuildSelect(b, infinite, x, p, "");
}

/* An odd rational function (degrees 13 and 6) on [-9, 9]; beyond, the result is 1. Tiny x are their own tanh. */
LLVMValueRef math_tanh_f32(struct emitter *e, LLVMValueRef x)
{
    static const double over[] = {4.89352455891786e-03, 6.37261928875436e-04, 1.48572235717979e-05,
                                  5.12229709037114e-08, -8.60467152213735e-11, 2.00018790482477e-13,
                                  -2.76076847742355e-16};
    static const double under[] = {4.89352518554385e-03, 2.26843463243900e-03, 1.18534705686654e-04,
                                   1.19825839466702e-06};
    LLVMBuilderRef b = e->builder;
    LLVMValueRef high = LLVMBuildFCmp(b, LLVMRealOGT, x, real(x, 7.99881172180175781), "");
    LLVMValueRef low = LLVMBuildFCmp(b, LLVMRealOLT, x, real(x, -7.99881172180175781), "");
    LLVMValueRef t = LLVMBuildSelect(b, high, real(x, 7.99881172180175781), x, "");
    t = LLVMBuildSelect(b, low, real(x, -7.99881172180175781), t, "");
    LLVMValueRef square = LLVMBuildFMul(b, t, t, "");
    LLVMValueRef p = LLVMBuildFMul(b, t, polynomial(e, square, 7, over), "");
    LLVMValueRef result = LLVMBuildFDiv(b, p, polynomial(e, square, 4, under), "");
    LLVMValueRef size = emitter_unary(e, "llvm.fabs", x);
    LLVMValueRef tiny = LLVMBuildFCmp(b, LLVMRealOLT, size, real(x, 0.0004), "");
    return LLVMBuildSelect(b, tiny, x, result, "");
}

/* 1 / (1 + exp(-x)) */
static LLVMValueRef logistic(struct emitter *e, LLVMValueRef x, LLVMValueRef exp)
{
    LLVMValueRef one = real(x, 1);
    return LLVMBuildFDiv(e->builder, one, LLVMBuildFAdd(e->builder, one, exp, ""), "");
}

/* libm's name without the f of the single-precision form. */
static const char *libm_name(enum op_code code)
{
    switch (code) {
    case OP_atan2: return "atan2";
    case OP_cbrt: return "cbrt";
    case OP_cosine: return "cos";
    case OP_erf: return "erf";
    case OP_exponential: case OP_logistic: return "exp";
    case OP_exponential_minus_one: return "expm1";
    case OP_log: return "log";
    case OP_log_plus_one: return "log1p";
    case OP_power: return "pow";
    case OP_sine: return "sin";
    case OP_tan: return "tan";
    case OP_tanh: return "tanh";
    default: return NULL;
    }
}

static LLVMValueRef lane_of(struct emitter *e, LLVMValueRef value, int lane, int lanes)
{
    return lanes == 1 ? value : LLVMBuildExtractElement(e->builder, value, emitter_i32(e, lane), "");
}

static LLVMValueRef call_libm(struct emitter *e, const char *base, LLVMValueRef x, LLVMValueRef y)
{
    LLVMTypeRef type = LLVMTypeOf(x);
    int lanes = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? (int)LLVMGetVectorSize(type) : 1;
    LLVMTypeRef scalar = lanes == 1 ? type : LLVMGetElementType(type);
    const char *name = arena_format(e->arena, "%s%s", base, scalar == e->f32 ? "f" : "");
    LLVMTypeRef signature = LLVMFunctionType(scalar, (LLVMTypeRef[]){scalar, scalar}, y ? 2 : 1, false);
    LLVMValueRef function = LLVMGetNamedFunction(e->module, name);
    if (!function)
        function = LLVMAddFunction(e->module, name, signature);
    LLVMValueRef result = lanes == 1 ? NULL : LLVMGetPoison(type);
    for (int i = 0; i < lanes; i++) {
        LLVMValueRef in[2] = {lane_of(e, x, i, lanes), y ? lane_of(e, y, i, lanes) : NULL};
        LLVMValueRef out = LLVMBuildCall2(e->builder, signature, function, in, y ? 2 : 1, "");
        result = lanes == 1 ? out : LLVMBuildInsertElement(e->builder, result, out, emitter_i32(e, i), "");
    }
    return result;
}

static bool is_f32(struct emitter *e, LLVMValueRef x)
{
    LLVMTypeRef type = LLVMTypeOf(x);
    return (LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type) == e->f32;
}

LLVMValueRef math_emit(struct emitter *e, enum op_code code, LLVMValueRef x, LLVMValueRef y)
{
    const char *name = libm_name(code);
    bool binary = code == OP_atan2 || code == OP_power;
    if (!name)
        return NULL;
    LLVMValueRef in = code == OP_logistic ? LLVMBuildFNeg(e->builder, x, "") : x, out = NULL;
    if (is_f32(e, x)) {
        if (code == OP_exponential || code == OP_logistic)
            out = math_exp_f32(e, in);
        else if (code == OP_log)
            out = math_log_f32(e, in);
        else if (code == OP_tanh)
            out = math_tanh_f32(e, in);
    }
    if (!out)
        out = call_libm(e, name, in, binary ? y : NULL);
    return code == OP_logistic ? logistic(e, x, out) : out;
}
