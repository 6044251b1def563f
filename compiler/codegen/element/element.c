/* element.c: conversion between the register and memory forms of elements. */
#include "compiler/codegen/element/element.h"

#include <string.h>

#include "compiler/codegen/element/small_float.h"
#include "compiler/schedule/moves.h"
#include "compiler/schedule/nest_schedule.h"

bool element_is_small_float(enum dtype dtype)
{
    return dtype_is_float(dtype) && dtype != DTYPE_F32 && dtype != DTYPE_F64;
}

bool element_is_signed(enum dtype dtype)
{
    return dtype_info(dtype)->class == CLASS_SIGNED;
}

bool element_only_moves(const struct emitter *e)
{
    return e->nest && e->nest->schedule.bits;
}

static bool is_bits(const struct emitter *e, enum dtype dtype)
{
    return element_only_moves(e) && moves_has_bits(dtype);
}

static LLVMTypeRef integer_of(struct emitter *e, enum dtype dtype)
{
    return LLVMIntTypeInContext(e->context, (unsigned)dtype_bytes(dtype) * 8);
}

bool element_has_parts(const struct emitter *e, enum dtype dtype)
{
    return dtype_is_complex(dtype) && !is_bits(e, dtype);
}

static LLVMTypeRef register_scalar(struct emitter *e, enum dtype dtype)
{
    if (is_bits(e, dtype))
        return integer_of(e, dtype);
    switch (dtype_info(dtype)->class) {
    case CLASS_PREDICATE: return e->i1;
    case CLASS_FLOAT: return dtype == DTYPE_F64 ? e->f64 : e->f32;
    case CLASS_COMPLEX: return dtype == DTYPE_C128 ? e->f64 : e->f32;
    default: return integer_of(e, dtype);
    }
}

LLVMTypeRef element_type(struct emitter *e, enum dtype dtype, int lanes)
{
    return emitter_vector(register_scalar(e, dtype), lanes);
}

LLVMTypeRef element_memory_type(struct emitter *e, enum dtype dtype)
{
    if (dtype == DTYPE_PRED)
        return e->i8;
    if (dtype == DTYPE_F16 && e->target->isa.half && !element_only_moves(e))
        return e->f16;
    if (element_is_small_float(dtype))
        return integer_of(e, dtype);
    return register_scalar(e, dtype);
}

static int lanes_of(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? (int)LLVMGetVectorSize(type) : 1;
}

struct element element_of(LLVMValueRef value)
{
    return (struct element){{value, NULL}, lanes_of(value)};
}

struct element element_of_parts(LLVMValueRef real, LLVMValueRef imaginary)
{
    return (struct element){{real, imaginary}, lanes_of(real)};
}

struct element element_widen(struct emitter *e, const struct element *element, int lanes)
{
    struct element result = *element;
    if (element->lanes == lanes)
        return result;
    result.lanes = lanes;
    for (int i = 0; i < 2; i++)
        if (element->part[i])
            result.part[i] = emitter_splat(e, element->part[i], lanes);
    return result;
}

struct element element_from_double(struct emitter *e, enum dtype dtype, double value)
{
    char bytes[16] = {0};
    dtype_from_double(dtype, value, bytes);
    return element_constant(e, dtype, bytes);
}

/* Copies the exact bits, so that NaN payloads and denormals are those of the program. */
static LLVMValueRef constant_part(struct emitter *e, enum dtype dtype, const void *bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, bytes, (size_t)dtype_bytes(dtype));
    if (is_bits(e, dtype))
        return LLVMConstInt(register_scalar(e, dtype), bits, false);
    switch (dtype_info(dtype)->class) {
    case CLASS_PREDICATE: return LLVMConstInt(e->i1, bits != 0, false);
    case CLASS_FLOAT:
        if (dtype == DTYPE_F64)
            return LLVMConstBitCast(LLVMConstInt(e->i64, bits, false), e->f64);
        if (dtype != DTYPE_F32) {
            float value = (float)dtype_to_double(dtype, bytes);
            memcpy(&bits, &value, sizeof value);
            bits &= UINT32_MAX;
        }
        return LLVMConstBitCast(LLVMConstInt(e->i32, bits, false), e->f32);
    case CLASS_SIGNED:
        return LLVMConstInt(register_scalar(e, dtype), (uint64_t)dtype_to_int64(dtype, bytes),
                            true);
    default: return LLVMConstInt(register_scalar(e, dtype), bits, false);
    }
}

int element_flatten(int count, const struct element *elements, LLVMValueRef *values)
{
    int written = 0;
    for (int i = 0; i < count; i++)
        for (int part = 0; part < 2 && elements[i].part[part]; part++)
            values[written++] = elements[i].part[part];
    return written;
}

void element_unflatten(int count, LLVMValueRef const *values, struct element *elements)
{
    for (int i = 0; i < count; i++) {
        bool has_two = elements[i].part[1];
        elements[i] = element_of(*values++);
        if (has_two)
            elements[i].part[1] = *values++;
    }
}

struct element element_constant(struct emitter *e, enum dtype dtype, const void *bytes)
{
    if (!element_has_parts(e, dtype))
        return element_of(constant_part(e, dtype, bytes));
    enum dtype part = dtype_real_part(dtype);
    return element_of_parts(constant_part(e, part, bytes),
                            constant_part(e, part, (const char *)bytes + dtype_bytes(part)));
}

struct element element_select(struct emitter *e, const struct element *condition,
                              const struct element *a, const struct element *b)
{
    int lanes = condition->lanes > a->lanes ? condition->lanes : a->lanes;
    lanes = b->lanes > lanes ? b->lanes : lanes;
    struct element x = element_widen(e, a, lanes), y = element_widen(e, b, lanes);
    struct element result = {{NULL, NULL}, lanes};
    for (int i = 0; i < 2 && x.part[i]; i++) /* a scalar condition may select between vectors */
        result.part[i] = x.part[i] == y.part[i] ? x.part[i]
                                                : LLVMBuildSelect(e->builder, condition->part[0],
                                                                  x.part[i], y.part[i], "");
    return result;
}

/* ---- rounding and the memory form ------------------------------------------------------------ */
/* `wide_nan`: a NaN may have bits that rounding carries into the exponent and the sign. */
static LLVMValueRef bf16_encode(struct emitter *e, LLVMValueRef value, bool wide_nan)
{
    int lanes = lanes_of(value);
    LLVMTypeRef type = emitter_vector(e->i32, lanes);
    LLVMBuilderRef b = e->builder;
    LLVMValueRef narrow = small_float_narrow(e, value, lanes);
    if (narrow)
        return narrow;
    LLVMValueRef bits = LLVMBuildBitCast(b, value, type, ""), one = emitter_int_like(type, 1);
    LLVMValueRef by = emitter_int_like(type, 16);
    LLVMValueRef odd = LLVMBuildAnd(b, LLVMBuildLShr(b, bits, by, ""), one, "");
    LLVMValueRef bias = LLVMBuildAdd(b, odd, emitter_int_like(type, 0x7FFF), "");
    LLVMValueRef rounded = LLVMBuildAdd(b, bits, bias, "");
    if (wide_nan) {
        LLVMValueRef quiet = LLVMBuildOr(b, bits, emitter_int_like(type, 0x400000), "");
        LLVMValueRef nan = LLVMBuildFCmp(b, LLVMRealUNO, value, value, "");
        rounded = LLVMBuildSelect(b, nan, quiet, rounded, "");
    }
    rounded = LLVMBuildLShr(b, rounded, by, "");
    return LLVMBuildTrunc(b, rounded, emitter_vector(e->i16, lanes), "");
}

static LLVMValueRef wrap(struct emitter *e, enum dtype dtype, LLVMValueRef value)
{
    int unused = 8 - dtype_info(dtype)->bits;
    LLVMValueRef by = emitter_int_like(LLVMTypeOf(value), unused);
    value = LLVMBuildShl(e->builder, value, by, "");
    return element_is_signed(dtype) ? LLVMBuildAShr(e->builder, value, by, "")
                                    : LLVMBuildLShr(e->builder, value, by, "");
}

LLVMValueRef element_round(struct emitter *e, enum dtype dtype, LLVMValueRef value)
{
    if (dtype_is_integer(dtype) && dtype_info(dtype)->bits < 8)
        return wrap(e, dtype, value);
    if (!element_is_small_float(dtype) || e->combining.unrounded)
        return value;
    return element_decode(e, dtype, element_encode(e, dtype, value));
}

LLVMValueRef element_round_arithmetic(struct emitter *e, enum dtype dtype, LLVMValueRef value)
{
    return dtype == DTYPE_BF16 && !e->combining.unrounded
               ? element_decode(e, dtype, bf16_encode(e, value, false))
               : element_round(e, dtype, value);
}

LLVMValueRef element_decode(struct emitter *e, enum dtype dtype, LLVMValueRef bits)
{
    LLVMBuilderRef b = e->builder;
    int lanes = lanes_of(bits);
    if (is_bits(e, dtype))
        return bits;
    if (dtype == DTYPE_PRED)
        return LLVMBuildICmp(b, LLVMIntNE, bits, emitter_int_like(LLVMTypeOf(bits), 0), "");
    if (dtype == DTYPE_F16 && e->target->isa.half)
        return small_float_extend(e, bits, emitter_vector(e->f32, lanes));
    if (dtype == DTYPE_BF16) {
        LLVMTypeRef type = emitter_vector(e->i32, lanes);
        LLVMValueRef wide = LLVMBuildZExt(b, bits, type, "");
        wide = LLVMBuildShl(b, wide, emitter_int_like(type, 16), "");
        return LLVMBuildBitCast(b, wide, emitter_vector(e->f32, lanes), "");
    }
    return element_is_small_float(dtype) ? small_float_decode(e, dtype, bits) : bits;
}

LLVMValueRef element_encode(struct emitter *e, enum dtype dtype, LLVMValueRef value)
{
    LLVMBuilderRef b = e->builder;
    int lanes = lanes_of(value);
    if (is_bits(e, dtype))
        return value;
    LLVMValueRef loaded = small_float_loaded(e, dtype, value, lanes);
    if (loaded)
        return loaded;
    if (dtype == DTYPE_PRED)
        return LLVMBuildZExt(b, value, emitter_vector(e->i8, lanes), "");
    if (dtype == DTYPE_F16 && e->target->isa.half)
        return LLVMBuildFPTrunc(b, value, emitter_vector(e->f16, lanes), "");
    if (dtype == DTYPE_BF16)
        return bf16_encode(e, value, true);
    return element_is_small_float(dtype) ? small_float_encode(e, dtype, value) : value;
}
