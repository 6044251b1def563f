/* loops.c: see loops.h. */
#include "compiler/codegen/loops/loops.h"

#include <string.h>

#include "compiler/codegen/element/affine_divide.h"
#include "compiler/codegen/loops/periodic_index.h"
#include "compiler/schedule/arithmetic.h"
#include "compiler/schedule/tile_plan.h"

enum {
    STREAM_WEIGHT = 64,      /* with more arithmetic, how results are stored does not matter */
    STREAM_LEAST = 64 << 10, /* a smaller result takes no time */
    STREAM_CACHES = 8,       /* stream results larger than this multiple of the cache, */
    STREAM_TILE_CACHES = 4   /* or this one, if rows of tiles are far apart */
};

bool loops_exceeds_caches(const struct emitter *e, uint64_t bytes)
{
    if (e->arrays.stored_past_caches)
        return bytes >= STREAM_LEAST;
    return bytes >= LOOPS_STREAM_BYTES && bytes >= e->target->cache_bytes * STREAM_CACHES &&
           e->arrays.exceed_caches;
}

static bool is_streamed(const struct emitter *e, const struct loops *loops, int root)
{
    const struct schedule *schedule = &loops->nest.schedule;
    const struct type *type = loops->nest.roots[root]->type;
    bool tiled = schedule->tile >= 0;
    uint64_t bytes = (uint64_t)type_bytes(type), element = (uint64_t)dtype_bytes(type->shape.dtype),
             vector = (uint64_t)schedule->lanes * element,
             row = schedule->axes ? (uint64_t)schedule->axis[schedule->axes - 1].size * element : 0;
    return schedule->interleave == 1 && !nest_schedule_target_of(&loops->nest, root) &&
           !loops->nest.by_rows && arithmetic_weight(loops->nest.roots[root]) <= STREAM_WEIGHT &&
           (tiled ? bytes >= e->target->cache_bytes * STREAM_TILE_CACHES
                  : loops_exceeds_caches(e, bytes)) &&
           vector % 64 == 0 && row % 64 == 0 && schedule->lanes > 1;
}

static struct affine offset_of(struct emitter *e, const struct loops *loops, int root,
                               const struct index *index)
{
    const struct type *into = nest_schedule_target_of(&loops->nest, root);
    if (!into)
        return affine_linear(e, index, loops->nest.shape->shape.dims);
    int rank = into->shape.rank, before = rank - index->rank;
    const struct affine *origin = loops->origins[root];
    struct affine *at = affine_array(e, rank);
    for (int i = 0; i < rank; i++)
        at[i] = i < before ? origin[i] : affine_add(e, &index->at[i - before], &origin[i]);
    struct index moved = affine_index(rank, at);
    return affine_linear(e, &moved, into->shape.dims);
}

/* Sets the index in the interleaved dimensions to element `number` of them. */
static void set_inner(const struct schedule *schedule, struct affine *at, int64_t number)
{
    for (int i = schedule->axes + schedule->inner - 1; i >= schedule->axes; i--) {
        at[schedule->axis[i].dim] = affine_constant(number % schedule->axis[i].size);
        number /= schedule->axis[i].size;
    }
}

/* Stores all elements of the interleaved dimensions of a root; at[k]: the index of element k. */
static void store_row_of(struct emitter *e, const struct loops *loops, int root,
                         const struct index *at, const struct element *elements)
{
    enum dtype dtype = loops->nest.roots[root]->type->shape.dtype;
    struct affine first = offset_of(e, loops, root, &at[0]);
    if (e->lanes > 1)
        element_store_interleaved(e, loops->pointers[root], dtype, &first,
                                  loops->nest.schedule.interleave, elements);
    for (int k = loops->nest.schedule.interleave - 1; k >= 0 && e->lanes == 1; k--) {
        struct affine offset = offset_of(e, loops, root, &at[k]);
        element_store(e, loops->pointers[root], dtype, &offset, &elements[k], false);
    }
}

/* Stores all elements of the interleaved dimensions, when those of all roots are computed: they may
 * be stored over what others read. */
static struct error *store_interleaved(struct emitter *e, const struct loops *loops,
                                       struct affine *at)
{
    const struct schedule *schedule = &loops->nest.schedule;
    int rank = loops->nest.shape->shape.rank, many = schedule->interleave;
    struct index *indices = ARENA_ARRAY(e->arena, struct index, (size_t)many);
    struct element *elements =
        ARENA_ARRAY(e->arena, struct element, (size_t)loops->nest.count * (size_t)many);
    for (int k = 0; k < many; k++) {
        struct affine *copy = arena_copy(e->arena, at, (size_t)rank * sizeof *at);
        set_inner(schedule, copy, k);
        indices[k] = affine_index(rank, copy);
    }
    for (int i = 0; i < loops->nest.count; i++)
        for (int k = many - 1; k >= 0; k--)
            TRY(expression_emit(e, loops->nest.roots[i], &indices[k], &elements[i * many + k]));
    for (int i = 0; i < loops->nest.count; i++)
        store_row_of(e, loops, i, indices, elements + i * many);
    return NULL;
}

/* Computes the roots at an index, and stores them. */
static struct error *store_at(struct emitter *e, const struct loops *loops,
                              const struct index *index)
{
    struct element *elements = ARENA_ARRAY(e->arena, struct element, (size_t)loops->nest.count);
    for (int i = 0; i < loops->nest.count; i++)
        TRY(expression_emit(e, loops->nest.roots[i], index, &elements[i]));
    for (int i = 0; i < loops->nest.count; i++) {
        struct affine offset = offset_of(e, loops, i, index);
        element_store(e, loops->pointers[i], loops->nest.roots[i]->type->shape.dtype, &offset,
                      &elements[i], is_streamed(e, loops, i));
    }
    return NULL;
}

/* Stores the same, a vector of adjacent elements at a time. A tail has fewer rows. */
static struct error *store_periodic(struct emitter *e, const struct loops *loops, struct affine *at)
{
    LLVMValueRef tail = e->tail;
    int rows = tail ? emitter_lanes_enabled(e) : loops->nest.schedule.step;
    int64_t left = (int64_t)rows * loops->nest.schedule.interleave;
    for (int vector = 0; left > 0; vector++, left -= e->lanes) {
        e->tail = left < e->lanes ? emitter_first_lanes(e, e->lanes, left) : NULL;
        struct index index = periodic_index(e, &loops->nest, at, vector);
        TRY(store_at(e, loops, &index));
    }
    e->tail = tail;
    return NULL;
}

static bool is_periodic(const struct schedule *schedule)
{
    return schedule->interleave > 1 && schedule->periodic && schedule->lanes > 1;
}

/* The components of the index at a position along the axes. */
static struct affine *components_of(struct emitter *e, const struct loops *loops,
                                    const struct affine *position)
{
    struct affine *at = affine_array(e, loops->nest.shape->shape.rank);
    for (int i = 0; i < loops->nest.schedule.axes; i++)
        at[loops->nest.schedule.axis[i].dim] = position[i];
    return at;
}

static struct error *store_roots(struct emitter *e, const struct loops *loops,
                                 const struct affine *position)
{
    struct affine *at = components_of(e, loops, position);
    if (is_periodic(&loops->nest.schedule))
        return store_periodic(e, loops, at);
    if (loops->nest.schedule.interleave > 1)
        return store_interleaved(e, loops, at);
    struct index index = affine_index(loops->nest.shape->shape.rank, at);
    if (loops->visit)
        return loops->visit(e, loops->context, &index);
    return store_at(e, loops, &index);
}

/* Stores a row of a tile. `row` is the variable of its number; position[tile] is the tile's first
 * row. */
static struct error *store_row(struct emitter *e, const struct loops *loops,
                               struct affine *position, struct tile *tile, int row)
{
    const struct schedule *schedule = &loops->nest.schedule;
    const struct tile *whole = e->tile;
    struct affine first = position[schedule->tile], number = affine_var(row);
    position[schedule->tile] = affine_add(e, &first, &number);
    tile->var = row;
    e->tile = tile;
    struct error *error = store_roots(e, loops, position);
    e->tile = whole;
    position[schedule->tile] = first;
    return error;
}

/* Emits the rows of the current tile at one position of the lanes. */
static struct error *emit_rows(struct emitter *e, const struct loops *loops,
                               struct affine *position)
{
    struct tile tile = *e->tile;
    tile.depth = e->scope->depth;
    tile.unrolled = tile_plan_unrolls(&loops->nest);
    for (int i = 0; i < tile.rows && tile.unrolled; i++) {
        tile.number = i;
        int row = emitter_var(e, emitter_i64(e, i), 1, 0, tile.rows - 1, 0);
        TRY(store_row(e, loops, position, &tile, row));
    }
    if (tile.unrolled)
        return NULL;
    LLVMValueRef count = emitter_i64(e, tile.rows);
    struct loop *loop = emitter_loop_begin(e, tile.begin, count, 1, 0, tile.rows - 1, 0, NULL);
    TRY(store_row(e, loops, position, &tile, loop->var));
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

static struct error *emit_position(struct emitter *e, const struct loops *loops,
                                   struct affine *position)
{
    return loops->nest.schedule.tile >= 0 ? emit_rows(e, loops, position)
                                          : store_roots(e, loops, position);
}

/* Starts the lanes that remain after the whole vectors. Tiles, and rows whose elements the lanes
 * are, are as wide as whole vectors. */
static struct lanes rest_lanes(struct emitter *e, const struct schedule *schedule, int64_t rest)
{
    if (schedule->tile < 0 && !is_periodic(schedule))
        return emitter_tail(e, rest);
    struct lanes before = emitter_lanes(e, schedule->lanes);
    e->tail = emitter_first_lanes(e, schedule->lanes, rest);
    return before;
}

/* The number of the lane, as a variable of the current scope: what depends on it is emitted in the
 * scope, not hoisted out of it. */
static struct affine lane_of_scope(struct emitter *e)
{
    int var = e->lanes > 1 ? e->lane_var : emitter_var(e, emitter_i64(e, 0), 1, 0, 0, 0);
    e->vars.items[var].depth = e->scope->depth;
    return affine_var(var);
}

/* Emits the lanes that remain after the whole vectors. `branch`: the current scope is a branch that
 * most work items do not take. */
static struct error *emit_rest(struct emitter *e, const struct loops *loops, bool branch,
                               struct affine *position)
{
    const struct schedule *schedule = &loops->nest.schedule;
    int last = schedule->axes - 1;
    int64_t size = schedule->axis[last].size, rest = size % schedule->step;
    for (; rest >= schedule->lanes && schedule->step > schedule->lanes; rest -= schedule->lanes) {
        struct affine first = branch ? lane_of_scope(e) : affine_var(e->lane_var);
        position[last] = affine_offset(&first, size - rest);
        TRY(emit_position(e, loops, position));
    }
    if (!rest)
        return NULL;
    struct lanes before = rest_lanes(e, schedule, rest);
    struct affine lane = branch         ? lane_of_scope(e)
                         : e->lanes > 1 ? affine_var(e->lane_var)
                                        : affine_constant(0);
    position[last] = affine_offset(&lane, size - rest);
    struct error *error = emit_position(e, loops, position);
    emitter_lanes_restore(e, before);
    return error;
}

/* Notes that a step of the chunk that starts at step `first` is within the row. */
static void note_steps(struct emitter *e, const struct schedule *schedule,
                       const struct affine *first, int step)
{
    struct index_var *var = &e->vars.items[step];
    if (first->count != 1 || first->constant || first->terms[0].coefficient != schedule->chunk)
        return;
    var->chunk_var = (int)first->terms[0].var;
    var->chunk = schedule->chunk;
    var->steps = nest_schedule_steps_of_row(schedule);
}

/* Emits steps [0, trip_count) of a chunk that starts at step `first`. */
static struct error *emit_vectors(struct emitter *e, const struct loops *loops,
                                  struct affine *position, const struct affine *first,
                                  LLVMValueRef trip_count)
{
    const struct schedule *schedule = &loops->nest.schedule;
    int last = schedule->axes - 1;
    struct affine at = *first;
    struct loop *loop = NULL;
    if (schedule->chunk > 1) {
        loop = emitter_loop_begin(e, emitter_i64(e, 0), trip_count, 1, 0, schedule->chunk - 1, 0,
                                  NULL);
        struct affine i = affine_var(loop->var);
        at = affine_add(e, &at, &i);
        note_steps(e, schedule, first, loop->var);
    }
    at = affine_scale(&at, schedule->step);
    if (schedule->overlaps) {
        int64_t most = schedule->axis[last].size - schedule->lanes;
        LLVMValueRef next = affine_scalar(e, &at);
        LLVMValueRef start = emitter_binary(e, "llvm.smin", next, emitter_i64(e, most));
        at = affine_var(emitter_var(e, start, 1, 0, most, e->scope->depth));
    }
    if (schedule->lanes > 1) {
        struct affine lane = affine_var(e->lane_var);
        at = affine_add(e, &at, &lane);
    }
    struct chunk chunk = {loop ? loop->var : -1, e->scope->depth - 1, trip_count, schedule->chunk};
    e->chunk = loop && schedule->reduces ? &chunk : NULL;
    struct error *error = NULL;
    for (int k = 0; k < schedule->step && !error; k += schedule->lanes) {
        position[last] = affine_offset(&at, k);
        error = emit_position(e, loops, position);
    }
    e->chunk = NULL;
    if (loop && !error)
        emitter_loop_end(e, loop, NULL);
    return error;
}

/* Emits one row, or chunk `chunk_number` of the `chunks` chunks of a row. */
static struct error *emit_row(struct emitter *e, const struct loops *loops, struct affine *position,
                              const struct affine *chunk_number, int64_t chunks)
{
    const struct schedule *schedule = &loops->nest.schedule;
    int64_t size = schedule->axis[schedule->axes - 1].size,
            vectors = nest_schedule_steps_of_row(schedule),
            rest = schedule->overlaps ? 0 : size % schedule->step;
    struct affine first = affine_scale(chunk_number, schedule->chunk);
    LLVMValueRef trip_count = emitter_i64(e, schedule->chunk);
    if (loops->nest.by_rows && e->columns)
        trip_count = emitter_column_vectors(e, schedule->lanes);
    if (chunks > 1 && vectors % schedule->chunk) {
        LLVMValueRef left =
            LLVMBuildSub(e->builder, emitter_i64(e, vectors), affine_scalar(e, &first), "");
        trip_count = emitter_binary(e, "llvm.smin", trip_count, left);
    }
    if (vectors)
        TRY(emit_vectors(e, loops, position, &first, trip_count));
    if (!rest)
        return NULL;
    if (chunks == 1)
        return emit_rest(e, loops, false, position);
    LLVMValueRef is_last = LLVMBuildICmp(e->builder, LLVMIntEQ, affine_scalar(e, chunk_number),
                                         emitter_i64(e, chunks - 1), "");
    struct branch *branch = emitter_branch_begin(e, is_last);
    TRY(emit_rest(e, loops, true, position));
    emitter_branch_end(e, branch, 0, NULL, NULL);
    return NULL;
}

/* As emit_row(), if the row is visited. */
static struct error *emit_visited_row(struct emitter *e, const struct loops *loops,
                                      struct affine *position, const struct affine *chunk_number,
                                      int64_t chunks)
{
    LLVMValueRef condition = NULL;
    if (loops->visits_row) {
        position[loops->nest.schedule.axes - 1] = affine_constant(0);
        struct index first =
            affine_index(loops->nest.shape->shape.rank, components_of(e, loops, position));
        TRY(loops->visits_row(e, loops->context, &first, &condition));
    }
    struct branch *branch = condition ? emitter_branch_begin(e, condition) : NULL;
    TRY(emit_row(e, loops, position, chunk_number, chunks));
    if (branch)
        emitter_branch_end(e, branch, 0, NULL, NULL);
    return NULL;
}

/* Emits the chunk of each row of a tile. Where the tiles do not divide the axis, the last one
 * begins at an earlier row, so that all share their code: it leaves out the rows that the tile
 * before has stored, or copies them again. */
static struct error *emit_tile(struct emitter *e, const struct loops *loops,
                               struct affine *position, const struct affine *number,
                               const struct affine *chunk_number, int64_t chunks)
{
    const struct schedule *schedule = &loops->nest.schedule;
    int64_t size = schedule->axis[schedule->tile].size, last = size - schedule->lanes;
    struct tile tile = {.rows = last < 0 ? (int)size : schedule->lanes, .begin = emitter_i64(e, 0)};
    position[schedule->tile] = affine_scale(number, schedule->lanes);
    if (last > 0 && (size % schedule->lanes || schedule->overlaps)) {
        LLVMValueRef next = affine_scalar(e, &position[schedule->tile]);
        LLVMValueRef start = emitter_binary(e, "llvm.smin", next, emitter_i64(e, last));
        tile.begin = LLVMBuildSub(e->builder, next, start, "");
        position[schedule->tile] = affine_var(emitter_var(e, start, 1, 0, last, e->scope->depth));
    }
    e->tile = &tile;
    struct error *error = emit_row(e, loops, position, chunk_number, chunks);
    e->tile = NULL;
    return error;
}

/* Emits the chunk of the rows of a block of tiles. position[tile] holds the block's number. */
static struct error *emit_tiles(struct emitter *e, const struct loops *loops,
                                struct affine *position, const struct affine *chunk_number,
                                int64_t chunks)
{
    const struct schedule *schedule = &loops->nest.schedule;
    int64_t tiles = tile_plan_tiles(schedule), most = schedule->tile_block;
    struct affine first = affine_scale(&position[schedule->tile], most);
    e->emitted.tiles = true;
    LLVMValueRef left =
        LLVMBuildSub(e->builder, emitter_i64(e, tiles), affine_scalar(e, &first), "");
    LLVMValueRef trip_count = emitter_binary(e, "llvm.smin", left, emitter_i64(e, most));
    struct loop *loop =
        emitter_loop_begin(e, emitter_i64(e, 0), trip_count, 1, 0, most - 1, 0, NULL);
    struct affine tile = affine_var(loop->var);
    tile = affine_add(e, &first, &tile);
    TRY(emit_tile(e, loops, position, &tile, chunk_number, chunks));
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

static struct error *emit_item(struct emitter *e, const struct loops *loops,
                               const struct affine *item)
{
    const struct schedule *schedule = &loops->nest.schedule;
    struct affine position[SHAPE_MAX_RANK], rest = *item, chunk_number = affine_constant(0);
    if (!schedule->axes) {
        memset(position, 0, sizeof position);
        return store_roots(e, loops, position);
    }
    int last = schedule->axes - 1;
    int64_t vectors = nest_schedule_steps_of_row(schedule);
    int64_t chunks =
        vectors > schedule->chunk ? (vectors + schedule->chunk - 1) / schedule->chunk : 1;
    affine_divide(e, &rest, chunks, &rest, &chunk_number);
    for (int i = schedule->outer - 1; i >= 0; i--)
        affine_divide(e, &rest,
                      i == schedule->tile ? tile_plan_blocks(schedule) : schedule->axis[i].size,
                      &rest, &position[i]);
    struct loop *inner[SHAPE_MAX_RANK];
    for (int i = schedule->outer; i < last; i++) {
        int64_t size = schedule->axis[i].size;
        inner[i] =
            emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, size), 1, 0, size - 1, 0, NULL);
        position[i] = affine_var(inner[i]->var);
    }
    if (schedule->tile >= 0)
        return emit_tiles(e, loops, position, &chunk_number, chunks);
    TRY(emit_visited_row(e, loops, position, &chunk_number, chunks));
    for (int i = last - 1; i >= schedule->outer; i--)
        emitter_loop_end(e, inner[i], NULL);
    return NULL;
}

static struct error *emit_item_of_each(struct emitter *e, const struct loops *loops, int count,
                                       const struct affine *item)
{
    for (int i = 0; i < count; i++) {
        e->nest = &loops[i].nest;
        struct lanes before = emitter_lanes(e, loops[i].nest.schedule.lanes);
        struct error *error = loops[i].nest.schedule.work ? emit_item(e, &loops[i], item) : NULL;
        emitter_lanes_restore(e, before);
        e->nest = NULL;
        if (error)
            return error;
    }
    return NULL;
}

struct error *loops_emit(struct emitter *e, const struct loops *loops, int count,
                         LLVMValueRef begin, LLVMValueRef end)
{
    struct affine item = affine_constant(0);
    LLVMValueRef some = LLVMBuildICmp(e->builder, LLVMIntSLT, begin, end, "");
    struct branch *branch = emitter_branch_begin(e, some);
    struct loop *loop = NULL;
    if (loops->nest.schedule.work > 1) {
        loop = emitter_loop_begin(e, begin, end, 1, 0, loops->nest.schedule.work - 1, 0, NULL);
        item = affine_var(loop->var);
    }
    TRY(emit_item_of_each(e, loops, count, &item));
    if (loop)
        emitter_loop_end(e, loop, NULL);
    emitter_branch_end(e, branch, 0, NULL, NULL);
    return NULL;
}
