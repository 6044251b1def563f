/* element_access.c: loads and stores of elements. */
#include "compiler/codegen/element/element.h"

#include "compiler/codegen/element/pattern.h"
#include "compiler/codegen/element/shuffle.h"
#include "compiler/codegen/element/stride.h"
#include "compiler/codegen/element/register_lookup.h"
#include "compiler/codegen/element/tile.h"

LLVMValueRef element_mask(struct emitter *e)
{
    if (!e->guard)
        return e->tail;
    LLVMValueRef guard = e->guard->value;
    if (e->guard->lanes == 1)
        guard = emitter_splat(e, guard, e->lanes);
    return e->tail ? LLVMBuildAnd(e->builder, guard, e->tail, "") : guard;
}

/* That of an element in memory: of a complex number, of its parts. */
static unsigned alignment(enum dtype dtype)
{
    return (unsigned)dtype_bytes(dtype_real_part(dtype));
}

static LLVMValueRef load_uniform(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef type,
                                 const struct affine *offset, int64_t count)
{
    int64_t min, max;
    affine_range(e, offset, &min, &max);
    LLVMValueRef at = affine_scalar(e, offset);
    if (e->guard && (min < 0 || max >= count)) {
        LLVMValueRef needed = emitter_any(e, e->guard->value, e->guard->lanes);
        at = LLVMBuildSelect(e->builder, needed, at, emitter_i64(e, 0), "");
    }
    return LLVMBuildLoad2(e->builder, type, emitter_at(e, type, pointer, at), "");
}

static LLVMValueRef all_lanes(struct emitter *e)
{
    return LLVMConstAllOnes(emitter_vector(e->i1, e->lanes));
}

/* One address per lane. With 32-bit offsets, a gather is a single instruction. */
static LLVMValueRef addresses(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef type,
                              const struct affine *offset)
{
    int64_t min, max;
    affine_range(e, offset, &min, &max);
    bool narrow = min > INT32_MIN && max < INT32_MAX;
    return emitter_at(e, type, pointer,
                      narrow ? affine_vector32(e, offset) : affine_vector(e, offset));
}

/* The mask of a load. An access that is always in bounds needs no guard. */
static LLVMValueRef load_mask(struct emitter *e, const struct affine *offset, int64_t count)
{
    int64_t min, max;
    affine_range(e, offset, &min, &max);
    const struct guard *guard = e->guard;
    if (min >= 0 && max < count)
        e->guard = NULL;
    LLVMValueRef mask = element_mask(e);
    e->guard = guard;
    return mask;
}

/* The offset of a contiguous masked load of `lanes` elements, near the buffer wherever it is. */
static LLVMValueRef masked_offset(struct emitter *e, const struct affine *offset, int lanes,
                                  int64_t count)
{
    int64_t min, max;
    LLVMValueRef at = affine_scalar(e, offset);
    affine_range(e, offset, &min, &max);
    bool is_near = min > -lanes && max < count + lanes;
    return is_near ? at : emitter_near_buffer(e, at, lanes, count);
}

/* Whether the processor loads some elements of a vector; otherwise it takes a branch for each. */
static bool has_masked_loads(struct emitter *e, LLVMTypeRef scalar)
{
    bool is_narrow = scalar == e->i8 || scalar == e->i16 || scalar == e->f16;
    return e->target->isa.narrow_masks || (e->target->isa.masks && !is_narrow);
}

LLVMValueRef element_load_some(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                               unsigned align, LLVMValueRef at, int64_t count, LLVMValueRef mask)
{
    LLVMTypeRef type = emitter_vector(scalar, e->lanes);
    LLVMValueRef from = emitter_at(e, scalar, pointer, at), loaded, none = LLVMConstNull(type);
    if (has_masked_loads(e, scalar) || count < e->lanes)
        return emitter_load(e, type, from, align, mask);
    LLVMValueRef last = emitter_i64(e, count - e->lanes);
    LLVMValueRef outside = LLVMBuildICmp(e->builder, LLVMIntUGT, at, last, "");
    LLVMValueRef inside = LLVMBuildNot(e->builder, outside, "");
    struct branch *branch = emitter_branch_begin(e, outside);
    loaded = emitter_load(e, type, from, align, mask);
    emitter_branch_end(e, branch, 1, &loaded, &none);
    none = loaded;
    branch = emitter_branch_begin(e, inside);
    loaded = emitter_load(e, type, from, align, NULL);
    emitter_branch_end(e, branch, 1, &loaded, &none);
    return loaded;
}

/* Whether all lanes are guarded by one condition, without which the elements at `offset` may not be
 * in the buffer of `count`. */
static bool is_guarded_whole(struct emitter *e, const struct affine *offset, int64_t count)
{
    int64_t min, max;
    affine_range(e, offset, &min, &max);
    return e->guard && e->guard->lanes == 1 && (min < 0 || max >= count) && count >= e->lanes;
}

/* How many lanes a constant mask disables before the first that it enables. */
static int lanes_before(LLVMValueRef mask)
{
    int lanes = (int)LLVMGetVectorSize(LLVMTypeOf(mask)), count = 0;
    while (LLVMIsConstant(mask) && count < lanes &&
           !LLVMConstIntGetZExtValue(LLVMGetAggregateElement(mask, (unsigned)count)))
        count++;
    return count < lanes ? count : 0;
}

/* The lanes of a vector moved up, or down if `by` is negative; lanes that nothing is moved to are
 * zeros. */
static LLVMValueRef moved_lanes(struct emitter *e, LLVMValueRef value, int by)
{
    int lanes = (int)LLVMGetVectorSize(LLVMTypeOf(value));
    int *from = ARENA_ARRAY(e->arena, int, (size_t)lanes);
    for (int i = 0; i < lanes; i++)
        from[i] = i - by >= 0 && i - by < lanes ? i - by : lanes;
    return shuffle_lanes(e, value, LLVMConstNull(LLVMTypeOf(value)), lanes, from);
}

/* Whether a load would begin in front of its buffer in each iteration: where a page begins there as
 * well, that takes as long as emitter_near_buffer() says. */
static bool begins_in_front(LLVMValueRef at)
{
    return LLVMIsAConstantInt(at) && LLVMConstIntGetSExtValue(at) < 0;
}

/* A masked load that begins with the first enabled lane instead. */
static LLVMValueRef load_from_enabled(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                                      unsigned align, LLVMValueRef at, int64_t count,
                                      LLVMValueRef mask)
{
    int first = lanes_before(mask);
    at = LLVMBuildAdd(e->builder, at, emitter_i64(e, first), "");
    mask = moved_lanes(e, mask, -first);
    return moved_lanes(e, element_load_some(e, pointer, scalar, align, at, count, mask), first);
}

/* Loads adjacent elements. Where a vector as a whole is not needed, one that is in the buffer is
 * loaded instead: that takes less than a mask. */
static LLVMValueRef load_adjacent(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                                  unsigned align, const struct affine *offset, int64_t count,
                                  LLVMValueRef mask)
{
    LLVMValueRef at;
    if (!mask) {
        at = affine_scalar(e, offset);
    } else if (is_guarded_whole(e, offset, count)) {
        mask = e->tail;
        at = LLVMBuildSelect(e->builder, e->guard->value, affine_scalar(e, offset),
                             emitter_i64(e, 0), "");
    } else {
        at = masked_offset(e, offset, e->lanes, count);
    }
    if (mask && begins_in_front(at))
        return load_from_enabled(e, pointer, scalar, align, at, count, mask);
    if (mask)
        return element_load_some(e, pointer, scalar, align, at, count, mask);
    return emitter_load(e, emitter_vector(scalar, e->lanes), emitter_at(e, scalar, pointer, at),
                        align, NULL);
}

static LLVMValueRef load_part(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                              unsigned align, const struct affine *offset, int64_t count)
{
    int64_t stride;
    bool affine = affine_lane_stride(e, offset, &stride);
    if (affine && !stride)
        return load_uniform(e, pointer, scalar, offset, count);
    LLVMTypeRef type = emitter_vector(scalar, e->lanes);
    LLVMValueRef mask = load_mask(e, offset, count), loaded;
    if (affine && stride == 1)
        return load_adjacent(e, pointer, scalar, align, offset, count, mask);
    if (!(loaded = tile_load(e, pointer, scalar, align, offset)) &&
        (mask || !(loaded = stride_load(e, pointer, scalar, align, offset, count))) &&
        !(loaded = pattern_load(e, pointer, scalar, align, offset, count, mask)) &&
        !(loaded = register_lookup_load(e, pointer, scalar, offset, count, mask))) {
        LLVMValueRef from = addresses(e, pointer, scalar, offset);
        LLVMValueRef arguments[] = {from, emitter_i32(e, align), mask ? mask : all_lanes(e),
                                    LLVMConstNull(type)};
        LLVMTypeRef overloads[] = {type, LLVMTypeOf(from)};
        loaded = emitter_intrinsic(e, "llvm.masked.gather", 2, overloads, 4, arguments);
    }
    return loaded;
}

/* ---- contiguous complex numbers: one access for the pairs ------------------------------------ */
static bool is_contiguous(struct emitter *e, const struct affine *offset)
{
    int64_t stride;
    return e->lanes > 1 && affine_lane_stride(e, offset, &stride) && stride == 1;
}

/* Lanes first, first + step ..., each `repeat` times; `count` lanes in total. */
static LLVMValueRef pick(struct emitter *e, LLVMValueRef value, int first, int step, int repeat,
                         int count)
{
    int *from = ARENA_ARRAY(e->arena, int, (size_t)count);
    for (int i = 0; i < count; i++)
        from[i] = first + i / repeat * step;
    return shuffle_lanes(e, value, value, count, from);
}

static LLVMValueRef pair_mask(struct emitter *e, LLVMValueRef mask)
{
    return mask ? pick(e, mask, 0, 1, 2, 2 * e->lanes) : NULL;
}

static struct element split_pairs(struct emitter *e, LLVMValueRef pairs)
{
    return element_of_parts(pick(e, pairs, 0, 2, 1, e->lanes), pick(e, pairs, 1, 2, 1, e->lanes));
}

static struct element load_pairs(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                                 unsigned align, const struct affine *offset, int64_t count)
{
    struct affine twice = affine_scale(offset, 2);
    LLVMTypeRef type = emitter_vector(scalar, 2 * e->lanes);
    LLVMValueRef mask = pair_mask(e, load_mask(e, offset, count));
    LLVMValueRef at =
        mask ? masked_offset(e, &twice, 2 * e->lanes, 2 * count) : affine_scalar(e, &twice);
    return split_pairs(e, emitter_load(e, type, emitter_at(e, scalar, pointer, at), align, mask));
}

/* The pairs of f32 in lanes that are not adjacent, each moved as a whole; NULL: two loads do. */
static LLVMValueRef load_wholes(struct emitter *e, LLVMValueRef pointer, enum dtype dtype,
                                const struct affine *offset, int64_t count)
{
    if (affine_is_uniform(e, offset) || dtype == DTYPE_C128)
        return NULL;
    LLVMValueRef wholes = load_part(e, pointer, e->i64, 4, offset, count);
    return LLVMBuildBitCast(e->builder, wholes, emitter_vector(e->f32, 2 * e->lanes), "");
}

struct element element_load(struct emitter *e, LLVMValueRef pointer, enum dtype dtype,
                            const struct affine *offset, int64_t count)
{
    LLVMTypeRef type = element_memory_type(e, dtype);
    if (!element_has_parts(e, dtype)) {
        unsigned align = alignment(dtype);
        LLVMValueRef bits = load_part(e, pointer, type, align, offset, count);
        return element_of(element_decode(e, dtype, bits));
    }
    unsigned align = alignment(dtype);
    if (is_contiguous(e, offset))
        return load_pairs(e, pointer, type, align, offset, count);
    LLVMValueRef pairs = load_wholes(e, pointer, dtype, offset, count);
    if (pairs)
        return split_pairs(e, pairs);
    struct affine real = affine_scale(offset, 2), imaginary = affine_offset(&real, 1);
    LLVMValueRef a = load_part(e, pointer, type, align, &real, 2 * count);
    return element_of_parts(a, load_part(e, pointer, type, align, &imaginary, 2 * count));
}

static void set_streamed(struct emitter *e, LLVMValueRef store)
{
    unsigned kind = LLVMGetMDKindIDInContext(e->context, "nontemporal", 11);
    LLVMMetadataRef one = LLVMValueAsMetadata(emitter_i32(e, 1));
    LLVMMetadataRef node = LLVMMDNodeInContext2(e->context, &one, 1);
    LLVMSetMetadata(store, kind, LLVMMetadataAsValue(e->context, node));
    e->emitted.streams = true;
}

/* How many lanes a constant mask enables, if these are the first ones; 0: it is another mask. */
static int first_lanes(LLVMValueRef mask)
{
    int lanes = (int)LLVMGetVectorSize(LLVMTypeOf(mask)), count = 0;
    for (int i = 0; i < lanes && LLVMIsConstant(mask); i++) {
        bool enabled = LLVMConstIntGetZExtValue(LLVMGetAggregateElement(mask, (unsigned)i));
        if (enabled && count < i)
            return 0;
        count += enabled;
    }
    return count;
}

/* Stores the first `count` lanes, a power of two at a time. A store under a mask would cover the
 * start of the next row as well, as far as processors know: a load from there soon after, as of
 * rows that are overwritten in place, waits until that store has left the store buffer. */
static void store_first_lanes(struct emitter *e, LLVMValueRef value, LLVMValueRef to,
                              unsigned align, int count)
{
    LLVMTypeRef scalar = LLVMGetElementType(LLVMTypeOf(value));
    int part = (int)LLVMGetVectorSize(LLVMTypeOf(value));
    for (int first = 0; first < count; part /= 2) {
        if (first + part > count)
            continue;
        LLVMValueRef at = emitter_at(e, scalar, to, emitter_i64(e, first));
        emitter_store(e, shuffle_part(e, value, first, part), at, align, NULL);
        first += part;
    }
}

/* Whether what is stored is part of an array of several rows. */
static bool is_in_rows(const struct emitter *e)
{
    return e->nest && (e->nest->schedule.axes > 1 || e->nest->into);
}

static void store_contiguous(struct emitter *e, LLVMValueRef value, LLVMValueRef to, unsigned align,
                             LLVMValueRef mask, bool streamed)
{
    int first = mask && is_in_rows(e) ? first_lanes(mask) : 0;
    if (first) {
        store_first_lanes(e, value, to, align, first);
        return;
    }
    if (!streamed || mask) {
        emitter_store(e, value, to, align, mask);
        return;
    }
    LLVMValueRef store = LLVMBuildStore(e->builder, value, to);
    LLVMSetAlignment(store, 64);
    set_streamed(e, store);
}

static void store_part(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar, unsigned align,
                       const struct affine *offset, LLVMValueRef value, bool streamed)
{
    int64_t stride;
    bool affine = affine_lane_stride(e, offset, &stride);
    if (affine && !stride) {
        LLVMBuildStore(e->builder, value, emitter_at(e, scalar, pointer, affine_scalar(e, offset)));
    } else if (affine && stride == 1) {
        LLVMValueRef at = affine_scalar(e, offset);
        store_contiguous(e, value, emitter_at(e, scalar, pointer, at), align, element_mask(e),
                         streamed);
    } else {
        LLVMValueRef to = addresses(e, pointer, scalar, offset), mask = element_mask(e);
        LLVMValueRef arguments[] = {value, to, emitter_i32(e, align), mask ? mask : all_lanes(e)};
        LLVMTypeRef overloads[] = {LLVMTypeOf(value), LLVMTypeOf(to)};
        emitter_intrinsic(e, "llvm.masked.scatter", 2, overloads, 4, arguments);
    }
}

static void store_pairs(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar, unsigned align,
                        const struct affine *offset, const struct element *element, bool streamed)
{
    struct affine twice = affine_scale(offset, 2);
    LLVMValueRef pairs = shuffle_in_turn(e, element->part[0], element->part[1]);
    LLVMValueRef to = emitter_at(e, scalar, pointer, affine_scalar(e, &twice));
    store_contiguous(e, pairs, to, align, pair_mask(e, element_mask(e)), streamed);
}

void element_store(struct emitter *e, LLVMValueRef pointer, enum dtype dtype,
                   const struct affine *offset, const struct element *element, bool streamed)
{
    LLVMTypeRef type = element_memory_type(e, dtype);
    int lanes = affine_is_uniform(e, offset) ? 1 : e->lanes;
    struct element wide = element_widen(e, element, lanes);
    unsigned align = alignment(dtype);
    if (!element_has_parts(e, dtype)) {
        LLVMValueRef bits = element_encode(e, dtype, wide.part[0]);
        store_part(e, pointer, type, align, offset, bits, streamed);
        return;
    }
    if (is_contiguous(e, offset)) {
        store_pairs(e, pointer, type, align, offset, &wide, streamed);
        return;
    }
    struct affine real = affine_scale(offset, 2), imaginary = affine_offset(&real, 1);
    store_part(e, pointer, type, align, &real, wide.part[0], false);
    store_part(e, pointer, type, align, &imaginary, wide.part[1], false);
}

void element_store_interleaved(struct emitter *e, LLVMValueRef pointer, enum dtype dtype,
                               const struct affine *first, int many, const struct element *elements)
{
    LLVMTypeRef type = element_memory_type(e, dtype);
    LLVMValueRef vectors[NEST_SCHEDULE_INTERLEAVED_MOST];
    for (int k = 0; k < many; k++) {
        struct element wide = element_widen(e, &elements[k], e->lanes);
        vectors[k] = element_encode(e, dtype, wide.part[0]);
    }
    stride_interleave(e, vectors, many);
    LLVMValueRef start = affine_scalar(e, first);
    int64_t enabled = (int64_t)emitter_lanes_enabled(e) * many;
    for (int64_t k = 0; k * e->lanes < enabled; k++) {
        int64_t left = enabled - k * e->lanes;
        LLVMValueRef at = LLVMBuildAdd(e->builder, start, emitter_i64(e, k * e->lanes), "");
        LLVMValueRef mask = left < e->lanes ? emitter_first_lanes(e, e->lanes, left) : NULL;
        store_contiguous(e, vectors[k], emitter_at(e, type, pointer, at), alignment(dtype), mask,
                         false);
    }
}
