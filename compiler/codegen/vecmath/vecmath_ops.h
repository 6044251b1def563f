/* vecmath_ops.h: arithmetic helpers on a vecmath's type, shared by vecmath_*.c. Internal. */
#ifndef GANTRY_COMPILER_CODEGEN_VECMATH_VECMATH_OPS_H
#define GANTRY_COMPILER_CODEGEN_VECMATH_VECMATH_OPS_H

#include <stdint.h>

#include "compiler/codegen/vecmath/vecmath.h"

typedef LLVMValueRef V;

V vm_real(const struct vecmath *m, double value); /* a constant of the type */
V vm_int(const struct vecmath *m, int64_t value); /* of the integer type of the same width */
LLVMTypeRef vm_int_type(const struct vecmath *m);
V vm_add(const struct vecmath *m, V a, V b);
V vm_sub(const struct vecmath *m, V a, V b);
V vm_mul(const struct vecmath *m, V a, V b);
V vm_div(const struct vecmath *m, V a, V b);
/* a * b + c, rounded once if the target has fused multiply-add */
V vm_fma(const struct vecmath *m, V a, V b, V c);
V vm_neg(const struct vecmath *m, V a);
V vm_abs(const struct vecmath *m, V a);
V vm_copysign(const struct vecmath *m, V magnitude, V sign);
V vm_round(const struct vecmath *m, V a); /* to nearest, ties to even */
V vm_call(const struct vecmath *m, const char *intrinsic, int count, V *arguments);
V vm_compare(const struct vecmath *m, LLVMRealPredicate predicate, V a, V b);
V vm_select(const struct vecmath *m, V condition, V on_true, V on_false);
V vm_any_lane(const struct vecmath *m, V condition); /* true if any lane is true */
/* `first` if control comes from first_block, `second` if from second_block. */
V vm_join(const struct vecmath *m, V first, LLVMBasicBlockRef first_block, V second,
          LLVMBasicBlockRef second_block);
V vm_bits(const struct vecmath *m, V a); /* bitcast to the integer type */
V vm_from_bits(const struct vecmath *m, V a);
V vm_to_int(const struct vecmath *m, V a);  /* truncates; the value must be in range */
V vm_to_real(const struct vecmath *m, V a); /* converts a signed integer to the type */
/* What vm_fix() puts in place of a result, by the class of its argument; the values are those of
 * VECTOR_FIX_F32 (vector_intrinsics.h). Denormals are zeros where the processor treats them as
 * such. */
enum vm_class {
    VM_QUIET_NAN,
    VM_SIGNALING_NAN,
    VM_ZERO,
    VM_ONE,
    VM_MINUS_INFINITE,
    VM_PLUS_INFINITE,
    VM_NEGATIVE,
    VM_POSITIVE,
    VM_CLASSES
};
enum vm_fixed {
    VM_KEEP,
    VM_NAN_OF_CLASSIFIED = 2, /* the argument, quiet */
    VM_NAN,
    VM_MINUS_INFINITY,
    VM_PLUS_INFINITY
};
/* Whether the target has one instruction for it. */
bool vm_fixes(const struct vecmath *m);
/* `result` with special values for classes of arguments; requires vm_fixes(). */
V vm_fix(const struct vecmath *m, V result, V argument, const enum vm_fixed fixed[VM_CLASSES]);
/* 2^n for an integral n in the exponent range of normal numbers. */
V vm_power_of_two(const struct vecmath *m, V n);
/* c[0] x^(count-1) + ... + c[count-1], by Horner's rule. */
V vm_polynomial(const struct vecmath *m, V x, int count, const double *coefficients);

/* The same vecmath over double, and conversions to and from it, for float functions that are
 * computed in double. */
struct vecmath vm_widened(const struct vecmath *m);
V vm_widen(const struct vecmath *m, V a);
V vm_narrow(const struct vecmath *m, V a);

/* exp(x + tail) for |tail| much smaller than |x|. `tail` may be NULL. */
V vm_exp_with_tail(const struct vecmath *m, V x, V tail);
/* exp(x) in double, with an error of 3e-9: for results that are rounded to float. |x| <= 700 */
V vm_exp_for_float(const struct vecmath *m, V x);

#endif
