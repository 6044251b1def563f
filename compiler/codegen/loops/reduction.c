/* reduction.c: nests of loops with accumulators. */
#include "compiler/codegen/loops/reduction.h"

#include <string.h>

#include "compiler/codegen/element/shuffle.h"
#include "compiler/codegen/loops/chunk.h"

enum {
    VECTORS = 4, /* of accumulators */
    SETS = 2,    /* of accumulators, if the arithmetic for an element is more than WEIGHT; */
    WEIGHT = 6,  /* a set for each register, if then no vectors remain */
    HEAVY = 6,   /* combinations from here: the same */
    BLOCK = 32,  /* terms that an accumulator adds before it is added to that of the next level */
};

struct reduction_blocks { /* iterations of the blocks of a loop */
    int64_t smallest;
    int64_t largest; /* 0: the loop is short */
};

struct range { /* of a loop's variable; not empty */
    LLVMValueRef first, end;
    int64_t max;        /* of the variable */
    int64_t trip_count; /* 0: not known */
};

static int sets_of(const struct reduction *r)
{
    return r->sets ? r->sets : 1;
}

/* How many accumulators loops carry. Those of a chunk are in memory. */
static int carried(const struct reduction *r)
{
    return r->chunk ? 0 : r->count * sets_of(r);
}

/* Makes the next set of accumulators the first, `times` times. */
static void rotate(struct emitter *e, const struct reduction *r, int64_t times,
                   struct element *accumulators)
{
    int sets = sets_of(r);
    size_t total = (size_t)(r->count * sets);
    struct element *before = arena_copy(e->arena, accumulators, total * sizeof *before);
    size_t first = (size_t)(times % sets) * (size_t)r->count;
    for (size_t i = 0; i < total; i++)
        accumulators[i] = before[(i + first) % total];
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

/* Emits one loop around the next level; position = i * scale + lane. */
static struct error *emit_loop(struct emitter *e, const struct reduction *r, int level,
                               struct affine *at, const struct range *range, bool lanes,
                               struct element *accumulators)
{
    LLVMValueRef *values = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)(r->count * sets_of(r)) * 2);
    int count = element_flatten(carried(r), accumulators, values);
    struct loop *loop =
        emitter_loop_begin(e, range->first, range->end, 1, 0, range->max, count, values);
    element_unflatten(carried(r), loop->carried, accumulators);
    at[level] = affine_var(loop->var);
    if (lanes) {
        struct affine lane = affine_var(e->lane_var), first = affine_scale(&at[level], r->lanes);
        at[level] = affine_add(e, &first, &lane);
    }
    TRY(emit_level(e, r, level + 1, at, accumulators));
    if (lanes)
        rotate(e, r, 1, accumulators);
    element_flatten(carried(r), accumulators, values);
    emitter_loop_end(e, loop, values);
    element_unflatten(carried(r), values, accumulators);
    return NULL;
}

static struct range whole_range(struct emitter *e, int64_t trip_count)
{
    return (struct range){emitter_i64(e, 0), emitter_i64(e, trip_count), trip_count - 1,
                          trip_count};
}

/* `count` iterations, of `lanes` elements each; of a FUSION_ROWS, whose reductions have one loop,
 * those for the columns that are computed. */
static struct range range_of(struct emitter *e, int64_t count, int lanes)
{
    struct range range = whole_range(e, count);
    if (e->columns) {
        range.end = emitter_column_vectors(e, lanes);
        range.trip_count = 0;
    }
    return range;
}

/* ---- blocks ----------------------------------------------------------------------------------
 * The error of a sum grows with the number of terms that are added to one accumulator. So a long
 * loop is a nest: each block of iterations adds to accumulators of its own, which are then added to
 * those of the level above, and none adds more than about BLOCK times. */

static bool is_chunk_level(const struct reduction *r, int level)
{
    return r->chunk && level == r->rank - 1;
}

static bool is_vector_level(const struct reduction *r, int level)
{
    return r->vector && level == r->rank - 1;
}

/* How often an accumulator is added to, at least 1; without the last vectors, if they are not as
 * many as there are sets. So it depends on all lanes, and not on their division into sets. */
static int64_t iterations_of(const struct reduction *r, int level)
{
    int64_t lanes = is_vector_level(r, level) ? (int64_t)r->lanes * sets_of(r) : 1;
    return r->sizes[level] > lanes ? r->sizes[level] / lanes : 1;
}

/* Plans the blocks of the loop at `level`, whose iterations add to an accumulator `each` times.
 * Returns how often the loop adds to an accumulator of those around it. */
static int64_t plan_level(const struct reduction *r, int level, int64_t each,
                          struct reduction_blocks *blocks)
{
    int64_t iterations = iterations_of(r, level), sets = is_vector_level(r, level) ? sets_of(r) : 1;
    int64_t smallest = each < BLOCK ? BLOCK / each : 1, largest = smallest;
    blocks->smallest = smallest * sets;
    blocks->largest = 0;
    if (!r->identity || iterations <= 2 * smallest)
        return iterations < BLOCK ? iterations * each : BLOCK;
    while (largest * BLOCK < iterations)
        largest *= BLOCK;
    blocks->largest = largest * sets;
    return (iterations + largest - 1) / largest;
}

static const struct reduction_blocks *plan_blocks(struct emitter *e, const struct reduction *r)
{
    struct reduction_blocks *blocks =
        ARENA_ARRAY(e->arena, struct reduction_blocks, (size_t)r->rank);
    int64_t each = 1;
    for (int level = r->rank - 1; level >= 0; level--)
        each = plan_level(r, level, each, &blocks[level]);
    return blocks;
}

int reduction_levels(struct emitter *e, const struct reduction *r)
{
    const struct reduction_blocks *blocks = plan_blocks(e, r);
    int levels = 1;
    for (int i = 0; i < r->rank; i++)
        for (int64_t block = blocks[i].largest; block >= blocks[i].smallest; block /= BLOCK)
            levels++;
    return levels;
}

/* ---- accumulators of a chunk ----------------------------------------------------------------- */
static struct element *load_arrays(struct emitter *e, const struct reduction *r,
                                   const struct element *arrays)
{
    struct element *values = ARENA_ARRAY(e->arena, struct element, (size_t)r->count);
    for (int i = 0; i < r->count; i++)
        values[i] = chunk_load(e, r->dtypes[i], &arrays[i]);
    return values;
}

static void store_arrays(struct emitter *e, const struct reduction *r, const struct element *arrays,
                         const struct element *values)
{
    for (int i = 0; i < r->count; i++) {
        struct element wide = element_widen(e, &values[i], r->lanes);
        chunk_store(e, &arrays[i], &wide);
    }
}

/* Arrays for all levels of blocks, the outermost first, set to what they begin with. */
static struct element *new_arrays(struct emitter *e, const struct reduction *r)
{
    int levels = reduction_levels(e, r);
    struct element *arrays =
        ARENA_ARRAY(e->arena, struct element, (size_t)r->count * (size_t)levels);
    struct chunk_loop vectors;
    for (int i = 0; i < r->count * levels; i++)
        arrays[i] = chunk_array(e, r->chunk, r->dtypes[i % r->count], r->lanes);
    chunk_loop_begin(e, r->chunk, &vectors);
    for (int level = 0; level < levels; level++)
        store_arrays(e, r, arrays + level * r->count, level ? r->identity : r->initial);
    chunk_loop_end(e, &vectors);
    return arrays;
}

/* arrays = combine(arrays, of_block), vector by vector; those of the next block begin anew. */
static struct error *add_arrays(struct emitter *e, const struct reduction *r,
                                const struct element *arrays, const struct element *of_block)
{
    struct chunk_loop vectors;
    chunk_loop_begin(e, r->chunk, &vectors);
    struct element *values = load_arrays(e, r, arrays);
    TRY(r->combine(e, r->context, values, load_arrays(e, r, of_block)));
    store_arrays(e, r, arrays, values);
    store_arrays(e, r, of_block, r->identity);
    chunk_loop_end(e, &vectors);
    return NULL;
}

/* `block` iterations from the position of a loop over `whole` on. The end of the loop may be inside
 * of them only if they do not divide it. */
static struct range part_of(struct emitter *e, const struct range *whole, const struct loop *loop,
                            int64_t block)
{
    bool equal = whole->trip_count && whole->trip_count % block == 0;
    LLVMValueRef end = LLVMBuildAdd(e->builder, loop->i, emitter_i64(e, block), "");
    if (!equal) {
        LLVMValueRef inside = LLVMBuildICmp(e->builder, LLVMIntSLT, end, whole->end, "");
        end = LLVMBuildSelect(e->builder, inside, end, whole->end, "");
    }
    return (struct range){loop->i, end, whole->max, equal ? block : 0};
}

/* Emits a loop over groups of rows: for each vector, its accumulators are in registers while the
 * rows of a group are added. So the order is that of the rows, as without a chunk. */
static struct error *emit_groups(struct emitter *e, const struct reduction *r, int level,
                                 struct affine *at, const struct range *range,
                                 const struct element *arrays)
{
    struct loop *groups =
        emitter_loop_begin(e, range->first, range->end, REDUCTION_GROUP, 0, range->max, 0, NULL);
    const struct range rows = part_of(e, range, groups, REDUCTION_GROUP);
    struct reduction of_vector = *r;
    of_vector.chunk = NULL;
    struct chunk_loop vectors;
    chunk_loop_begin(e, r->chunk, &vectors);
    struct element *values = load_arrays(e, r, arrays);
    TRY(emit_loop(e, &of_vector, level, at, &rows, false, values));
    store_arrays(e, r, arrays, values);
    chunk_loop_end(e, &vectors);
    emitter_loop_end(e, groups, NULL);
    return NULL;
}

/* ---- nests ----------------------------------------------------------------------------------- */
/* accumulators = combine(accumulators, of_block), set by set. */
static struct error *add_block(struct emitter *e, const struct reduction *r,
                               struct element *accumulators, const struct element *of_block)
{
    int total = r->count * sets_of(r);
    if (r->chunk)
        return add_arrays(e, r, accumulators, of_block);
    for (int i = 0; i < total; i += r->count)
        TRY(r->combine(e, r->context, accumulators + i, of_block + i));
    for (int i = 0; i < total; i++)
        accumulators[i] = element_widen(e, &accumulators[i], r->lanes);
    return NULL;
}

/* All sets of accumulators, with these values, in registers. */
static struct element *new_accumulators(struct emitter *e, const struct reduction *r,
                                        const struct element *values)
{
    int total = r->count * sets_of(r);
    struct element *all = ARENA_ARRAY(e->arena, struct element, (size_t)total);
    for (int i = 0; i < total; i++)
        all[i] = element_widen(e, &values[i % r->count], r->lanes);
    return all;
}

static struct error *emit_blocks(struct emitter *e, const struct reduction *r, int level,
                                 struct affine *at, const struct range *range, int64_t block,
                                 struct element *accumulators);

/* Emits the iterations of the block that begins at the loop's position. */
static struct error *emit_block(struct emitter *e, const struct reduction *r, int level,
                                struct affine *at, const struct range *whole,
                                const struct loop *loop, int64_t block,
                                struct element *accumulators)
{
    if (block == 1) {
        at[level] = affine_var(loop->var);
        return emit_level(e, r, level + 1, at, accumulators);
    }
    const struct range part = part_of(e, whole, loop, block);
    return emit_blocks(e, r, level, at, &part, block / BLOCK, accumulators);
}

/* Emits a loop over blocks around loops over smaller blocks; the innermost is that over single
 * iterations. `block`: iterations of a block. */
static struct error *emit_blocks(struct emitter *e, const struct reduction *r, int level,
                                 struct affine *at, const struct range *range, int64_t block,
                                 struct element *accumulators)
{
    if (block < r->blocks[level].smallest && is_chunk_level(r, level))
        return emit_groups(e, r, level, at, range, accumulators);
    if (block < r->blocks[level].smallest)
        return emit_loop(e, r, level, at, range, is_vector_level(r, level), accumulators);
    LLVMValueRef *values = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)(r->count * sets_of(r)) * 2);
    int count = element_flatten(carried(r), accumulators, values);
    struct loop *loop =
        emitter_loop_begin(e, range->first, range->end, block, 0, range->max, count, values);
    element_unflatten(carried(r), loop->carried, accumulators);
    struct element *of_block =
        r->chunk ? accumulators + r->count : new_accumulators(e, r, r->identity);
    TRY(emit_block(e, r, level, at, range, loop, block, of_block));
    TRY(add_block(e, r, accumulators, of_block));
    element_flatten(carried(r), accumulators, values);
    emitter_loop_end(e, loop, values);
    element_unflatten(carried(r), values, accumulators);
    return NULL;
}

/* The lanes of `b`, then those of the vector `a`, which has more lanes. */
static LLVMValueRef replace_part(struct emitter *e, LLVMValueRef a, LLVMValueRef b, int count)
{
    int lanes = (int)LLVMGetVectorSize(LLVMTypeOf(a)), widen[SHUFFLE_LANES], blend[SHUFFLE_LANES];
    if (count == 1)
        return LLVMBuildInsertElement(e->builder, a, b, emitter_i32(e, 0), "");
    for (int i = 0; i < lanes; i++) {
        widen[i] = i < count ? i : 0;
        blend[i] = i < count ? lanes + i : i;
    }
    return shuffle_lanes(e, a, shuffle_lanes(e, b, NULL, lanes, widen), lanes, blend);
}

static struct element replace_lanes(struct emitter *e, const struct element *wide,
                                    const struct element *first)
{
    struct element all = *wide;
    for (int part = 0; part < 2 && wide->part[part]; part++)
        all.part[part] = first->lanes == wide->lanes
                             ? first->part[part]
                             : replace_part(e, wide->part[part], first->part[part], first->lanes);
    return all;
}

/* Emits the elements after the whole vectors, which go to the first lanes. */
static struct error *emit_tail(struct emitter *e, const struct reduction *r, int level,
                               struct affine *at, struct element *accumulators)
{
    int64_t size = r->sizes[level], rest = size % r->lanes;
    struct lanes before = emitter_tail(e, rest);
    struct affine lane = e->lanes > 1 ? affine_var(e->lane_var) : affine_constant(0);
    struct reduction narrow = *r;
    struct element *first = arena_copy(e->arena, accumulators, (size_t)r->count * sizeof *first);
    narrow.lanes = e->lanes;
    at[level] = affine_offset(&lane, size - rest);
    for (int i = 0; i < r->count; i++)
        first[i] = shuffle_element_part(e, &accumulators[i], 0, e->lanes);
    TRY(emit_level(e, &narrow, level + 1, at, first));
    for (int i = 0; i < r->count; i++)
        accumulators[i] = replace_lanes(e, &accumulators[i], &first[i]);
    emitter_lanes_restore(e, before);
    return NULL;
}

/* Emits the innermost loop over lanes: whole vectors, then one masked vector for the remaining
 * lanes. The first set of accumulators begins, whichever loop is around. */
static struct error *emit_vectors(struct emitter *e, const struct reduction *r, int level,
                                  struct affine *at, struct element *accumulators)
{
    int64_t size = r->sizes[level], whole = size / r->lanes, rest = size % r->lanes;
    struct affine lane = affine_var(e->lane_var);
    int64_t block = r->blocks[level].largest, odd = block                    ? whole % sets_of(r)
                                                    : whole == 1 || r->apart ? whole
                                                                             : 0;
    if (whole > odd) {
        struct range range = range_of(e, whole - odd, r->lanes);
        TRY(emit_blocks(e, r, level, at, &range, block, accumulators));
    }
    for (int64_t i = whole - odd; i < whole; i++) {
        at[level] = affine_offset(&lane, i * r->lanes);
        TRY(emit_level(e, r, level + 1, at, accumulators));
        rotate(e, r, 1, accumulators);
    }
    if (rest) {
        TRY(emit_tail(e, r, level, at, accumulators));
        rotate(e, r, 1, accumulators);
    }
    int64_t turns = (whole + (rest > 0)) % sets_of(r);
    rotate(e, r, sets_of(r) - turns, accumulators);
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
    struct range range = range_of(e, r->sizes[level], 1);
    return emit_blocks(e, r, level, at, &range, r->blocks[level].largest, accumulators);
}

/* Combines the upper half of the lanes with the lower until one lane remains. */
static struct error *combine_lanes(struct emitter *e, const struct reduction *r,
                                   struct element *accumulators)
{
    struct element *upper = ARENA_ARRAY(e->arena, struct element, (size_t)r->count);
    for (int lanes = r->lanes / 2; lanes >= 1; lanes /= 2) {
        for (int i = 0; i < r->count; i++) {
            struct element whole = accumulators[i];
            accumulators[i] = shuffle_element_part(e, &whole, 0, lanes);
            upper[i] = shuffle_element_part(e, &whole, lanes, lanes);
        }
        TRY(r->combine(e, r->context, accumulators, upper));
        for (int i = 0; i < r->count; i++) /* values equal in all lanes are uniform */
            accumulators[i] = element_widen(e, &accumulators[i], lanes);
    }
    return NULL;
}

/* Combines the later half of the sets with the earlier until one is left: in the order of one wide
 * vector of all sets. */
static struct error *combine_sets(struct emitter *e, const struct reduction *r,
                                  struct element *accumulators)
{
    for (int half = sets_of(r) / 2; half >= 1; half /= 2)
        for (int i = 0; i < half; i++)
            TRY(r->combine(e, r->context, accumulators + i * r->count,
                           accumulators + (i + half) * r->count));
    for (int i = 0; i < r->count; i++)
        accumulators[i] = element_widen(e, &accumulators[i], r->lanes);
    return NULL;
}

/* Emits the loops over vectors; `out` has `count` elements. */
static struct error *emit_combined(struct emitter *e, const struct reduction *r, struct affine *at,
                                   struct element *out)
{
    struct reduction planned = *r;
    planned.blocks = plan_blocks(e, r);
    r = &planned;
    struct element *all = r->chunk ? new_arrays(e, r) : new_accumulators(e, r, r->initial);
    TRY(emit_level(e, r, 0, at, all));
    if (r->vector)
        TRY(combine_sets(e, r, all));
    if (r->vector && !r->apart)
        TRY(combine_lanes(e, r, all));
    memcpy(out, all, (size_t)r->count * sizeof *out);
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
        some = emitter_guard(e, emitter_any(e, guard->value, guard->lanes), 1);
        e->guard = &some;
    }
    if (r->vector)
        before = emitter_lanes(e, r->lanes);
    struct error *error = emit_combined(e, r, at, out);
    if (r->vector)
        emitter_lanes_restore(e, before);
    e->guard = guard;
    return error;
}

/* Whether a row that is shorter than the vector is one of half as many lanes and a rest, not a
 * masked vector. That takes fewer shuffles, but much arithmetic twice. */
static bool is_divided(int lanes, int64_t size, int vector, bool heavy)
{
    return !heavy || (lanes <= vector && size - lanes / 2 <= lanes / 4);
}

void reduction_vectorize(const struct emitter *e, struct reduction *r, enum dtype dtype,
                         int64_t size, int weight)
{
    bool wide =
        dtype == DTYPE_F64 || dtype == DTYPE_C128 || dtype == DTYPE_S64 || dtype == DTYPE_U64;
    int vector = e->target->isa.vector_bytes / (wide ? 8 : 4);
    r->vector = true;
    r->lanes = 1;
    while (r->lanes < vector * VECTORS && r->lanes < size)
        r->lanes *= 2;
    bool heavy = weight > WEIGHT;
    if (r->lanes > size && is_divided(r->lanes, size, vector, heavy))
        r->lanes /= 2;
    bool even = size % r->lanes == 0;
    r->sets = 1;
    if (r->lanes > vector && even && (heavy || r->combine_weight > HEAVY))
        r->sets = r->lanes / vector;
    else if (r->lanes > vector && heavy)
        r->sets = SETS;
    r->lanes /= r->sets;
}
