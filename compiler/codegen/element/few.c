/* few.c: see few.h. */
#include "compiler/codegen/element/few.h"

enum {
    LANES_MAX = 64,
    PART_BITS = 128 /* of a vector, whose elements are inserted by an instruction each */
};

/* The lanes that a constant mask enables, one bit each; 0 for other masks. */
static uint64_t enabled_lanes(struct emitter *e, LLVMValueRef mask)
{
    uint64_t lanes = 0;
    if (!mask || !LLVMIsConstant(mask) || e->lanes > LANES_MAX)
        return 0;
    for (int i = 0; i < e->lanes; i++) {
        LLVMValueRef lane = LLVMGetAggregateElement(mask, (unsigned)i);
        if (!lane || !LLVMIsAConstantInt(lane))
            return 0;
        lanes |= (uint64_t)LLVMConstIntGetZExtValue(lane) << i;
    }
    return lanes;
}

/* Offsets of the lanes, of 32 bits where they fit and there are two pairs of them or more. */
static LLVMValueRef vector_of(struct emitter *e, const struct affine *offset)
{
    int64_t min, max;
    affine_range(e, offset, &min, &max);
    return e->lanes >= 4 && min > INT32_MIN && max < INT32_MAX ? affine_vector32(e, offset)
                                                               : affine_vector(e, offset);
}

/* The offset of one lane, which is not negative. Two of 32 bits leave the vector at once. */
static LLVMValueRef offset_at(struct emitter *e, LLVMValueRef offsets, int lane)
{
    LLVMTypeRef type = LLVMTypeOf(offsets);
    if (LLVMGetElementType(type) == e->i64)
        return LLVMBuildExtractElement(e->builder, offsets, emitter_i32(e, lane), "");
    LLVMValueRef pairs =
        LLVMBuildBitCast(e->builder, offsets, emitter_vector(e->i64, e->lanes / 2), "");
    LLVMValueRef pair = LLVMBuildExtractElement(e->builder, pairs, emitter_i32(e, lane / 2), "");
    return lane % 2 ? LLVMBuildLShr(e->builder, pair, emitter_i64(e, 32), "")
                    : LLVMBuildAnd(e->builder, pair, emitter_i64(e, UINT32_MAX), "");
}

/* Whether the processor gathers elements of a type; others are loaded one at a time in any case. */
static bool has_gathers(struct emitter *e, LLVMTypeRef scalar)
{
    return e->target->isa.gathers && emitter_bits_of(scalar) >= 32;
}

/* One vector of `count` (a power of two) parts with so many lanes each. */
static LLVMValueRef join(struct emitter *e, LLVMValueRef *parts, int count, int lanes)
{
    LLVMValueRef numbers[LANES_MAX];
    for (; count > 1; count /= 2, lanes *= 2) {
        for (int i = 0; i < 2 * lanes; i++)
            numbers[i] = emitter_i32(e, i);
        LLVMValueRef order = LLVMConstVector(numbers, (unsigned)lanes * 2);
        for (int i = 0; i < count / 2; i++)
            parts[i] =
                LLVMBuildShuffleVector(e->builder, parts[2 * i], parts[2 * i + 1], order, "");
    }
    return parts[0];
}

/* The offsets of lanes: of the first one and the stride to the next, or of each. */
struct offsets {
    bool affine;
    int64_t stride;
    LLVMValueRef of;
};

static struct offsets offsets_of(struct emitter *e, const struct affine *offset)
{
    struct offsets offsets = {.affine = false};
    offsets.affine = affine_lane_stride(e, offset, &offsets.stride);
    offsets.of = offsets.affine ? affine_scalar(e, offset) : vector_of(e, offset);
    return offsets;
}

static LLVMValueRef load_lane(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef type,
                              unsigned align, const struct offsets *offsets, int lane)
{
    LLVMValueRef at = offsets->affine ? LLVMBuildAdd(e->builder, offsets->of,
                                                     emitter_i64(e, lane * offsets->stride), "")
                                      : offset_at(e, offsets->of, lane);
    LLVMValueRef from = LLVMBuildGEP2(e->builder, type, pointer, &at, 1, "");
    LLVMValueRef element = LLVMBuildLoad2(e->builder, type, from, "");
    LLVMSetAlignment(element, align);
    return element;
}

LLVMValueRef few_load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar, unsigned align,
                      const struct affine *offset, LLVMValueRef mask)
{
    uint64_t enabled = enabled_lanes(e, mask);
    if (!enabled || !has_gathers(e, scalar) || e->lanes < 4 ||
        __builtin_popcountll(enabled) * 4 > e->lanes * 3)
        return NULL;
    int each = PART_BITS / emitter_bits_of(scalar), count = e->lanes / each;
    LLVMValueRef parts[LANES_MAX];
    for (int i = 0; i < count; i++)
        parts[i] = LLVMConstNull(emitter_vector(scalar, each));
    struct offsets offsets = offsets_of(e, offset);
    for (int i = 0; i < e->lanes; i++) {
        if (!(enabled >> i & 1))
            continue;
        LLVMValueRef element = load_lane(e, pointer, scalar, align, &offsets, i), *part = parts;
        part += i / each;
        *part = LLVMBuildInsertElement(e->builder, *part, element, emitter_i32(e, i % each), "");
    }
    return join(e, parts, count, each);
}

LLVMValueRef few_load_pairs(struct emitter *e, LLVMValueRef pointer, const struct affine *offset,
                            LLVMValueRef mask)
{
    uint64_t enabled = mask ? enabled_lanes(e, mask) : UINT64_MAX;
    if (!enabled || e->lanes < 2 || e->lanes > LANES_MAX)
        return NULL;
    LLVMValueRef parts[LANES_MAX];
    LLVMTypeRef pair = emitter_vector(e->f64, 2);
    struct offsets offsets = offsets_of(e, offset);
    for (int i = 0; i < e->lanes; i++)
        parts[i] = enabled >> i & 1 ? load_lane(e, pointer, pair, sizeof(double), &offsets, i)
                                    : LLVMConstNull(pair);
    return join(e, parts, e->lanes, 2);
}
