/* sort_key.c: see sort_key.h. */
#include "compiler/codegen/standalone/sort_key.h"

#include <string.h>

#include "compiler/codegen/element/elementwise.h"

/* ---- finding the key ------------------------------------------------------------------------ */
/* Whether `b` is the same expression of the odd arguments as `a` is of the even ones. */
static bool mirrors(const struct block *body, const struct value *a, const struct value *b,
                    int depth)
{
    const struct op *x = a->def, *y = b->def;
    if (!x && !y && a->block == body && b->block == body)
        return a->index % 2 == 0 && b->index == a->index + 1;
    if (!x || !y || x->code != y->code || x->block != body || y->block != body)
        return a == b && (x ? x->block : a->block) != body; /* captured from outside the region */
    if (x->code == OP_constant)
        return literal_equal(x->attrs.constant.value, y->attrs.constant.value);
    bool same = depth < 16 && x->operand_count == y->operand_count && a->index == b->index &&
                !x->region_count && op_info(x->code)->traits & OP_ELEMENTWISE &&
                !memcmp(&x->attrs, &y->attrs, sizeof x->attrs);
    for (int i = 0; same && i < x->operand_count; i++)
        same = mirrors(body, x->operands[i], y->operands[i], depth + 1);
    return same;
}

bool sort_key_find(const struct op *sort, struct sort_key *key)
{
    const struct block *body = sort->regions[0];
    const struct op *compare = body->last->operands[0]->def;
    if (!compare || compare->block != body || compare->code != OP_compare)
        return false;
    enum comparison direction = compare->attrs.compare.comparison_direction;
    key->value = compare->operands[0];
    key->by = &compare->attrs.compare;
    key->dtype = key->value->type->shape.dtype;
    key->bytes = element_is_small_float(key->dtype) ? 4 : dtype_bytes(key->dtype);
    return (direction == COMPARE_LT || direction == COMPARE_GT) && !dtype_is_complex(key->dtype) &&
           mirrors(body, compare->operands[0], compare->operands[1], 0);
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
