/* reduction.c: nests of loops with accumulators. */
#include "compiler/codegen/loops/reduction.h"

#include <string.h>

enum { ACCUMULATORS = 4 }; /* vectors, which hide latency */

/* Converts accumulators to the flat list of values that loops carry, and back. */
static int flatten(const struct reduction *r, const struct element *elements, LLVMValueRef *values)
{
    int count = 0;
    for (int i = 0; i < r->count; i++)
        for (int part = 0; part < 2; part++)
            if (elements[i].part[part])
                values[count++] = elements[i].part[part];
    return count;
}

static void unflatten(const struct reduction *r, LLVMValueRef const *values,
                      struct element *elements)
{
    for (int i = 0; i < r->count; i++) {
        elements[i] = element_of(*values++);
        if (dtype_is_complex(r->dtypes[i]))
            elements[i].part[1] = *values++;
    }
}

static struct error *emit_step(struct emitter *e, const struct reduction *r,
                               const struct affine *at, struct element *accumulators)
{
    struct element *before = arena_copy(e->arena, accumulators, (size_t)r->count * sizeof *before);
    TRY(r->step(e, r->context, at, accumulators));
    for (int i = 0; i < r->count; i++) {
        accumulators[i] = element_widen(e, &accumulators[i], r->lanes);
        if (r->vector && e->tail) { /* lanes out of bounds keep their values */
            struct element exists = element_of(e->tail);
            accumulators[i] = element_select(e, &exists, &accumulators[i], &before[i]);
        }
    }
    return NULL;
}

static struct error *emit_level(struct emitter *e, const struct reduction *r, int level,
                                struct affine *at, struct element *accumulators);

/* Emits one loop of `trip_count` iterations around the next level; position = i * scale + lane. */
static struct error *emit_loop(struct emitter *e, const struct reduction *r, int level,
                               struct affine *at, int64_t trip_count, bool lanes,
                               struct element *accumulators)
{
    LLVMValueRef *values = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)r->count * 2);
    int count = flatten(r, accumulators, values);
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, trip_count), 1, 0,
                                           trip_count - 1, count, values);
    unflatten(r, loop->carried, accumulators);
    at[level] = affine_var(loop->var);
    if (lanes) {
        struct affine lane = affine_var(e->lane_var), first = affine_scale(&at[level], r->lanes);
        at[level] = affine_add(e, &first, &lane);
    }
    TRY(emit_level(e, r, level + 1, at, accumulators));
    flatten(r, accumulators, values);
    emitter_loop_end(e, loop, values);
    unflatten(r, values, accumulators);
    return NULL;
}

/* Emits the innermost loop over lanes: whole vectors, then one masked vector for the remaining
 * lanes. */
static struct error *emit_vectors(struct emitter *e, const struct reduction *r, int level,
                                  struct affine *at, struct element *accumulators)
{
    int64_t size = r->sizes[level], whole = size / r->lanes, rest = size % r->lanes;
    struct affine lane = affine_var(e->lane_var);
    if (whole > 1) {
        TRY(emit_loop(e, r, level, at, whole, true, accumulators));
    } else if (whole == 1) {
        at[level] = lane;
        TRY(emit_level(e, r, level + 1, at, accumulators));
    }
    if (!rest)
        return NULL;
    LLVMValueRef *mask = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)r->lanes);
    for (int i = 0; i < r->lanes; i++)
        mask[i] = LLVMConstInt(e->i1, i < rest, false);
    e->tail = LLVMConstVector(mask, (unsigned)r->lanes);
    at[level] = affine_offset(&lane, whole * r->lanes);
    TRY(emit_level(e, r, level + 1, at, accumulators));
    e->tail = NULL;
    return NULL;
}

static struct error *emit_level(struct emitter *e, const struct reduction *r, int level,
                                struct affine *at, struct element *accumulators)
{
    if (level == r->rank)
        return emit_step(e, r, at, accumulators);
    if (r->vector && level == r->rank - 1)
        return emit_vectors(e, r, level, at, accumulators);
    if (r->sizes[level] == 1) {
        at[level] = affine_constant(0);
        return emit_level(e, r, level + 1, at, accumulators);
    }
    return emit_loop(e, r, level, at, r->sizes[level], false, accumulators);
}

static LLVMValueRef half_of(struct emitter *e, LLVMValueRef value, int first, int lanes)
{
    if (lanes == 1)
        return LLVMBuildExtractElement(e->builder, value, emitter_i32(e, first), "");
    LLVMValueRef *indices = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)lanes);
    for (int i = 0; i < lanes; i++)
        indices[i] = emitter_i32(e, first + i);
    LLVMValueRef mask = LLVMConstVector(indices, (unsigned)lanes);
    return LLVMBuildShuffleVector(e->builder, value, LLVMGetPoison(LLVMTypeOf(value)), mask, "");
}

/* Combines the upper half of the lanes with the lower until one lane remains. */
static struct error *combine_lanes(struct emitter *e, const struct reduction *r,
                                   struct element *accumulators)
{
    struct element *upper = ARENA_ARRAY(e->arena, struct element, (size_t)r->count);
    for (int lanes = r->lanes / 2; lanes >= 1; lanes /= 2) {
        for (int i = 0; i < r->count; i++) {
            struct element whole = accumulators[i];
            for (int part = 0; part < 2 && whole.part[part]; part++) {
                accumulators[i].part[part] = half_of(e, whole.part[part], 0, lanes);
                upper[i].part[part] = half_of(e, whole.part[part], lanes, lanes);
            }
            accumulators[i].lanes = upper[i].lanes = lanes;
        }
        TRY(r->combine(e, r->context, accumulators, upper));
        for (int i = 0; i < r->count; i++) /* values equal in all lanes are uniform */
            accumulators[i] = element_widen(e, &accumulators[i], lanes);
    }
    return NULL;
}

struct error *reduction_emit(struct emitter *e, const struct reduction *r, struct element *out)
{
    struct affine *at = affine_array(e, r->rank);
    bool empty = false;
    for (int i = 0; i < r->rank; i++)
        empty |= r->sizes[i] == 0;
    if (empty) {
        memcpy(out, r->initial, (size_t)r->count * sizeof *out);
        return NULL;
    }
    struct lanes before = {0};
    const struct guard *guard = e->guard;
    struct guard some;
    if (r->vector && guard && guard->lanes > 1) { /* the guard has other lanes: enabled if any is */
        some = (struct guard){emitter_any(e, guard->value, guard->lanes), 1, e->scope->depth};
        e->guard = &some;
    }
    if (r->vector)
        before = emitter_lanes(e, r->lanes);
    for (int i = 0; i < r->count; i++)
        out[i] = element_widen(e, &r->initial[i], r->lanes);
    struct error *error = emit_level(e, r, 0, at, out);
    if (!error && r->vector)
        error = combine_lanes(e, r, out);
    if (r->vector)
        emitter_lanes_restore(e, before);
    e->guard = guard;
    return error;
}

int reduction_lanes(const struct emitter *e, enum dtype dtype, int64_t size)
{
    int bytes =
        dtype == DTYPE_F64 || dtype == DTYPE_C128 || dtype == DTYPE_S64 || dtype == DTYPE_U64 ? 8
                                                                                              : 4;
    int most = e->target->vector_bytes / bytes * ACCUMULATORS, lanes = 1;
    while (lanes < most && lanes < size)
        lanes *= 2;
    return lanes;
}
