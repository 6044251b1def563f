/* scan_order.c: see scan_order.h. Negative floats have the order of integers with all bits but the
 * sign inverted. For minima, integers are shifted so far up that the one of NaN, which is positive
 * and quiet, overflows to the least one. */
#include "compiler/codegen/standalone/scan_order.h"

enum { MIN_WIDE_BYTES = 32 /* shorter vectors have no comparison of 64-bit integers */ };

enum scan_order scan_order_of(const struct emitter *e, const struct op *op)
{
    const struct block *body = op->regions[0];
    const struct op *first = body->first;
    enum dtype dtype = op->operands[0]->type->shape.dtype;
    bool is_extreme = first->code == OP_maximum || first->code == OP_minimum;
    if (op->operand_count != 2 || !is_extreme || first->next != body->last ||
        first->operands[0] == first->operands[1] || !dtype_is_float(dtype) ||
        (dtype == DTYPE_F64 && e->target->isa.vector_bytes < MIN_WIDE_BYTES))
        return SCAN_ORDER_NONE;
    return first->code == OP_maximum ? SCAN_ORDER_MAXIMUM : SCAN_ORDER_MINIMUM;
}

/* All bits but the sign. */
static LLVMValueRef magnitude(LLVMTypeRef type)
{
    return emitter_int_like(type, (int64_t)(UINT64_MAX >> (65 - emitter_bits_of(type))));
}

/* Inverts the bits below the sign of negative numbers, or inverts them back. */
static LLVMValueRef reorder(struct emitter *e, LLVMValueRef bits)
{
    LLVMTypeRef type = LLVMTypeOf(bits);
    LLVMValueRef sign =
        LLVMBuildAShr(e->builder, bits, emitter_int_like(type, emitter_bits_of(type) - 1), "");
    LLVMValueRef inverted = LLVMBuildAnd(e->builder, sign, magnitude(type), "");
    return LLVMBuildXor(e->builder, bits, inverted, "");
}

/* The number's bits. The addition flushes denormal numbers, but clears the sign of zeros. */
static LLVMValueRef flushed_bits(struct emitter *e, LLVMValueRef value, LLVMTypeRef type)
{
    LLVMBuilderRef b = e->builder;
    LLVMValueRef sum = LLVMBuildFAdd(b, value, LLVMConstNull(LLVMTypeOf(value)), "");
    LLVMValueRef sign = LLVMBuildAnd(b, LLVMBuildBitCast(b, value, type, ""),
                                     LLVMBuildNot(b, magnitude(type), ""), "");
    return LLVMBuildOr(b, LLVMBuildBitCast(b, sum, type, ""), sign, "");
}

static LLVMValueRef quiet_nan(LLVMTypeRef type)
{
    return emitter_int_like(type,
                            emitter_bits_of(type) == 64 ? INT64_C(0x7ff8000000000000) : 0x7fc00000);
}

/* From NaN to beyond the largest integer. */
static LLVMValueRef shift(LLVMTypeRef type)
{
    return LLVMConstAdd(LLVMConstSub(magnitude(type), quiet_nan(type)), emitter_int_like(type, 1));
}

struct element scan_order_integers(struct emitter *e, enum scan_order order,
                                   const struct element *floats)
{
    LLVMBuilderRef b = e->builder;
    LLVMValueRef value = floats->part[0];
    LLVMTypeRef type = LLVMIntTypeInContext(e->context, emitter_bits_of(LLVMTypeOf(value)));
    type = emitter_vector(type, floats->lanes);
    LLVMValueRef integers = reorder(e, flushed_bits(e, value, type));
    LLVMValueRef is_nan = LLVMBuildFCmp(b, LLVMRealUNO, value, value, "");
    integers = LLVMBuildSelect(b, is_nan, quiet_nan(type), integers, "");
    if (order == SCAN_ORDER_MINIMUM)
        integers = LLVMBuildAdd(b, integers, shift(type), "");
    return element_of(integers);
}

struct element scan_order_floats(struct emitter *e, enum scan_order order,
                                 const struct element *integers)
{
    LLVMValueRef bits = integers->part[0];
    if (order == SCAN_ORDER_MINIMUM)
        bits = LLVMBuildSub(e->builder, bits, shift(LLVMTypeOf(bits)), "");
    bits = reorder(e, bits);
    LLVMTypeRef type = emitter_bits_of(LLVMTypeOf(bits)) == 64 ? LLVMDoubleTypeInContext(e->context)
                                                               : LLVMFloatTypeInContext(e->context);
    type = emitter_vector(type, integers->lanes);
    return element_of(LLVMBuildBitCast(e->builder, bits, type, ""));
}

struct element scan_order_extreme(struct emitter *e, enum scan_order order, const struct element *a,
                                  const struct element *b)
{
    int lanes = a->lanes > b->lanes ? a->lanes : b->lanes;
    struct element x = element_widen(e, a, lanes), y = element_widen(e, b, lanes);
    const char *name = order == SCAN_ORDER_MAXIMUM ? "llvm.smax" : "llvm.smin";
    return element_of(emitter_binary(e, name, x.part[0], y.part[0]));
}

LLVMValueRef scan_order_identity(enum scan_order order, LLVMTypeRef type)
{
    LLVMValueRef most = magnitude(type);
    return order == SCAN_ORDER_MINIMUM ? most : LLVMConstNot(most);
}
