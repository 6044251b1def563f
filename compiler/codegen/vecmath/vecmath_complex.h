/* vecmath_complex.h: functions of complex numbers as LLVM IR, built from vecmath.h's functions.
 * Each part is accurate to a few ulp wherever both can be, including log near |z| = 1 and tanh near
 * its poles and for tiny arguments. Intermediate results do not overflow unless the result does.
 * Special values follow C's Annex G where it defines them. Thread-safety: that of the builder. */
#ifndef GANTRY_COMPILER_CODEGEN_VECMATH_VECMATH_COMPLEX_H
#define GANTRY_COMPILER_CODEGEN_VECMATH_VECMATH_COMPLEX_H

#include "compiler/codegen/vecmath/vecmath.h"

struct vecmath_complex {
    LLVMValueRef re, im;
};
typedef struct vecmath_complex vecmath_complex_unary(const struct vecmath *m,
                                                     struct vecmath_complex z);
typedef struct vecmath_complex
vecmath_complex_binary(const struct vecmath *m, struct vecmath_complex x, struct vecmath_complex y);

LLVMValueRef vecmath_complex_abs(const struct vecmath *m, struct vecmath_complex z);

vecmath_complex_unary vecmath_complex_sign, /* z / |z|; 0 for 0 */
    vecmath_complex_sqrt, vecmath_complex_rsqrt, vecmath_complex_cbrt, vecmath_complex_exp,
    vecmath_complex_expm1, vecmath_complex_log, vecmath_complex_log1p, vecmath_complex_sin,
    vecmath_complex_cos, vecmath_complex_tan, vecmath_complex_tanh, vecmath_complex_logistic;

vecmath_complex_binary vecmath_complex_add, vecmath_complex_subtract, vecmath_complex_multiply,
    vecmath_complex_divide, vecmath_complex_pow,
    vecmath_complex_atan2; /* takes (y, x): -i log((x + i y) / sqrt(x^2 + y^2)) */

#endif
