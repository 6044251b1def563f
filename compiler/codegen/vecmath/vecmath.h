/* vecmath.h: elementary functions as LLVM IR, over float or double, scalar or vector. The code is
 * straight-line, uses polynomial approximations and calls no library, so LLVM can optimize it
 * together with the code around it. Only the argument reduction of large angles is behind a branch:
 * a call of routines/large_angle.h.
 * Special values follow C's Annex F.
 *
 * Errors, measured over all classes of arguments, are within the bounds given in vecmath_test.c
 * (float: 3 ulp and mostly 1, erf 5; double: 4 ulp). Denormal arguments and results are handled
 * wherever the function has them, unless `flushes`. All functions append to the builder's block and
 * may move the builder to a new block (large angles). Thread-safety: that of the builder. */
#ifndef GANTRY_COMPILER_CODEGEN_VECMATH_VECMATH_H
#define GANTRY_COMPILER_CODEGEN_VECMATH_VECMATH_H

#include <stdbool.h>

#include <llvm-c/Core.h>

struct vecmath {
    LLVMBuilderRef builder;
    LLVMModuleRef module;
    LLVMTypeRef type;   /* of arguments and results */
    LLVMTypeRef scalar; /* float or double */
    unsigned lanes;     /* 0: scalar; else number of vector elements */
    bool wide;          /* double, not float */
    bool fma;           /* the target has fused multiply-add */
    bool flushes;       /* denormal arguments and results may count as zero: less code */
    bool scales;        /* the target multiplies 512-bit vectors by powers of two, and replaces
                           results of special arguments in them: less code */
};

struct vecmath_mode {
    bool fma, flushes, scales; /* as in struct vecmath */
};

/* Returns the context for values of `type` (float, double, or a vector of either) in the builder's
 * current block. */
struct vecmath vecmath(LLVMBuilderRef builder, LLVMModuleRef module, LLVMTypeRef type,
                       struct vecmath_mode mode);

LLVMValueRef vecmath_exp(const struct vecmath *m, LLVMValueRef x);
/* exp(factor x), whose product is not rounded: less code and a smaller error than exp of a product.
 * The factor must be one for which vecmath_exp_takes_factor(). */
LLVMValueRef vecmath_exp_of_multiple(const struct vecmath *m, LLVMValueRef x, double factor);
bool vecmath_exp_takes_factor(const struct vecmath *m, double factor);
LLVMValueRef vecmath_expm1(const struct vecmath *m, LLVMValueRef x);
LLVMValueRef vecmath_tanh(const struct vecmath *m, LLVMValueRef x);
LLVMValueRef vecmath_logistic(const struct vecmath *m, LLVMValueRef x); /* 1 / (1 + exp(-x)) */
LLVMValueRef vecmath_log(const struct vecmath *m, LLVMValueRef x);
LLVMValueRef vecmath_log1p(const struct vecmath *m, LLVMValueRef x);
LLVMValueRef vecmath_pow(const struct vecmath *m, LLVMValueRef x, LLVMValueRef y);
/* The power for a constant y of -1, -0.5, 0.5, 1.5 or 3, which takes a root, a division or products
 * and is within 1.5 ulp; NULL for any other y. */
LLVMValueRef vecmath_pow_constant(const struct vecmath *m, LLVMValueRef x, LLVMValueRef y);
LLVMValueRef vecmath_cbrt(const struct vecmath *m, LLVMValueRef x);
LLVMValueRef vecmath_sin(const struct vecmath *m, LLVMValueRef x);
LLVMValueRef vecmath_cos(const struct vecmath *m, LLVMValueRef x);
void vecmath_sincos(const struct vecmath *m, LLVMValueRef x, LLVMValueRef *sin, LLVMValueRef *cos);
LLVMValueRef vecmath_tan(const struct vecmath *m, LLVMValueRef x);
LLVMValueRef vecmath_atan2(const struct vecmath *m, LLVMValueRef y, LLVMValueRef x);
/* C's fmod: exact, also for denormals. */
LLVMValueRef vecmath_remainder(const struct vecmath *m, LLVMValueRef x, LLVMValueRef y);
LLVMValueRef vecmath_erf(const struct vecmath *m, LLVMValueRef x);
LLVMValueRef vecmath_sqrt(const struct vecmath *m, LLVMValueRef x);
LLVMValueRef vecmath_rsqrt(const struct vecmath *m, LLVMValueRef x);

#endif
