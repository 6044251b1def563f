/* small_float.c: decodes a small float by shifting its magnitude bits to f32's position. The result
 * is an f32 whose exponent is too low by the difference of the biases; an integer addition corrects
 * it. No step computes with denormal f32 numbers, because programs run with denormals flushed to
 * zero. */
#include "compiler/codegen/element/small_float.h"

#include <math.h>
#include <string.h>

#include "base/fpu.h"

/* The codes of special values in one type, without the sign. See base/dtype.c for the variants. */
struct codes {
    int64_t sign, largest, overflow, nan, infinity;
};

static struct codes codes_of(enum dtype dtype)
{
    const struct dtype_info *info = dtype_info(dtype);
    int fraction = info->significand_bits - 1;
    int64_t sign = 1LL << (fraction + info->exponent_bits), ones = sign - 1;
    int64_t infinity = ones >> fraction << fraction;
    switch (dtype) {
    case DTYPE_F8E4M3FN: return (struct codes){sign, ones - 1, ones, ones, -1};
    case DTYPE_F8E4M3B11FNUZ:
    case DTYPE_F8E4M3FNUZ:
    case DTYPE_F8E5M2FNUZ: return (struct codes){sign, ones, sign, sign, -1};
    case DTYPE_F4E2M1FN: return (struct codes){sign, ones, ones, sign, -1};
    default:
        return (struct codes){sign, infinity - 1, infinity, infinity | 1LL << (fraction - 1),
                              infinity};
    }
}

static bool is_without_negative_zero(enum dtype dtype)
{
    return dtype == DTYPE_F8E4M3B11FNUZ || dtype == DTYPE_F8E4M3FNUZ || dtype == DTYPE_F8E5M2FNUZ;
}

struct types {
    LLVMTypeRef i32, f32, memory;
    int lanes;
};

static struct types types_of(struct emitter *e, enum dtype dtype, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    int lanes = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? (int)LLVMGetVectorSize(type) : 1;
    LLVMTypeRef memory = dtype_bytes(dtype) == 2 ? e->i16 : e->i8;
    return (struct types){emitter_vector(e->i32, lanes), emitter_vector(e->f32, lanes),
                          emitter_vector(memory, lanes), lanes};
}

static LLVMValueRef scale_decode(struct emitter *e, struct types t, LLVMValueRef code)
{
    LLVMBuilderRef b = e->builder;
    LLVMValueRef bits = LLVMBuildShl(b, code, emitter_int_like(t.i32, 23), "");
    LLVMValueRef zero = LLVMBuildICmp(b, LLVMIntEQ, code, emitter_int_like(t.i32, 0), "");
    bits = LLVMBuildSelect(b, zero, emitter_int_like(t.i32, 0x400000), bits, "");
    LLVMValueRef last = LLVMBuildICmp(b, LLVMIntEQ, code, emitter_int_like(t.i32, 0xFF), "");
    bits = LLVMBuildSelect(b, last, emitter_int_like(t.i32, 0x7FC00000), bits, "");
    return LLVMBuildBitCast(b, bits, t.f32, "");
}

/* Decodes a finite magnitude. A denormal is decoded as if its hidden bit were set, like the
 * smallest normal number, which is then subtracted. */
static LLVMValueRef magnitude_decode(struct emitter *e, const struct dtype_info *info,
                                     struct types t, LLVMValueRef magnitude)
{
    LLVMBuilderRef b = e->builder;
    int64_t bias = 127 - info->exponent_bias;
    LLVMValueRef up = emitter_int_like(t.i32, 24 - info->significand_bits);
    LLVMValueRef bits = LLVMBuildShl(b, magnitude, up, "");
    LLVMValueRef normal = LLVMBuildAdd(b, bits, emitter_int_like(t.i32, bias << 23), "");
    LLVMValueRef raised = LLVMBuildAdd(b, bits, emitter_int_like(t.i32, (bias + 1) << 23), "");
    LLVMValueRef least = emitter_real_like(t.f32, ldexp(1, 1 - info->exponent_bias));
    LLVMValueRef denormal = LLVMBuildFSub(b, LLVMBuildBitCast(b, raised, t.f32, ""), least, "");
    LLVMValueRef first_normal = emitter_int_like(t.i32, 1LL << (info->significand_bits - 1));
    LLVMValueRef below = LLVMBuildICmp(b, LLVMIntULT, magnitude, first_normal, "");
    return LLVMBuildSelect(b, below, denormal, LLVMBuildBitCast(b, normal, t.f32, ""), "");
}

/* LLVM would compute with f16 what it can as f16: compare them, or find which is a number.
 * Processors without arithmetic on f16 then do it one by one. */
LLVMValueRef small_float_extend(struct emitter *e, LLVMValueRef f16, LLVMTypeRef type)
{
    return emitter_unary(e, "llvm.arithmetic.fence", LLVMBuildFPExt(e->builder, f16, type, ""));
}

/* ---- values that were decoded know their bits ------------------------------------------------ */
static unsigned decoded_mark(struct emitter *e, enum dtype dtype)
{
    const char *name = dtype_info(dtype)->name;
    return LLVMGetMDKindIDInContext(e->context, name, (unsigned)strlen(name));
}

static LLVMValueRef marked_decoded(struct emitter *e, enum dtype dtype, LLVMValueRef value)
{
    LLVMMetadataRef node = LLVMMDNodeInContext2(e->context, NULL, 0);
    if (LLVMIsAInstruction(value))
        LLVMSetMetadata(value, decoded_mark(e, dtype), LLVMMetadataAsValue(e->context, node));
    return value;
}

/* Whether the type is the upper byte of f16, which the processor converts. */
static bool is_upper_byte(const struct emitter *e, enum dtype dtype)
{
    return dtype == DTYPE_F8E5M2 && e->target->isa.half;
}

static LLVMValueRef upper_byte_decode(struct emitter *e, struct types t, LLVMValueRef bits)
{
    LLVMTypeRef i16 = emitter_vector(e->i16, t.lanes);
    LLVMValueRef code = LLVMBuildZExt(e->builder, bits, i16, "");
    code = LLVMBuildShl(e->builder, code, emitter_int_like(i16, 8), "");
    code = LLVMBuildBitCast(e->builder, code, emitter_vector(e->f16, t.lanes), "");
    return small_float_extend(e, code, t.f32);
}

/* The value is extended(bits << 8) in a fence, or ends with the sign, (bits & mask) << by. */
static LLVMValueRef decoded_bits(struct emitter *e, enum dtype dtype, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value) || !LLVMGetMetadata(value, decoded_mark(e, dtype)))
        return NULL;
    LLVMValueRef inner = LLVMGetOperand(value, 0);
    inner = is_upper_byte(e, dtype) ? LLVMGetOperand(LLVMGetOperand(inner, 0), 0)
                                    : LLVMGetOperand(LLVMGetOperand(inner, 1), 0);
    return LLVMGetOperand(LLVMGetOperand(inner, 0), 0);
}

LLVMValueRef small_float_decode(struct emitter *e, enum dtype dtype, LLVMValueRef bits)
{
    const struct dtype_info *info = dtype_info(dtype);
    LLVMBuilderRef b = e->builder;
    struct types t = types_of(e, dtype, bits);
    if (is_upper_byte(e, dtype))
        return marked_decoded(e, dtype, upper_byte_decode(e, t, bits));
    LLVMValueRef code = LLVMBuildZExt(b, bits, t.i32, "");
    if (dtype == DTYPE_F8E8M0FNU)
        return scale_decode(e, t, code);
    struct codes codes = codes_of(dtype);
    LLVMValueRef magnitude = LLVMBuildAnd(b, code, emitter_int_like(t.i32, codes.sign - 1), "");
    LLVMValueRef value = magnitude_decode(e, info, t, magnitude);
    LLVMValueRef largest = emitter_int_like(t.i32, codes.largest);
    LLVMValueRef special = LLVMBuildICmp(b, LLVMIntUGT, magnitude, largest, ""),
                 nan = emitter_real_like(t.f32, (double)NAN);
    if (codes.infinity >= 0) {
        LLVMValueRef is_infinity =
            LLVMBuildICmp(b, LLVMIntEQ, magnitude, emitter_int_like(t.i32, codes.infinity), "");
        nan = LLVMBuildSelect(b, is_infinity, emitter_real_like(t.f32, HUGE_VAL), nan, "");
    }
    if (is_without_negative_zero(dtype))
        special = LLVMBuildICmp(b, LLVMIntEQ, code, emitter_int_like(t.i32, codes.sign), "");
    value = LLVMBuildSelect(b, special, nan, value, "");
    LLVMValueRef sign = LLVMBuildAnd(b, code, emitter_int_like(t.i32, codes.sign), "");
    int sign_shift = 31 - (info->significand_bits - 1 + info->exponent_bits);
    sign = LLVMBuildShl(b, sign, emitter_int_like(t.i32, sign_shift), "");
    value = LLVMBuildOr(b, LLVMBuildBitCast(b, value, t.i32, ""), sign, "");
    return marked_decoded(e, dtype, LLVMBuildBitCast(b, value, t.f32, ""));
}

/* As element_decode() widens bf16: its bits are the upper half. */
static LLVMValueRef loaded_bf16(struct emitter *e, LLVMValueRef value, int lanes)
{
    LLVMValueRef wide = LLVMIsABitCastInst(value) ? LLVMGetOperand(value, 0) : NULL;
    if (!wide || !LLVMIsAInstruction(wide) || LLVMGetInstructionOpcode(wide) != LLVMShl)
        return NULL;
    LLVMValueRef bits = LLVMGetOperand(wide, 0), by = LLVMGetOperand(wide, 1);
    bits = LLVMIsAZExtInst(bits) ? LLVMGetOperand(bits, 0) : NULL;
    bool same = bits && LLVMTypeOf(bits) == emitter_vector(e->i16, lanes) &&
                by == emitter_int_like(emitter_vector(e->i32, lanes), 16);
    return same ? bits : NULL;
}

/* The f16 that small_float_extend() made a value of; else NULL. */
static LLVMValueRef loaded_f16(LLVMValueRef value)
{
    LLVMValueRef extended = LLVMIsACallInst(value) ? LLVMGetOperand(value, 0) : NULL;
    return extended && LLVMIsAFPExtInst(extended) ? LLVMGetOperand(extended, 0) : NULL;
}

/* Rounds positive finite values to the nearest power of two, ties up. Anything else becomes NaN
 * (0xFF). */
static LLVMValueRef scale_encode(struct emitter *e, struct types t, LLVMValueRef value)
{
    LLVMBuilderRef b = e->builder;
    LLVMValueRef bits = LLVMBuildBitCast(b, value, t.i32, "");
    LLVMValueRef code = LLVMBuildAdd(b, bits, emitter_int_like(t.i32, 0x400000), "");
    code = LLVMBuildLShr(b, code, emitter_int_like(t.i32, 23), "");
    LLVMValueRef denormal =
        LLVMBuildICmp(b, LLVMIntULT, bits, emitter_int_like(t.i32, 0x800000), "");
    LLVMValueRef up = LLVMBuildICmp(b, LLVMIntUGE, bits, emitter_int_like(t.i32, 0x600000), "");
    code = LLVMBuildSelect(b, denormal, LLVMBuildZExt(b, up, t.i32, ""), code, "");
    /* Positive and finite, by its bits: comparisons of floats may take denormals for zero. */
    LLVMValueRef below = LLVMBuildSub(b, bits, emitter_int_like(t.i32, 1), "");
    LLVMValueRef has_code =
        LLVMBuildICmp(b, LLVMIntULT, below, emitter_int_like(t.i32, 0x7F800000 - 1), "");
    code = LLVMBuildSelect(b, has_code, code, emitter_int_like(t.i32, 0xFF), "");
    return LLVMBuildTrunc(b, code, t.memory, "");
}

/* Rounds |value| to the type's fraction. Normal results: adds half an ulp to the bits. Denormal
 * results: adds a power of two whose ulp is the type's smallest step. */
static LLVMValueRef magnitude_encode(struct emitter *e, const struct dtype_info *info,
                                     struct types t, LLVMValueRef value)
{
    LLVMBuilderRef b = e->builder;
    int fraction = info->significand_bits - 1, down = 23 - fraction,
        least = 1 - info->exponent_bias;
    LLVMValueRef shift = emitter_int_like(t.i32, down), one = emitter_int_like(t.i32, 1);
    LLVMValueRef bits = LLVMBuildBitCast(b, value, t.i32, "");
    LLVMValueRef odd = LLVMBuildAnd(b, LLVMBuildLShr(b, bits, shift, ""), one, "");
    LLVMValueRef half = LLVMBuildAdd(b, odd, emitter_int_like(t.i32, (1LL << (down - 1)) - 1), "");
    LLVMValueRef normal = LLVMBuildLShr(b, LLVMBuildAdd(b, bits, half, ""), shift, "");
    int64_t bias = (int64_t)(127 - info->exponent_bias) << fraction;
    normal = LLVMBuildSub(b, normal, emitter_int_like(t.i32, bias), "");
    LLVMValueRef magic = emitter_real_like(t.f32, ldexp(1, 23 + least - fraction));
    LLVMValueRef tiny = LLVMBuildBitCast(b, LLVMBuildFAdd(b, value, magic, ""), t.i32, "");
    tiny = LLVMBuildSub(b, tiny, LLVMBuildBitCast(b, magic, t.i32, ""), "");
    LLVMValueRef below =
        LLVMBuildFCmp(b, LLVMRealOLT, value, emitter_real_like(t.f32, ldexp(1, least)), "");
    return LLVMBuildSelect(b, below, tiny, normal, "");
}

/* The f16 (as i16) that a value was, or that rounds to the same upper byte; NULL: neither. The 8
 * bits of a bf16 are fewer than those of f16. Below its normal numbers some are rounded, but never
 * to the middle of two upper bytes, unless that is rounded to zero, as they should be. */
static LLVMValueRef as_f16(struct emitter *e, struct types t, LLVMValueRef value)
{
    LLVMTypeRef f16 = emitter_vector(e->f16, t.lanes);
    LLVMValueRef narrow = loaded_f16(value);
    if (!narrow && loaded_bf16(e, value, t.lanes))
        narrow = LLVMBuildFPTrunc(e->builder, value, f16, "");
    if (!narrow || LLVMTypeOf(narrow) != f16)
        return NULL;
    return LLVMBuildBitCast(e->builder, narrow, emitter_vector(e->i16, t.lanes), "");
}

/* Rounds f16 to its upper byte. */
static LLVMValueRef upper_byte_encode(struct emitter *e, struct types t, LLVMValueRef bits)
{
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef i16 = LLVMTypeOf(bits);
    LLVMValueRef magnitude = LLVMBuildAnd(b, bits, emitter_int_like(i16, 0x7FFF), "");
    LLVMValueRef is_nan =
        LLVMBuildICmp(b, LLVMIntSGT, magnitude, emitter_int_like(i16, 0x7C00), "");
    LLVMValueRef nan = LLVMBuildAnd(b, bits, emitter_int_like(i16, 0x8000), "");
    nan = LLVMBuildOr(b, nan, emitter_int_like(i16, 0x7E00), "");
    bits = LLVMBuildSelect(b, is_nan, nan, bits, "");
    LLVMValueRef eight = emitter_int_like(i16, 8), odd = LLVMBuildLShr(b, bits, eight, "");
    odd = LLVMBuildAnd(b, odd, emitter_int_like(i16, 1), "");
    bits = LLVMBuildAdd(b, bits, LLVMBuildAdd(b, odd, emitter_int_like(i16, 0x7F), ""), "");
    return LLVMBuildTrunc(b, LLVMBuildLShr(b, bits, eight, ""), t.memory, "");
}

LLVMValueRef small_float_encode(struct emitter *e, enum dtype dtype, LLVMValueRef value)
{
    const struct dtype_info *info = dtype_info(dtype);
    LLVMBuilderRef b = e->builder;
    struct types t = types_of(e, dtype, value);
    LLVMValueRef f16 = is_upper_byte(e, dtype) ? as_f16(e, t, value) : NULL;
    if (f16)
        return upper_byte_encode(e, t, f16);
    if (dtype == DTYPE_F8E8M0FNU)
        return scale_encode(e, t, value);
    struct codes codes = codes_of(dtype);
    LLVMValueRef code = magnitude_encode(e, info, t, emitter_unary(e, "llvm.fabs", value));
    LLVMValueRef largest = emitter_int_like(t.i32, codes.largest);
    LLVMValueRef over = LLVMBuildICmp(b, LLVMIntSGT, code, largest, "");
    code = LLVMBuildSelect(b, over, emitter_int_like(t.i32, codes.overflow), code, "");
    LLVMValueRef nan = LLVMBuildFCmp(b, LLVMRealUNO, value, value, "");
    code = LLVMBuildSelect(b, nan, emitter_int_like(t.i32, codes.nan), code, "");
    LLVMValueRef bits = LLVMBuildBitCast(b, value, t.i32, "");
    int sign_shift = 31 - (info->significand_bits - 1 + info->exponent_bits);
    LLVMValueRef sign = LLVMBuildLShr(b, bits, emitter_int_like(t.i32, sign_shift), "");
    sign = LLVMBuildAnd(b, sign, emitter_int_like(t.i32, codes.sign), "");
    if (is_without_negative_zero(dtype)) {
        LLVMValueRef zero = LLVMBuildICmp(b, LLVMIntEQ, code, emitter_int_like(t.i32, 0), "");
        sign = LLVMBuildSelect(b, zero, emitter_int_like(t.i32, 0), sign, "");
    } else if (dtype == DTYPE_F4E2M1FN) {
        sign = LLVMBuildSelect(b, nan, emitter_int_like(t.i32, 0), sign, "");
    }
    return LLVMBuildTrunc(b, LLVMBuildOr(b, code, sign, ""), t.memory, "");
}

LLVMValueRef small_float_loaded(struct emitter *e, enum dtype dtype, LLVMValueRef value, int lanes)
{
    if (dtype == DTYPE_BF16)
        return loaded_bf16(e, value, lanes);
    if (dtype != DTYPE_F16 || !e->target->isa.half)
        return decoded_bits(e, dtype, value);
    LLVMValueRef bits = loaded_f16(value);
    return bits && LLVMTypeOf(bits) == emitter_vector(e->f16, lanes) ? bits : NULL;
}

/* ---- the processor's rounding to bf16 -------------------------------------------------------- */
enum { FLUSHED_DEPTH = 4, NARROW_LANES = 8 };

static bool is_multiply_add(LLVMValueRef call)
{
    return LLVMGetIntrinsicID(LLVMGetCalledValue(call)) == LLVMLookupIntrinsicID("llvm.fma", 8);
}

/* Whether a value is a result of arithmetic, an integer, a f16, zero, or one of two such. */
static bool is_flushed(LLVMValueRef value, int depth)
{
    if (LLVMIsAConstant(value))
        return LLVMIsNull(value);
    if (!LLVMIsAInstruction(value))
        return false;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMSIToFP:
    case LLVMUIToFP: return true;
    case LLVMCall: return is_multiply_add(value) || loaded_f16(value);
    case LLVMSelect:
        return depth > 0 && is_flushed(LLVMGetOperand(value, 1), depth - 1) &&
               is_flushed(LLVMGetOperand(value, 2), depth - 1);
    default: return false;
    }
}

LLVMValueRef small_float_narrow(struct emitter *e, LLVMValueRef value, int lanes)
{
    if (!e->target->isa.bf16 || !fpu_flushes() || lanes % NARROW_LANES ||
        !is_flushed(value, FLUSHED_DEPTH))
        return NULL;
    LLVMTypeRef type = emitter_vector(LLVMBFloatTypeInContext(e->context), lanes);
    return LLVMBuildBitCast(e->builder, LLVMBuildFPTrunc(e->builder, value, type, ""),
                            emitter_vector(e->i16, lanes), "");
}
