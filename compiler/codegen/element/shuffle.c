/* shuffle.c: see shuffle.h. A chain of shuffles, the first of which merges two vectors, and each
 * other one more. */
#include "compiler/codegen/element/shuffle.h"

static int lanes_of(LLVMValueRef vector)
{
    return (int)LLVMGetVectorSize(LLVMTypeOf(vector));
}

LLVMValueRef shuffle_lanes(struct emitter *e, LLVMValueRef a, LLVMValueRef b, int count,
                           const int *from)
{
    LLVMValueRef *mask = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)count);
    if (count == 1)
        return LLVMBuildExtractElement(e->builder, a, emitter_i32(e, from[0]), "");
    for (int i = 0; i < count; i++)
        mask[i] = from[i] < 0 ? LLVMGetPoison(e->i32) : emitter_i32(e, from[i]);
    return LLVMBuildShuffleVector(e->builder, a, b ? b : LLVMGetPoison(LLVMTypeOf(a)),
                                  LLVMConstVector(mask, (unsigned)count), "");
}

LLVMValueRef shuffle_part(struct emitter *e, LLVMValueRef value, int first, int count)
{
    int *from = ARENA_ARRAY(e->arena, int, (size_t)count);
    for (int i = 0; i < count; i++)
        from[i] = first + i;
    return shuffle_lanes(e, value, NULL, count, from);
}

struct element shuffle_element(struct emitter *e, const struct element *a, const struct element *b,
                               int count, const int *from)
{
    struct element out = {{NULL, NULL}, count};
    for (int part = 0; part < 2 && a->part[part]; part++)
        out.part[part] = shuffle_lanes(e, a->part[part], b ? b->part[part] : NULL, count, from);
    return out;
}

struct element shuffle_element_part(struct emitter *e, const struct element *element, int first,
                                    int count)
{
    struct element out = {{NULL, NULL}, count};
    if (element->lanes == count)
        return *element;
    for (int part = 0; part < 2 && element->part[part]; part++)
        out.part[part] = shuffle_part(e, element->part[part], first, count);
    return out;
}

LLVMValueRef shuffle_in_turn(struct emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    int lanes = lanes_of(a), *from = ARENA_ARRAY(e->arena, int, 2 * (size_t)lanes);
    for (int i = 0; i < 2 * lanes; i++)
        from[i] = i / 2 + i % 2 * lanes;
    return shuffle_lanes(e, a, b, 2 * lanes, from);
}

LLVMValueRef shuffle_pick(struct emitter *e, const LLVMValueRef *vectors, int many, const int *from)
{
    int lanes = lanes_of(vectors[0]), at[SHUFFLE_LANES];
    bool in_order = true;
    for (int i = 0; i < lanes; i++) {
        at[i] = from[i] < 0 ? -1 : from[i] % lanes;
        in_order &= at[i] < 0 || at[i] == i;
    }
    LLVMValueRef result = NULL;
    for (int v = 0; v < many; v++) {
        int merged[SHUFFLE_LANES];
        bool any = false;
        for (int i = 0; i < lanes; i++) {
            bool here = from[i] >= 0 && from[i] / lanes == v;
            merged[i] = here ? lanes + from[i] % lanes : from[i] / lanes < v ? at[i] : -1;
            any |= here;
        }
        if (!any)
            continue;
        if (!result) {
            result = vectors[v];
            continue;
        }
        result = shuffle_lanes(e, result, vectors[v], lanes, merged);
        for (int i = 0; i < lanes; i++)
            at[i] = i;
        in_order = true;
    }
    if (!result)
        return vectors[0];
    return in_order ? result : shuffle_lanes(e, result, result, lanes, at);
}
