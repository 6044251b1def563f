/* sort_key.c: see sort_key.h. */
#include "compiler/codegen/standalone/sort_key.h"

#include "compiler/analysis/comparator.h"
#include "compiler/codegen/element/elementwise.h"

bool sort_key_find(const struct op *sort, struct sort_key *key)
{
    const struct block *body = sort->regions[0];
    const struct op *compare = comparator_by_key(body, body->last->operands[0]);
    if (!compare)
        return false;
    key->value = compare->operands[0];
    key->by = &compare->attrs.compare;
    key->dtype = key->value->type->shape.dtype;
    key->bytes = element_is_small_float(key->dtype) ? 4 : dtype_bytes(key->dtype);
    return true;
}

/* ---- keys ------------------------------------------------------------------------------------ */
/* The integer type of the key's size, with as many lanes as `value`. */
static LLVMTypeRef bits_like(struct emitter *e, const struct sort_key *key, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMIntTypeInContext(e->context, (unsigned)key->bytes * 8);
    return emitter_vector(type, element_of(value).lanes);
}

/* Bits whose unsigned order is the floats' total order: negative numbers are inverted. If the
 * comparator treats -0 and +0 as equal, their keys are equal. */
static LLVMValueRef float_bits(struct emitter *e, const struct sort_key *key, LLVMValueRef value)
{
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef type = bits_like(e, key, value);
    if (key->by->compare_type != COMPARE_TOTALORDER)
        value = LLVMBuildFAdd(b, value, LLVMConstNull(LLVMTypeOf(value)), "");
    LLVMValueRef bits = LLVMBuildBitCast(b, value, type, "");
    LLVMValueRef inverted = LLVMBuildAShr(b, bits, emitter_int_like(type, key->bytes * 8 - 1), "");
    LLVMValueRef sign = emitter_int_like(type, (int64_t)(1ULL << (key->bytes * 8 - 1)));
    return LLVMBuildXor(b, bits, LLVMBuildOr(b, inverted, sign, ""), "");
}

LLVMValueRef sort_key_bits(struct emitter *e, const struct sort_key *key, LLVMValueRef value)
{
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef type = bits_like(e, key, value);
    LLVMValueRef bits = value;
    if (dtype_is_float(key->dtype))
        bits = float_bits(e, key, value);
    else if (key->dtype == DTYPE_PRED)
        bits = LLVMBuildZExt(b, value, type, "");
    else if (element_is_signed(key->dtype))
        bits = LLVMBuildXor(b, value,
                            emitter_int_like(type, (int64_t)(1ULL << (key->bytes * 8 - 1))), "");
    return key->by->comparison_direction == COMPARE_GT ? LLVMBuildNot(b, bits, "") : bits;
}
