/* emit_bitcast.c: the bits of elements as elements of another type, which may be wider or narrower:
 * an element is split into those of the last dimension, or joined from them. */
#include <string.h>

#include "compiler/codegen/element/element_convert.h"
#include "compiler/codegen/op_emitters/op_emitters.h"

static LLVMTypeRef int_type(struct emitter *e, int bytes, int lanes)
{
    return emitter_vector(LLVMIntTypeInContext(e->context, (unsigned)bytes * 8), lanes);
}

/* A predicate counts as one bit, as in its MLIR type. */
static int bits_of(enum dtype dtype)
{
    return dtype == DTYPE_PRED ? 1 : dtype_info(dtype)->bits;
}

/* Converts an element to an integer with its bits in memory; from_bits() is the inverse. */
static LLVMValueRef to_bits(struct emitter *e, enum dtype dtype, const struct element *element)
{
    LLVMValueRef memory = element_encode(e, dtype, element->part[0]);
    return LLVMBuildBitCast(e->builder, memory, int_type(e, dtype_bytes(dtype), element->lanes),
                            "");
}

static struct element from_bits(struct emitter *e, enum dtype dtype, LLVMValueRef bits, int lanes)
{
    LLVMTypeRef memory = int_type(e, dtype_bytes(dtype), lanes);
    if (dtype == DTYPE_F16 && e->target->isa.half)
        memory = emitter_vector(e->f16, lanes);
    else if (dtype == DTYPE_F32 || dtype == DTYPE_F64)
        memory = element_type(e, dtype, lanes);
    if (dtype == DTYPE_PRED)
        bits = LLVMBuildAnd(e->builder, bits, emitter_int_like(LLVMTypeOf(bits), 1), "");
    bits = LLVMBuildBitCast(e->builder, bits, memory, "");
    LLVMValueRef value = element_decode(e, dtype, bits);
    return element_of(dtype_is_integer(dtype) ? element_round(e, dtype, value) : value);
}

/* Complex types are unsupported: both parts would have to be converted. */
static struct error *reject_complex(struct emitter *e, const struct op *op, enum dtype a,
                                    enum dtype b)
{
    if (dtype_is_complex(a) || dtype_is_complex(b))
        return emitter_unimplemented(e, op, "a bitcast of complex numbers");
    return NULL;
}

static struct error *split_bits(struct emitter *e, const struct op *op, const struct index *index,
                                struct element *out)
{
    enum dtype from = op->operands[0]->type->shape.dtype, to = op->results[0].type->shape.dtype;
    struct index operand = affine_index(index->rank - 1, index->at);
    const struct affine *part = &index->at[index->rank - 1];
    struct element whole;
    TRY(expression_emit(e, op->operands[0], &operand, &whole));
    int lanes = expression_lanes(e, index), bits = bits_of(to);
    whole = element_widen(e, &whole, lanes);
    LLVMValueRef value = to_bits(e, from, &whole), by;
    LLVMTypeRef type = LLVMTypeOf(value);
    by = lanes == 1 ? affine_scalar(e, part) : affine_vector(e, part);
    if (dtype_bytes(from) < 8)
        by = LLVMBuildTrunc(e->builder, by, type, "");
    by = LLVMBuildMul(e->builder, by, emitter_int_like(type, bits), "");
    value = LLVMBuildLShr(e->builder, value, by, "");
    if (dtype_bytes(to) < dtype_bytes(from))
        value = LLVMBuildTrunc(e->builder, value, int_type(e, dtype_bytes(to), lanes), "");
    *out = from_bits(e, to, value, lanes);
    return NULL;
}

static struct error *join_bits(struct emitter *e, const struct op *op, const struct index *index,
                               struct element *out)
{
    enum dtype from = op->operands[0]->type->shape.dtype, to = op->results[0].type->shape.dtype;
    int bits = bits_of(from), lanes = expression_lanes(e, index), rank = index->rank;
    LLVMTypeRef type = int_type(e, dtype_bytes(to), lanes);
    LLVMValueRef whole = LLVMConstNull(type);
    for (int i = 0; i < bits_of(to) / bits; i++) {
        struct affine *at = affine_array(e, rank + 1);
        struct element part;
        memcpy(at, index->at, (size_t)rank * sizeof *at);
        at[rank] = affine_constant(i);
        struct index operand = affine_index(rank + 1, at);
        TRY(expression_emit(e, op->operands[0], &operand, &part));
        part = element_widen(e, &part, lanes);
        LLVMValueRef value = to_bits(e, from, &part);
        if (dtype_bytes(from) < dtype_bytes(to))
            value = LLVMBuildZExt(e->builder, value, type, "");
        if (bits < 8)
            value = LLVMBuildAnd(e->builder, value, emitter_int_like(type, (1 << bits) - 1), "");
        value = LLVMBuildShl(e->builder, value, emitter_int_like(type, i * bits), "");
        whole = LLVMBuildOr(e->builder, whole, value, "");
    }
    *out = from_bits(e, to, whole, lanes);
    return NULL;
}

struct error *emit_bitcast_convert(struct emitter *e, const struct op *op,
                                   const struct index *index, struct element *out)
{
    enum dtype from = op->operands[0]->type->shape.dtype, to = op->results[0].type->shape.dtype;
    struct element value;
    if (from != to)
        TRY(reject_complex(e, op, from, to));
    if (bits_of(from) > bits_of(to))
        return split_bits(e, op, index, out);
    if (bits_of(from) < bits_of(to))
        return join_bits(e, op, index, out);
    TRY(expression_emit(e, op->operands[0], index, &value));
    *out = from == to ? value : from_bits(e, to, to_bits(e, from, &value), value.lanes);
    return NULL;
}
