/* stride.c: see stride.h. */
#include "compiler/codegen/element/stride.h"

#include "compiler/codegen/element/shuffle.h"

enum { MIN_LANES = 4 };

static LLVMValueRef load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                         unsigned align, LLVMValueRef first, int64_t add)
{
    LLVMValueRef at = LLVMBuildAdd(e->builder, first, emitter_i64(e, add), "");
    return emitter_load(e, emitter_vector(scalar, e->lanes), emitter_at(e, scalar, pointer, at),
                        align, NULL);
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

/* The elements first, first + many ... of the vectors, whose number is a power of two: halves the
 * vectors until one is left. What is loaded at different places of the same records shares all but
 * the last shuffles. */
static LLVMValueRef halve(struct emitter *e, LLVMValueRef *vectors, int many, int64_t first)
{
    int from[SHUFFLE_LANES];
    for (; many > 1; many /= 2, first /= 2) {
        for (int i = 0; i < e->lanes; i++)
            from[i] = 2 * i + (int)(first % 2);
        for (int v = 0; v < many / 2; v++)
            vectors[v] = shuffle_pick(e, vectors + (ptrdiff_t)2 * v, 2, from);
    }
    return vectors[0];
}

LLVMValueRef stride_load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                         unsigned align, const struct affine *offset, int64_t count)
{
    int64_t stride, shift;
    int from[SHUFFLE_LANES], lanes = e->lanes;
    if (lanes < MIN_LANES || lanes > SHUFFLE_LANES || !affine_lane_stride(e, offset, &stride))
        return NULL;
    int64_t step = stride < 0 ? -stride : stride, back = stride < 0 ? step * (lanes - 1) : 0;
    if (stride == 1 || step < 1 || step > NEST_SCHEDULE_STRIDE_MOST ||
        (shift = choose_shift(e, offset, step, count)) < 0)
        return NULL;
    LLVMValueRef first = affine_scalar(e, offset), loaded[NEST_SCHEDULE_STRIDE_MOST];
    for (int k = 0; k < step; k++)
        loaded[k] = load(e, pointer, scalar, align, first, (int64_t)k * lanes - shift - back);
    if (stride > 0 && (step & (step - 1)) == 0)
        return halve(e, loaded, (int)step, shift);
    for (int i = 0; i < lanes; i++)
        from[i] = (int)(shift + back + stride * i);
    return shuffle_pick(e, loaded, (int)step, from);
}

/* Interleaves equal parts of the vectors, each of which is interleaved, and then has records that
 * take turns: fewer shuffles than if each result took from all vectors. */
void stride_interleave(struct emitter *e, LLVMValueRef *vectors, int many)
{
    LLVMValueRef interleaved[STRIDE_INTERLEAVED_MAX];
    int from[SHUFFLE_LANES], lanes = (int)LLVMGetVectorSize(LLVMTypeOf(vectors[0])), parts = 2;
    if (many < 2)
        return;
    while (many % parts)
        parts++;
    int record = many / parts;
    for (int part = 0; part < parts; part++)
        stride_interleave(e, vectors + part * record, record);
    for (int j = 0; j < many; j++) {
        for (int i = 0; i < lanes; i++) {
            int at = j * lanes + i, part = at % many / record;
            from[i] = part * record * lanes + at / many * record + at % record;
        }
        interleaved[j] = shuffle_pick(e, vectors, many, from);
    }
    for (int j = 0; j < many; j++)
        vectors[j] = interleaved[j];
}
