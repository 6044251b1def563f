/* register_lookup.c: see register_lookup.h. Each register of the table, or pair of them, is
 * permuted by all indices, whose low bits the instruction uses; comparisons of the indices select
 * among the results. */
#include "compiler/codegen/element/register_lookup.h"

#include "compiler/codegen/link/vector_intrinsics.h"

/* The instructions that permute one register of 32-bit elements, and two; and the most elements of
 * a table: with more, the selections would take as long as a gather. */
struct permutation {
    enum vector_intrinsic one, two;
    bool has_two;
    int most;
};

static bool permutation_of(const struct emitter *e, struct permutation *out)
{
    const struct isa *isa = &e->target->isa;
    if (e->lanes == 16 && isa->permutes_16 == 2)
        *out = (struct permutation){VECTOR_PERMUTE_16, VECTOR_PERMUTE_16_PAIR, true, 128};
    else if (e->lanes == 8 && isa->permutes_8)
        *out = (struct permutation){.one = VECTOR_PERMUTE_8, .most = 16};
    else
        return false;
    return true;
}

/* A range of the buffer: where it starts, and the position in it of each lane's element. */
struct table {
    struct affine uniform, within;
    int64_t count;
};

/* The elements that lanes may read for the same values of what is uniform in an offset; the whole
 * buffer of `count` elements where lanes may be outside of it. */
static struct table table_of(const struct emitter *e, const struct affine *offset, int64_t count)
{
    struct table table = {.uniform = affine_constant(0), .within = affine_constant(0)};
    int64_t min, max;
    affine_range(e, offset, &min, &max);
    if (min < 0 || max >= count)
        return (struct table){.uniform = affine_constant(0), .within = *offset, .count = count};
    for (int64_t i = 0; i < offset->count; i++) {
        bool varies = e->vars.items[offset->terms[i].var].lanes > 1;
        struct affine *to = varies ? &table.within : &table.uniform;
        to->terms[to->count++] = offset->terms[i];
    }
    affine_range(e, &table.within, &min, &max);
    table.within.constant = -min;
    table.uniform.constant = offset->constant + min;
    table.count = max - min + 1;
    return table;
}

/* Loads elements [first, first + lanes) of the table; zeros after its end. */
static LLVMValueRef load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef type, int64_t first,
                         int64_t count)
{
    LLVMValueRef from = emitter_at(e, e->i8, pointer, emitter_i64(e, first * 4));
    LLVMValueRef mask =
        count - first < e->lanes ? emitter_first_lanes(e, e->lanes, count - first) : NULL;
    return emitter_load(e, type, from, 4, mask);
}

/* Permutes one register of the table, or two. */
static LLVMValueRef permute(struct emitter *e, const struct permutation *permutation,
                            LLVMValueRef index, LLVMValueRef a, LLVMValueRef b)
{
    const char *name = vector_intrinsics_name(b ? permutation->two : permutation->one);
    if (!b)
        return emitter_intrinsic(e, name, 0, NULL, 2, (LLVMValueRef[]){a, index});
    return emitter_intrinsic(e, name, 0, NULL, 3, (LLVMValueRef[]){a, index, b});
}

LLVMValueRef register_lookup_load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                                  const struct affine *offset, int64_t count, LLVMValueRef mask)
{
    struct permutation permutation;
    bool has_32_bits = scalar == e->i32 || LLVMGetTypeKind(scalar) == LLVMFloatTypeKind;
    if (!has_32_bits || !permutation_of(e, &permutation))
        return NULL;
    struct table table = table_of(e, offset, count);
    if (table.count > permutation.most)
        return NULL;
    LLVMTypeRef type = emitter_vector(LLVMFloatTypeInContext(e->context), e->lanes);
    LLVMValueRef from = emitter_at(e, scalar, pointer, affine_scalar(e, &table.uniform));
    LLVMValueRef index = affine_vector32(e, &table.within), result = NULL;
    for (int64_t first = 0, next; first < table.count; first = next) {
        next = first + e->lanes;
        LLVMValueRef a = load(e, from, type, first, table.count), b = NULL;
        if (permutation.has_two && next < table.count) {
            b = load(e, from, type, next, table.count);
            next += e->lanes;
        }
        LLVMValueRef part = permute(e, &permutation, index, a, b);
        LLVMValueRef limit = emitter_int_like(LLVMTypeOf(index), first);
        LLVMValueRef here = LLVMBuildICmp(e->builder, LLVMIntUGE, index, limit, "");
        result = result ? LLVMBuildSelect(e->builder, here, part, result, "") : part;
    }
    if (mask)
        result = LLVMBuildSelect(e->builder, mask, result, LLVMConstNull(type), "");
    return LLVMBuildBitCast(e->builder, result, emitter_vector(scalar, e->lanes), "");
}
