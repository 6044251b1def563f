/* element_convert.c: see element_convert.h. */
#include "compiler/codegen/element/element_convert.h"

#include <math.h>

static LLVMValueRef from_integer(struct emitter *e, LLVMValueRef value, enum dtype from,
                                 enum dtype to, LLVMTypeRef type)
{
    LLVMBuilderRef b = e->builder;
    bool is_signed = element_is_signed(from);
    if (to == DTYPE_PRED)
        return LLVMBuildICmp(b, LLVMIntNE, value, LLVMConstNull(LLVMTypeOf(value)), "");
    if (dtype_is_float(to)) {
        bool is_exact = dtype_info(to)->bits >= 16 &&
                        dtype_info(from)->bits - is_signed <= dtype_info(to)->significand_bits;
        value =
            is_signed ? LLVMBuildSIToFP(b, value, type, "") : LLVMBuildUIToFP(b, value, type, "");
        return is_exact ? value : element_round(e, to, value);
    }
    int narrow = dtype_bytes(to) - dtype_bytes(from);
    if (narrow < 0)
        value = LLVMBuildTrunc(b, value, type, "");
    else if (narrow > 0)
        value = is_signed ? LLVMBuildSExt(b, value, type, "") : LLVMBuildZExt(b, value, type, "");
    return element_round(e, to, value);
}

/* Saturates, and converts NaN to zero. This is llvm.fptosi.sat, which LLVM would scalarize. The
 * bounds of narrow types are exact as floats; an upper bound that is not is replaced with the first
 * float beyond it. */
static LLVMValueRef float_to_integer(struct emitter *e, LLVMValueRef value, enum dtype to,
                                     LLVMTypeRef type)
{
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef in = LLVMTypeOf(value);
    bool is_signed = element_is_signed(to), narrow = dtype_info(to)->bits < 32;
    double limit = ldexp(1, dtype_info(to)->bits - is_signed);
    LLVMValueRef least = emitter_real_like(in, is_signed ? -limit : 0);
    LLVMValueRef most = emitter_real_like(in, narrow ? limit - 1 : limit);
    LLVMValueRef nan = LLVMBuildFCmp(b, LLVMRealUNO, value, value, "");
    LLVMValueRef under = LLVMBuildFCmp(b, LLVMRealOLT, value, least, "");
    LLVMValueRef over = LLVMBuildFCmp(b, LLVMRealOGE, value, most, "");
    value = LLVMBuildSelect(b, nan, LLVMConstNull(in), value, "");
    value = LLVMBuildSelect(b, under, least, value, "");
    value = LLVMBuildSelect(b, over, narrow ? most : LLVMConstNull(in), value, "");
    if (narrow) {
        LLVMTypeRef wide = emitter_vector(e->i32, element_of(value).lanes);
        return LLVMBuildTrunc(b, LLVMBuildFPToSI(b, value, wide, ""), type, "");
    }
    value = is_signed ? LLVMBuildFPToSI(b, value, type, "") : LLVMBuildFPToUI(b, value, type, "");
    uint64_t greatest = is_signed ? (1ULL << (dtype_info(to)->bits - 1)) - 1 : UINT64_MAX;
    return LLVMBuildSelect(b, over, emitter_int_like(type, (int64_t)greatest), value, "");
}

enum { DROPPED_BITS = 29 }; /* of an f64's fraction, which f32 has no place for */

/* The f64 without the bits that f32 has no place for, and the last of the others set if there were
 * any: then rounding twice, to f32 and to a float of 8 bits, gives what rounding once does. */
static LLVMValueRef round_to_odd(struct emitter *e, LLVMValueRef value)
{
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef type = emitter_vector(e->i64, element_of(value).lanes);
    LLVMValueRef dropped = emitter_int_like(type, (1LL << DROPPED_BITS) - 1),
                 last = emitter_int_like(type, 1LL << DROPPED_BITS);
    LLVMValueRef bits = LLVMBuildBitCast(b, value, type, "");
    LLVMValueRef carry = LLVMBuildAdd(b, LLVMBuildAnd(b, bits, dropped, ""), dropped, "");
    LLVMValueRef kept = LLVMBuildAnd(b, bits, LLVMBuildNot(b, dropped, ""), "");
    bits = LLVMBuildOr(b, kept, LLVMBuildAnd(b, carry, last, ""), "");
    return LLVMBuildBitCast(b, bits, LLVMTypeOf(value), "");
}

static LLVMValueRef from_float(struct emitter *e, LLVMValueRef value, enum dtype from,
                               enum dtype to, LLVMTypeRef type)
{
    LLVMBuilderRef b = e->builder;
    if (to == DTYPE_PRED)
        return LLVMBuildFCmp(b, LLVMRealUNE, value, LLVMConstNull(LLVMTypeOf(value)), "");
    if (dtype_is_float(to)) {
        if (from == DTYPE_F64 && dtype_bytes(to) == 1)
            value = round_to_odd(e, value);
        if (from == DTYPE_F64 && to != DTYPE_F64)
            value = LLVMBuildFPTrunc(b, value, type, "");
        else if (from != DTYPE_F64 && to == DTYPE_F64)
            value = LLVMBuildFPExt(b, value, type, "");
        return element_round(e, to, value);
    }
    return float_to_integer(e, value, to, type);
}

LLVMValueRef element_convert(struct emitter *e, LLVMValueRef value, enum dtype from, enum dtype to)
{
    LLVMTypeRef in = LLVMTypeOf(value);
    int lanes = LLVMGetTypeKind(in) == LLVMVectorTypeKind ? (int)LLVMGetVectorSize(in) : 1;
    LLVMTypeRef type = element_type(e, to, lanes);
    if (from == to)
        return value;
    switch (dtype_info(from)->class) {
    case CLASS_PREDICATE:
        return dtype_is_float(to) ? LLVMBuildUIToFP(e->builder, value, type, "")
                                  : LLVMBuildZExt(e->builder, value, type, "");
    case CLASS_SIGNED:
    case CLASS_UNSIGNED: return from_integer(e, value, from, to, type);
    case CLASS_FLOAT: return from_float(e, value, from, to, type);
    default: return NULL;
    }
}
