/* stride.c: see stride.h. Each result vector is built by a chain of shuffles that merge in one
 * source vector at a time. */
#include "compiler/codegen/element/stride.h"

enum { MAX_STRIDE = 8, MIN_LANES = 4, MAX_LANES = 64 };

/* Replaces lanes of `into`: lane i by lane from[i] of `source`, unless from[i] is -1. */
static LLVMValueRef take(struct emitter *e, LLVMValueRef into, LLVMValueRef source, const int *from)
{
    LLVMValueRef mask[MAX_LANES];
    int lanes = (int)LLVMGetVectorSize(LLVMTypeOf(source));
    bool any = false;
    for (int i = 0; i < lanes; i++) {
        mask[i] = emitter_i32(e, from[i] >= 0 ? lanes + from[i] : i);
        any |= from[i] >= 0;
    }
    if (!any)
        return into;
    return LLVMBuildShuffleVector(e->builder, into, source, LLVMConstVector(mask, (unsigned)lanes),
                                  "");
}

static LLVMValueRef load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                         unsigned align, LLVMValueRef first, int64_t add)
{
    LLVMValueRef at = LLVMBuildAdd(e->builder, first, emitter_i64(e, add), "");
    LLVMValueRef from = LLVMBuildGEP2(e->builder, scalar, pointer, &at, 1, "");
    LLVMValueRef loaded = LLVMBuildLoad2(e->builder, emitter_vector(scalar, e->lanes), from, "");
    LLVMSetAlignment(loaded, align);
    return loaded;
}

/* Chooses how many elements before the first lane's element the vector loads start, so that they
 * stay in bounds; -1 if that is impossible. Prefers the start of a record of `stride` elements:
 * adjacent elements of a record then share the same loads. */
static int64_t choose_shift(const struct emitter *e, const struct affine *offset, int64_t stride,
                            int64_t count)
{
    int64_t min, max, tried[] = {(offset->constant % stride + stride) % stride, 0, stride - 1};
    affine_range(e, offset, &min, &max);
    for (int i = 0; i < 3; i++)
        if (min - tried[i] >= 0 && max + stride - 1 - tried[i] < count)
            return tried[i];
    return -1;
}

static LLVMValueRef reversed(struct emitter *e, LLVMValueRef vector)
{
    int from[MAX_LANES];
    for (int i = 0; i < e->lanes; i++)
        from[i] = e->lanes - 1 - i;
    return take(e, vector, vector, from);
}

LLVMValueRef stride_load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                         unsigned align, const struct affine *offset, int64_t count)
{
    int64_t stride, shift;
    int from[MAX_LANES], lanes = e->lanes;
    if (lanes < MIN_LANES || lanes > MAX_LANES || !affine_lane_stride(e, offset, &stride))
        return NULL;
    LLVMValueRef result = LLVMGetPoison(emitter_vector(scalar, lanes));
    if (stride == -1)
        return reversed(
            e, load(e, pointer, scalar, align, affine_scalar(e, offset), -(int64_t)(lanes - 1)));
    int64_t step = stride < 0 ? -stride : stride, back = stride < 0 ? step * (lanes - 1) : 0;
    if (step < 2 || step > MAX_STRIDE || (shift = choose_shift(e, offset, step, count)) < 0)
        return NULL;
    LLVMValueRef first = affine_scalar(e, offset);
    for (int k = 0; k < step; k++) {
        for (int i = 0; i < lanes; i++) {
            int64_t at = shift + back + stride * i - (int64_t)k * lanes;
            from[i] = at >= 0 && at < lanes ? (int)at : -1;
        }
        int64_t add = (int64_t)k * lanes - shift - back;
        result = take(e, result, load(e, pointer, scalar, align, first, add), from);
    }
    return result;
}

void stride_interleave(struct emitter *e, LLVMValueRef *vectors, int many)
{
    LLVMValueRef interleaved[MAX_STRIDE];
    LLVMTypeRef type = LLVMTypeOf(vectors[0]);
    int from[MAX_LANES], lanes = (int)LLVMGetVectorSize(type);
    for (int j = 0; j < many; j++) {
        interleaved[j] = LLVMGetPoison(type);
        for (int k = 0; k < many; k++) {
            for (int i = 0; i < lanes; i++) {
                int at = j * lanes + i;
                from[i] = at % many == k ? at / many : -1;
            }
            interleaved[j] = take(e, interleaved[j], vectors[k], from);
        }
    }
    for (int j = 0; j < many; j++)
        vectors[j] = interleaved[j];
}
