/* loops.c: the code of a nest, as loops_plan.c has divided it. */
#include "compiler/codegen/loops/loops.h"

#include <string.h>

#include "compiler/codegen/element/affine_divide.h"
#include "compiler/codegen/loops/arithmetic.h"
#include "compiler/codegen/loops/period.h"
#include "compiler/codegen/loops/tile_plan.h"

enum {
    LANES_MOST = 1024,       /* of a vector */
    STREAM_WEIGHT = 64,      /* with more arithmetic, how results are stored does not matter */
    STREAM_LEAST = 64 << 10, /* a smaller result takes no time */
    STREAM_CACHES = 8,       /* stream results larger than this multiple of the cache, */
    STREAM_TILE_CACHES = 4   /* or this one, if rows of tiles are far apart */
};

bool loops_exceeds_caches(const struct emitter *e, uint64_t bytes)
{
    if (e->stores_past_caches)
        return bytes >= STREAM_LEAST;
    return bytes >= LOOPS_STREAM_BYTES && bytes >= e->target->cache_bytes * STREAM_CACHES &&
           e->exceeds_caches;
}

static bool is_streamed(const struct emitter *e, const struct nest *nest, int root)
{
    const struct nest_plan *plan = &nest->plan;
    const struct type *type = nest->roots[root]->type;
    bool tiled = plan->tile >= 0;
    uint64_t bytes = (uint64_t)type_bytes(type), element = (uint64_t)dtype_bytes(type->shape.dtype),
             vector = (uint64_t)plan->lanes * element,
             row = plan->axes ? (uint64_t)plan->axis_size[plan->axes - 1] * element : 0;
    return plan->interleave == 1 && !loops_target_of(nest, root) && !nest->by_rows &&
           (tiled || !plan->overlaps) && arithmetic_weight(nest->roots[root]) <= STREAM_WEIGHT &&
           (tiled ? bytes >= e->target->cache_bytes * STREAM_TILE_CACHES
                  : loops_exceeds_caches(e, bytes)) &&
           vector % 64 == 0 && row % 64 == 0 && plan->lanes > 1;
}

static struct affine offset_of(struct emitter *e, const struct nest *nest, int root,
                               const struct index *index)
{
    const struct type *into = loops_target_of(nest, root);
    if (!into)
        return affine_linear(e, index, nest->shape->shape.dims);
    int rank = into->shape.rank, before = rank - index->rank;
    const struct affine *origin = nest->places[root].origin;
    struct affine *at = affine_array(e, rank);
    for (int i = 0; i < rank; i++)
        at[i] = i < before ? origin[i] : affine_add(e, &index->at[i - before], &origin[i]);
    struct index moved = affine_index(rank, at);
    return affine_linear(e, &moved, into->shape.dims);
}

/* Sets the index in the interleaved dimensions to element `number` of them. */
static void set_inner(const struct nest_plan *plan, struct affine *at, int64_t number)
{
    for (int i = plan->axes + plan->inner - 1; i >= plan->axes; i--) {
        at[plan->axis_dim[i]] = affine_constant(number % plan->axis_size[i]);
        number /= plan->axis_size[i];
    }
}

/* Stores all elements of the interleaved dimensions of a root; at[k]: the index of element k. */
static void store_row_of(struct emitter *e, const struct nest *nest, int root,
                         const struct index *at, const struct element *elements)
{
    enum dtype dtype = nest->roots[root]->type->shape.dtype;
    struct affine first = offset_of(e, nest, root, &at[0]);
    if (e->lanes > 1)
        element_store_interleaved(e, nest->pointers[root], dtype, &first, nest->plan.interleave,
                                  elements);
    for (int k = nest->plan.interleave - 1; k >= 0 && e->lanes == 1; k--) {
        struct affine offset = offset_of(e, nest, root, &at[k]);
        element_store(e, nest->pointers[root], dtype, &offset, &elements[k], false);
    }
}

/* Stores all elements of the interleaved dimensions, when those of all roots are computed: they may
 * be stored over what others read. */
static struct error *store_interleaved(struct emitter *e, const struct nest *nest,
                                       struct affine *at)
{
    const struct nest_plan *plan = &nest->plan;
    int rank = nest->shape->shape.rank, many = plan->interleave;
    struct index *indices = ARENA_ARRAY(e->arena, struct index, (size_t)many);
    struct element *elements =
        ARENA_ARRAY(e->arena, struct element, (size_t)nest->count * (size_t)many);
    for (int k = 0; k < many; k++) {
        struct affine *copy = arena_copy(e->arena, at, (size_t)rank * sizeof *at);
        set_inner(plan, copy, k);
        indices[k] = affine_index(rank, copy);
    }
    e->unrolls_rows = plan->reduces_inner;
    for (int i = 0; i < nest->count; i++)
        for (int k = many - 1; k >= 0; k--)
            TRY(expression_emit(e, nest->roots[i], &indices[k], &elements[i * many + k]));
    e->unrolls_rows = false;
    for (int i = 0; i < nest->count; i++)
        store_row_of(e, nest, i, indices, elements + i * many);
    return NULL;
}

/* Computes the roots at an index, and stores them in the lanes of a mask (NULL: all). */
static struct error *store_at(struct emitter *e, const struct nest *nest, const struct index *index,
                              LLVMValueRef mask)
{
    struct element *elements = ARENA_ARRAY(e->arena, struct element, (size_t)nest->count);
    LLVMValueRef tail = e->tail;
    for (int i = 0; i < nest->count; i++)
        TRY(expression_emit(e, nest->roots[i], index, &elements[i]));
    e->tail = mask ? mask : tail;
    for (int i = 0; i < nest->count; i++) {
        struct affine offset = offset_of(e, nest, i, index);
        element_store(e, nest->pointers[i], nest->roots[i]->type->shape.dtype, &offset,
                      &elements[i], is_streamed(e, nest, i));
    }
    e->tail = tail;
    return NULL;
}

/* Stores the same, a vector of adjacent elements at a time. A tail has fewer rows. */
static struct error *store_periodic(struct emitter *e, const struct nest *nest, struct affine *at)
{
    LLVMValueRef tail = e->tail;
    int rows = tail ? emitter_lanes_enabled(e) : nest->plan.step;
    int64_t left = (int64_t)rows * nest->plan.interleave;
    for (int vector = 0; left > 0; vector++, left -= e->lanes) {
        e->tail = left < e->lanes ? emitter_first_lanes(e, e->lanes, left) : NULL;
        struct index index = period_index(e, nest, at, vector);
        TRY(store_at(e, nest, &index, NULL));
    }
    e->tail = tail;
    return NULL;
}

static bool is_periodic(const struct nest_plan *plan)
{
    return plan->interleave > 1 && plan->periodic && plan->lanes > 1;
}

/* The components of the index at a position along the axes. */
static struct affine *components_of(struct emitter *e, const struct nest *nest,
                                    const struct affine *position)
{
    struct affine *at = affine_array(e, nest->shape->shape.rank);
    for (int i = 0; i < nest->plan.axes; i++)
        at[nest->plan.axis_dim[i]] = position[i];
    return at;
}

static struct error *store_roots(struct emitter *e, const struct nest *nest,
                                 const struct affine *position)
{
    struct affine *at = components_of(e, nest, position);
    if (is_periodic(&nest->plan))
        return store_periodic(e, nest, at);
    if (nest->plan.interleave > 1)
        return store_interleaved(e, nest, at);
    struct index index = affine_index(nest->shape->shape.rank, at);
    if (nest->visit)
        return nest->visit(e, nest->context, &index);
    return store_at(e, nest, &index, NULL);
}

/* Stores a row of a tile. `row` is the variable of its number; position[tile] is the tile's first
 * row. */
static struct error *store_row(struct emitter *e, const struct nest *nest, struct affine *position,
                               struct tile *tile, int row)
{
    const struct nest_plan *plan = &nest->plan;
    const struct tile *whole = e->tile;
    struct affine first = position[plan->tile], number = affine_var(row);
    position[plan->tile] = affine_add(e, &first, &number);
    tile->var = row;
    e->tile = tile;
    struct error *error = store_roots(e, nest, position);
    e->tile = whole;
    position[plan->tile] = first;
    return error;
}

/* Emits the rows of the current tile at one position of the lanes. */
static struct error *emit_rows(struct emitter *e, const struct nest *nest, struct affine *position)
{
    struct tile tile = *e->tile;
    tile.depth = e->scope->depth;
    tile.unrolled = tile_plan_unrolls(nest);
    for (int i = 0; i < tile.rows && tile.unrolled; i++) {
        tile.number = i;
        int row = emitter_var(e, emitter_i64(e, i), 1, 0, tile.rows - 1, 0);
        TRY(store_row(e, nest, position, &tile, row));
    }
    if (tile.unrolled)
        return NULL;
    LLVMValueRef count = emitter_i64(e, tile.rows);
    struct loop *loop = emitter_loop_begin(e, tile.begin, count, 1, 0, tile.rows - 1, 0, NULL);
    TRY(store_row(e, nest, position, &tile, loop->var));
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

static struct error *emit_position(struct emitter *e, const struct nest *nest,
                                   struct affine *position)
{
    return nest->plan.tile >= 0 ? emit_rows(e, nest, position) : store_roots(e, nest, position);
}

/* Starts the lanes that remain after the whole vectors. Tiles, and rows whose elements the lanes
 * are, are as wide as whole vectors. */
static struct lanes rest_lanes(struct emitter *e, const struct nest_plan *plan, int64_t rest)
{
    if (plan->tile < 0 && !is_periodic(plan))
        return emitter_tail(e, rest);
    struct lanes before = emitter_lanes(e, plan->lanes);
    e->tail = emitter_first_lanes(e, plan->lanes, rest);
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
static struct error *emit_rest(struct emitter *e, const struct nest *nest, bool branch,
                               struct affine *position)
{
    const struct nest_plan *plan = &nest->plan;
    int last = plan->axes - 1;
    int64_t size = plan->axis_size[last], rest = size % plan->step;
    for (; rest >= plan->lanes && plan->step > plan->lanes; rest -= plan->lanes) {
        struct affine first = branch ? lane_of_scope(e) : affine_var(e->lane_var);
        position[last] = affine_offset(&first, size - rest);
        TRY(emit_position(e, nest, position));
    }
    if (!rest)
        return NULL;
    struct lanes before = rest_lanes(e, plan, rest);
    struct affine lane = branch         ? lane_of_scope(e)
                         : e->lanes > 1 ? affine_var(e->lane_var)
                                        : affine_constant(0);
    position[last] = affine_offset(&lane, size - rest);
    struct error *error = emit_position(e, nest, position);
    emitter_lanes_restore(e, before);
    return error;
}

/* Notes that a step of the chunk that starts at step `first` is within the row. */
static void note_steps(struct emitter *e, const struct nest_plan *plan, const struct affine *first,
                       int step)
{
    struct index_var *var = &e->vars.items[step];
    if (first->count != 1 || first->constant || first->terms[0].coefficient != plan->chunk)
        return;
    var->chunk_var = (int)first->terms[0].var;
    var->chunk = plan->chunk;
    var->steps = loops_steps_of_row(plan);
}

/* Emits steps [0, trip_count) of a chunk that starts at step `first`. */
static struct error *emit_vectors(struct emitter *e, const struct nest *nest,
                                  struct affine *position, const struct affine *first,
                                  LLVMValueRef trip_count)
{
    const struct nest_plan *plan = &nest->plan;
    int last = plan->axes - 1;
    struct affine at = *first;
    struct loop *loop = NULL;
    if (plan->chunk > 1) {
        loop = emitter_loop_begin(e, emitter_i64(e, 0), trip_count, 1, 0, plan->chunk - 1, 0, NULL);
        struct affine i = affine_var(loop->var);
        at = affine_add(e, &at, &i);
        note_steps(e, plan, first, loop->var);
    }
    at = affine_scale(&at, plan->step);
    if (plan->overlaps) {
        int64_t most = plan->axis_size[last] - plan->lanes;
        LLVMValueRef next = affine_scalar(e, &at);
        LLVMValueRef start = emitter_binary(e, "llvm.smin", next, emitter_i64(e, most));
        at = affine_var(emitter_var(e, start, 1, 0, most, e->scope->depth));
    }
    if (plan->lanes > 1) {
        struct affine lane = affine_var(e->lane_var);
        at = affine_add(e, &at, &lane);
    }
    struct chunk chunk = {loop ? loop->var : -1, e->scope->depth - 1, trip_count, plan->chunk};
    e->chunk = loop && plan->reduces ? &chunk : NULL;
    struct error *error = NULL;
    for (int k = 0; k < plan->step && !error; k += plan->lanes) {
        position[last] = affine_offset(&at, k);
        error = emit_position(e, nest, position);
    }
    e->chunk = NULL;
    if (loop && !error)
        emitter_loop_end(e, loop, NULL);
    return error;
}

/* Emits vector `number` of a row; the last one begins where it is whole. */
static struct error *emit_overlapping(struct emitter *e, const struct nest *nest,
                                      struct affine *position, const struct affine *number)
{
    const struct nest_plan *plan = &nest->plan;
    int last = plan->axes - 1;
    int64_t most = plan->axis_size[last] - plan->lanes;
    struct affine first = affine_scale(number, plan->lanes), lane = affine_var(e->lane_var);
    LLVMValueRef next = affine_scalar(e, &first), lanes[LANES_MOST];
    LLVMValueRef start = emitter_binary(e, "llvm.smin", next, emitter_i64(e, most));
    LLVMValueRef stored = LLVMBuildSub(e->builder, next, start, "");
    stored = LLVMBuildTrunc(e->builder, stored, e->i32, "");
    for (int i = 0; i < plan->lanes; i++)
        lanes[i] = emitter_i32(e, i);
    LLVMValueRef mask =
        LLVMBuildICmp(e->builder, LLVMIntUGE, LLVMConstVector(lanes, (unsigned)plan->lanes),
                      emitter_splat(e, stored, plan->lanes), "");
    struct affine at = affine_var(emitter_var(e, start, 1, 0, most, e->scope->depth));
    position[last] = affine_add(e, &at, &lane);
    struct index index = affine_index(nest->shape->shape.rank, components_of(e, nest, position));
    return store_at(e, nest, &index, mask);
}

/* Emits one row, or chunk `chunk_number` of the `chunks` chunks of a row. */
static struct error *emit_row(struct emitter *e, const struct nest *nest, struct affine *position,
                              const struct affine *chunk_number, int64_t chunks)
{
    const struct nest_plan *plan = &nest->plan;
    int64_t size = plan->axis_size[plan->axes - 1], vectors = loops_steps_of_row(plan),
            rest = plan->overlaps ? 0 : size % plan->step;
    struct affine first = affine_scale(chunk_number, plan->chunk);
    LLVMValueRef trip_count = emitter_i64(e, plan->chunk);
    if (plan->overlaps && plan->tile < 0)
        return emit_overlapping(e, nest, position, chunk_number);
    if (nest->by_rows && e->columns)
        trip_count = emitter_column_vectors(e, plan->lanes);
    if (chunks > 1 && vectors % plan->chunk) {
        LLVMValueRef left =
            LLVMBuildSub(e->builder, emitter_i64(e, vectors), affine_scalar(e, &first), "");
        trip_count = emitter_binary(e, "llvm.smin", trip_count, left);
    }
    if (vectors)
        TRY(emit_vectors(e, nest, position, &first, trip_count));
    if (!rest)
        return NULL;
    if (chunks == 1)
        return emit_rest(e, nest, false, position);
    LLVMValueRef is_last = LLVMBuildICmp(e->builder, LLVMIntEQ, affine_scalar(e, chunk_number),
                                         emitter_i64(e, chunks - 1), "");
    struct branch *branch = emitter_branch_begin(e, is_last);
    TRY(emit_rest(e, nest, true, position));
    emitter_branch_end(e, branch, 0, NULL, NULL);
    return NULL;
}

/* As emit_row(), if the row is visited. */
static struct error *emit_visited_row(struct emitter *e, const struct nest *nest,
                                      struct affine *position, const struct affine *chunk_number,
                                      int64_t chunks)
{
    LLVMValueRef condition = NULL;
    if (nest->visits_row) {
        position[nest->plan.axes - 1] = affine_constant(0);
        struct index first =
            affine_index(nest->shape->shape.rank, components_of(e, nest, position));
        TRY(nest->visits_row(e, nest->context, &first, &condition));
    }
    struct branch *branch = condition ? emitter_branch_begin(e, condition) : NULL;
    TRY(emit_row(e, nest, position, chunk_number, chunks));
    if (branch)
        emitter_branch_end(e, branch, 0, NULL, NULL);
    return NULL;
}

/* Emits the chunk of each row of a tile. Where the tiles do not divide the axis, the last one
 * begins at an earlier row, so that all share their code: it leaves out the rows that the tile
 * before has stored, or copies them again. */
static struct error *emit_tile(struct emitter *e, const struct nest *nest, struct affine *position,
                               const struct affine *number, const struct affine *chunk_number,
                               int64_t chunks)
{
    const struct nest_plan *plan = &nest->plan;
    int64_t size = plan->axis_size[plan->tile], last = size - plan->lanes;
    struct tile tile = {.rows = last < 0 ? (int)size : plan->lanes, .begin = emitter_i64(e, 0)};
    position[plan->tile] = affine_scale(number, plan->lanes);
    if (last > 0 && (size % plan->lanes || plan->overlaps)) {
        LLVMValueRef next = affine_scalar(e, &position[plan->tile]);
        LLVMValueRef start = emitter_binary(e, "llvm.smin", next, emitter_i64(e, last));
        tile.begin = LLVMBuildSub(e->builder, next, start, "");
        position[plan->tile] = affine_var(emitter_var(e, start, 1, 0, last, e->scope->depth));
    }
    e->tile = &tile;
    struct error *error = emit_row(e, nest, position, chunk_number, chunks);
    e->tile = NULL;
    return error;
}

/* Emits the chunk of the rows of a block of tiles. position[tile] holds the block's number. */
static struct error *emit_tiles(struct emitter *e, const struct nest *nest, struct affine *position,
                                const struct affine *chunk_number, int64_t chunks)
{
    const struct nest_plan *plan = &nest->plan;
    int64_t tiles = tile_plan_tiles(plan), most = plan->tile_block;
    struct affine first = affine_scale(&position[plan->tile], most);
    e->tiled = true;
    LLVMValueRef left =
        LLVMBuildSub(e->builder, emitter_i64(e, tiles), affine_scalar(e, &first), "");
    LLVMValueRef trip_count = emitter_binary(e, "llvm.smin", left, emitter_i64(e, most));
    struct loop *loop =
        emitter_loop_begin(e, emitter_i64(e, 0), trip_count, 1, 0, most - 1, 0, NULL);
    struct affine tile = affine_var(loop->var);
    tile = affine_add(e, &first, &tile);
    TRY(emit_tile(e, nest, position, &tile, chunk_number, chunks));
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

static struct error *emit_item(struct emitter *e, const struct nest *nest,
                               const struct affine *item)
{
    const struct nest_plan *plan = &nest->plan;
    struct affine position[SHAPE_MAX_RANK], rest = *item, chunk_number = affine_constant(0);
    if (!plan->axes) {
        memset(position, 0, sizeof position);
        return store_roots(e, nest, position);
    }
    int last = plan->axes - 1;
    int64_t vectors = loops_steps_of_row(plan);
    int64_t chunks = vectors > plan->chunk ? (vectors + plan->chunk - 1) / plan->chunk : 1;
    affine_divide(e, &rest, chunks, &rest, &chunk_number);
    for (int i = plan->outer - 1; i >= 0; i--)
        affine_divide(e, &rest, i == plan->tile ? tile_plan_blocks(plan) : plan->axis_size[i],
                      &rest, &position[i]);
    struct loop *loops[SHAPE_MAX_RANK];
    for (int i = plan->outer; i < last; i++) {
        int64_t size = plan->axis_size[i];
        loops[i] =
            emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, size), 1, 0, size - 1, 0, NULL);
        position[i] = affine_var(loops[i]->var);
    }
    if (plan->tile >= 0)
        return emit_tiles(e, nest, position, &chunk_number, chunks);
    TRY(emit_visited_row(e, nest, position, &chunk_number, chunks));
    for (int i = last - 1; i >= plan->outer; i--)
        emitter_loop_end(e, loops[i], NULL);
    return NULL;
}

static struct error *emit_item_of_each(struct emitter *e, const struct nest *nests, int count,
                                       const struct affine *item)
{
    for (int i = 0; i < count; i++) {
        e->has_loops = nests[i].plan.has_loop;
        e->in_rows = nests[i].plan.axes > 1 || nests[i].places;
        e->bits = nests[i].plan.bits;
        struct lanes before = emitter_lanes(e, nests[i].plan.lanes);
        struct error *error = nests[i].plan.work ? emit_item(e, &nests[i], item) : NULL;
        emitter_lanes_restore(e, before);
        e->bits = false;
        if (error)
            return error;
    }
    e->in_rows = false;
    return NULL;
}

struct error *loops_emit(struct emitter *e, const struct nest *nests, int count, LLVMValueRef begin,
                         LLVMValueRef end)
{
    struct affine item = affine_constant(0);
    LLVMValueRef some = LLVMBuildICmp(e->builder, LLVMIntSLT, begin, end, "");
    struct branch *branch = emitter_branch_begin(e, some);
    struct loop *loop = NULL;
    if (nests->plan.work > 1) {
        loop = emitter_loop_begin(e, begin, end, 1, 0, nests->plan.work - 1, 0, NULL);
        item = affine_var(loop->var);
    }
    TRY(emit_item_of_each(e, nests, count, &item));
    if (loop)
        emitter_loop_end(e, loop, NULL);
    emitter_branch_end(e, branch, 0, NULL, NULL);
    return NULL;
}
