/* The remainder of a truncated division, exactly as C's fmod. Where the quotient has no more bits
 * than a significand, one fused multiply-add gives the remainder without rounding. The rest, behind
 * a branch that is rarely taken, is C's function for each lane. */
#include <float.h>

#include "compiler/codegen/vecmath/vecmath_ops.h"

/* Lanes whose quotient is below 2^p, for significands of p bits, and whose remainder, a multiple of
 * the divisor's last bit, is not denormal. False for NaN, infinite x, and zero divisors. */
static V is_small(const struct vecmath *m, V quotient, V divisor)
{
    double most = m->wide ? 0x1p53 : 0x1p24;
    double least = m->wide ? DBL_MIN * 0x1p52 : FLT_MIN * 0x1p23;
    V few_bits = vm_compare(m, LLVMRealOLT, quotient, vm_real(m, most));
    V normal = vm_compare(m, LLVMRealOGE, divisor, vm_real(m, least));
    return LLVMBuildAnd(m->builder, few_bits, normal, "");
}

/* For `is_small` lanes. The rounded quotient may have reached the next integer: then the
 * difference is negative, and like its sum with the divisor exact. */
static V small_remainder(const struct vecmath *m, V x, V dividend, V divisor, V quotient)
{
    V whole = vm_call(m, "llvm.trunc", 1, &quotient);
    V rest = vm_fma(m, vm_neg(m, whole), divisor, dividend);
    V is_negative = vm_compare(m, LLVMRealOLT, rest, vm_real(m, 0));
    rest = vm_select(m, is_negative, vm_add(m, rest, divisor), rest);
    V is_less = vm_compare(m, LLVMRealOLT, dividend, divisor);
    return vm_copysign(m, vm_select(m, is_less, dividend, rest), x);
}

V vecmath_remainder(const struct vecmath *m, V x, V y)
{
    LLVMBuilderRef b = m->builder;
    if (!m->fma)
        return LLVMBuildFRem(b, x, y, "");
    V dividend = vm_abs(m, x), divisor = vm_abs(m, y), quotient = vm_div(m, dividend, divisor);
    V large = LLVMBuildNot(b, is_small(m, quotient, divisor), "");
    V small = small_remainder(m, x, dividend, divisor, quotient);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(b);
    V function = LLVMGetBasicBlockParent(here);
    LLVMContextRef context = LLVMGetTypeContext(m->scalar);
    LLVMBasicBlockRef rare = LLVMAppendBasicBlockInContext(context, function, "large_quotient");
    LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(context, function, "remainder");
    LLVMBuildCondBr(b, vm_any_lane(m, large), rare, after);
    LLVMPositionBuilderAtEnd(b, rare);
    V any = LLVMBuildFRem(b, x, y, "");
    LLVMBuildBr(b, after);
    LLVMPositionBuilderAtEnd(b, after);
    return vm_join(m, any, rare, small, here);
}
