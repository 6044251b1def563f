/* pattern.c: see pattern.h. */
#include "compiler/codegen/element/pattern.h"

int pattern_var(struct emitter *e, const int64_t *at)
{
    LLVMValueRef *numbers = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)e->lanes);
    int64_t max = 0;
    for (int i = 0; i < e->lanes; i++) {
        numbers[i] = emitter_i64(e, at[i]);
        max = at[i] > max ? at[i] : max;
    }
    return emitter_var(e, LLVMConstVector(numbers, (unsigned)e->lanes), e->lanes, 0, max, 0);
}

/* Lane `i` of a constant vector. */
static bool read_lane(LLVMValueRef vector, int i, int64_t *out)
{
    LLVMValueRef number =
        LLVMIsConstant(vector) ? LLVMGetAggregateElement(vector, (unsigned)i) : NULL;
    if (!number || !LLVMIsAConstantInt(number))
        return false;
    *out = LLVMConstIntGetSExtValue(number);
    return true;
}

bool pattern_of(const struct emitter *e, const struct affine *a, int64_t *at)
{
    if (e->lanes > PATTERN_LANES)
        return false;
    for (int i = 0; i < e->lanes; i++)
        at[i] = 0;
    for (int64_t k = 0; k < a->count; k++) {
        const struct index_var *var = &e->vars.items[a->terms[k].var];
        for (int i = 0; i < e->lanes && var->lanes > 1; i++) {
            int64_t number;
            if (!read_lane(var->value, i, &number))
                return false;
            at[i] += a->terms[k].coefficient * number;
        }
    }
    return true;
}

static bool varies(const struct emitter *e, const struct affine_term *term)
{
    return e->vars.items[term->var].lanes > 1;
}

struct affine pattern_settled(struct emitter *e, const struct affine *a)
{
    int64_t at[PATTERN_LANES];
    struct affine settled = affine_constant(a->constant);
    bool plain = true;
    for (int64_t k = 0; k < a->count; k++)
        plain &= !varies(e, &a->terms[k]) || a->terms[k].var == e->lane_var;
    if (plain || e->lane_var < 0 || !pattern_of(e, a, at))
        return *a;
    int64_t stride = at[1] - at[0];
    for (int i = 1; i < e->lanes; i++)
        if (at[i] - at[i - 1] != stride)
            return *a;
    settled.constant += at[0];
    for (int64_t k = 0; k < a->count; k++)
        if (!varies(e, &a->terms[k]))
            settled.terms[settled.count++] = a->terms[k];
    struct affine lane = affine_var(e->lane_var);
    lane = affine_scale(&lane, stride);
    return affine_add(e, &settled, &lane);
}

/* Loads elements [add, add + many) from an offset, at most as many as there are lanes; the other
 * lanes have no value. */
static LLVMValueRef load_some(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                              unsigned align, LLVMValueRef from, int64_t add, int64_t many)
{
    LLVMTypeRef type = emitter_vector(scalar, e->lanes);
    LLVMValueRef at = LLVMBuildAdd(e->builder, from, emitter_i64(e, add), "");
    LLVMValueRef address = LLVMBuildGEP2(e->builder, scalar, pointer, &at, 1, "");
    if (many >= e->lanes) {
        LLVMValueRef load = LLVMBuildLoad2(e->builder, type, address, "");
        LLVMSetAlignment(load, align);
        return load;
    }
    LLVMValueRef arguments[] = {address, emitter_i32(e, align),
                                emitter_first_lanes(e, e->lanes, many), LLVMGetPoison(type)};
    return emitter_intrinsic(e, "llvm.masked.load", 2, (LLVMTypeRef[]){type, e->pointer}, 4,
                             arguments);
}

/* Sets *min and *max to the limits of the pattern in the enabled lanes. False if they are not known
 * or none is enabled. */
static bool find_limits(const struct emitter *e, LLVMValueRef mask, const int64_t *at, int64_t *min,
                        int64_t *max)
{
    *min = INT64_MAX, *max = INT64_MIN;
    for (int i = 0; i < e->lanes; i++) {
        int64_t enabled = 1;
        if (mask && !read_lane(mask, i, &enabled))
            return false;
        if (!enabled)
            continue;
        *min = at[i] < *min ? at[i] : *min;
        *max = at[i] > *max ? at[i] : *max;
    }
    return *min <= *max;
}

LLVMValueRef pattern_load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                          unsigned align, const struct affine *offset, LLVMValueRef mask)
{
    int64_t at[PATTERN_LANES], min, max;
    LLVMValueRef from[PATTERN_LANES];
    if (e->lanes == 1 || !pattern_of(e, offset, at) || !find_limits(e, mask, at, &min, &max) ||
        max - min >= 2 * e->lanes)
        return NULL;
    LLVMValueRef base = affine_scalar(e, offset);
    int64_t span = max - min + 1;
    LLVMValueRef low = load_some(e, pointer, scalar, align, base, min, span), high = low;
    if (span > e->lanes)
        high = load_some(e, pointer, scalar, align, base, min + e->lanes, span - e->lanes);
    for (int i = 0; i < e->lanes; i++) {
        bool within = at[i] >= min && at[i] <= max;
        from[i] = within ? emitter_i32(e, at[i] - min) : LLVMGetPoison(e->i32);
    }
    return LLVMBuildShuffleVector(e->builder, low, high, LLVMConstVector(from, (unsigned)e->lanes),
                                  "");
}
