/* shuffle.c: see shuffle.h. A chain of shuffles, the first of which merges two vectors, and each
 * other one more. */
#include "compiler/codegen/element/shuffle.h"

static LLVMValueRef merge(struct emitter *e, LLVMValueRef a, LLVMValueRef b, const int *from)
{
    LLVMValueRef mask[SHUFFLE_LANES];
    int lanes = (int)LLVMGetVectorSize(LLVMTypeOf(a));
    for (int i = 0; i < lanes; i++)
        mask[i] = from[i] < 0 ? LLVMGetPoison(e->i32) : emitter_i32(e, from[i]);
    return LLVMBuildShuffleVector(e->builder, a, b, LLVMConstVector(mask, (unsigned)lanes), "");
}

LLVMValueRef shuffle_pick(struct emitter *e, const LLVMValueRef *vectors, int many, const int *from)
{
    int lanes = (int)LLVMGetVectorSize(LLVMTypeOf(vectors[0])), at[SHUFFLE_LANES];
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
        result = merge(e, result, vectors[v], merged);
        for (int i = 0; i < lanes; i++)
            at[i] = i;
        in_order = true;
    }
    if (!result)
        return vectors[0];
    return in_order ? result : merge(e, result, result, at);
}
