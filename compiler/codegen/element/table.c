/* table.c: see table.h. Each register of the table is permuted by all indices, whose low bits the
 * instruction uses; comparisons of the indices select among the results. */
#include "compiler/codegen/element/table.h"

#include "base/cpu.h"

/* The instruction that permutes a register of 32-bit elements, and the most elements of a table:
 * with more, the selections would take as long as a gather. */
struct permutation {
    const char *name;
    int most;
};

static bool permutation_of(const struct emitter *e, struct permutation *out)
{
    const struct cpu_features *cpu = e->target->features;
    if (e->lanes == 16 && cpu->avx512)
        *out = (struct permutation){"llvm.x86.avx512.permvar.sf.512", 64};
    else if (e->lanes == 8 && cpu->avx2)
        *out = (struct permutation){"llvm.x86.avx2.permps", 16};
    else
        return false;
    return true;
}

/* Loads elements [first, first + lanes) of the table; zeros after its end. */
static LLVMValueRef load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef type, int64_t first,
                         int64_t count)
{
    LLVMValueRef at = emitter_i64(e, first * 4);
    LLVMValueRef from = LLVMBuildGEP2(e->builder, e->i8, pointer, &at, 1, "");
    if (count - first >= e->lanes) {
        LLVMValueRef loaded = LLVMBuildLoad2(e->builder, type, from, "");
        LLVMSetAlignment(loaded, 4);
        return loaded;
    }
    LLVMValueRef arguments[] = {from, emitter_i32(e, 4),
                                emitter_first_lanes(e, e->lanes, count - first),
                                LLVMConstNull(type)};
    return emitter_intrinsic(e, "llvm.masked.load", 2, (LLVMTypeRef[]){type, e->pointer}, 4,
                             arguments);
}

LLVMValueRef table_load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                        const struct affine *offset, int64_t count, LLVMValueRef mask)
{
    struct permutation permutation;
    bool has_32_bits = scalar == e->i32 || LLVMGetTypeKind(scalar) == LLVMFloatTypeKind;
    if (!has_32_bits || !permutation_of(e, &permutation) || count > permutation.most)
        return NULL;
    LLVMTypeRef type = emitter_vector(LLVMFloatTypeInContext(e->context), e->lanes);
    LLVMValueRef index = affine_vector32(e, offset), result = NULL;
    for (int64_t first = 0; first < count; first += e->lanes) {
        LLVMValueRef arguments[] = {load(e, pointer, type, first, count), index};
        LLVMValueRef part = emitter_intrinsic(e, permutation.name, 0, NULL, 2, arguments);
        LLVMValueRef start = emitter_int_like(LLVMTypeOf(index), first);
        LLVMValueRef here = LLVMBuildICmp(e->builder, LLVMIntUGE, index, start, "");
        result = result ? LLVMBuildSelect(e->builder, here, part, result, "") : part;
    }
    if (mask)
        result = LLVMBuildSelect(e->builder, mask, result, LLVMConstNull(type), "");
    return LLVMBuildBitCast(e->builder, result, emitter_vector(scalar, e->lanes), "");
}
