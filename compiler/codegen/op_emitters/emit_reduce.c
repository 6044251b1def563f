/* emit_reduce.c: reduce, reduce_window and map: operations that apply a region to elements. */
#include <string.h>

#include "compiler/analysis/reducer.h"
#include "compiler/codegen/element/elementwise.h"
#include "compiler/codegen/element/stride.h"
#include "compiler/schedule/analysis.h"
#include "compiler/schedule/collapse.h"
#include "compiler/schedule/arithmetic.h"
#include "compiler/codegen/loops/chunk.h"
#include "compiler/codegen/loops/reduction.h"
#include "compiler/codegen/loops/row_fetch.h"
#include "compiler/codegen/loops/side_by_side.h"
#include "compiler/codegen/loops/window_position.h"
#include "compiler/codegen/op_emitters/kept_rows.h"
#include "compiler/codegen/op_emitters/op_emitters.h"

/* A reducer. Operands are inputs, then as many initial values; the region combines as many
 * accumulators with inputs. */
struct reducer {
    const struct op *op;
    int count;
    const struct block *body;
    enum op_code code; /* reducer_of() if it has an identity; else OP_INVALID_CODE */
    const struct index *index;
    const struct index *lanes;    /* of rows side by side: of all, while `index` is that of one */
    int loop_dim[SHAPE_MAX_RANK]; /* the operand's dimension that each loop iterates over */
    int loops;
    const struct chunk *chunk; /* whose vectors are reduced together; NULL: one is reduced alone */
    struct kept_rows rows;
};

enum {
    CHUNK_BYTES = 65536, /* of the stack for results of chunks */
    SQUARE_MIN = 4,
    SQUARE_MAX = 8,   /* elements of a row: longer ones are reduced along the row */
    SQUARE_LANES = 16 /* more take more shuffles than gathers cost */
};

static bool has_identity(enum op_code code, enum dtype dtype)
{
    switch (code) {
    case OP_add:
    case OP_multiply: return true;
    case OP_maximum:
    case OP_minimum:
    case OP_and:
    case OP_or:
    case OP_xor: return !dtype_is_complex(dtype);
    default: return false;
    }
}

static void reducer_init(struct reducer *r, const struct op *op)
{
    enum op_code code = reducer_of(op);
    r->op = op;
    r->count = op->operand_count / 2;
    r->body = op->regions[0];
    r->code = has_identity(code, op->results[0].type->shape.dtype) ? code : OP_INVALID_CODE;
}

/* a = body(a, b). If the region is one operation, the result is not rounded until finish(). */
static struct error *combine(struct emitter *e, void *context, struct element *a,
                             const struct element *b)
{
    struct reducer *r = context;
    enum dtype dtype = r->op->results[0].type->shape.dtype;
    if (r->code != OP_INVALID_CODE) {
        bool unrounded = e->unrounded, any_zero = e->any_zero;
        e->unrounded = e->any_zero = true;
        struct error *error = elementwise_combine(e, r->code, dtype, a, b, a);
        e->unrounded = unrounded;
        e->any_zero = any_zero;
        return error;
    }
    struct element *arguments = ARENA_ARRAY(e->arena, struct element, (size_t)r->count * 2);
    memcpy(arguments, a, (size_t)r->count * sizeof *a);
    memcpy(arguments + r->count, b, (size_t)r->count * sizeof *b);
    return expression_body(e, r->body, arguments, a);
}

/* Rounds small floats, once for the whole reduction. */
static struct error *finish(struct emitter *e, const struct reducer *r, struct element *out)
{
    enum dtype dtype = r->op->results[0].type->shape.dtype;
    if (r->code == OP_INVALID_CODE || dtype_is_complex(dtype))
        return NULL;
    out->part[0] = element_round(e, dtype, out->part[0]);
    return NULL;
}

static struct error *initial_values(struct emitter *e, const struct reducer *r,
                                    struct element *initial)
{
    const struct guard *guard = e->guard;
    struct error *error = NULL;
    e->guard = NULL;
    for (int i = 0; i < r->count && !error; i++)
        error = expression_scalar(e, r->op->operands[r->count + i], &initial[i]);
    e->guard = guard;
    return error;
}

/* ---- reduce ---------------------------------------------------------------------------------- */
/* An index of the result, for the vector of a chunk that is being emitted. */
static struct affine in_vector(struct emitter *e, const struct reducer *r, const struct affine *at)
{
    struct affine rest;
    if (!r->chunk)
        return *at;
    int64_t coefficient = affine_split(at, r->chunk->var, &rest);
    struct affine var = affine_var(e->chunk->var), moved = affine_scale(&var, coefficient);
    return affine_add(e, &rest, &moved);
}

static struct error *reduce_step(struct emitter *e, void *context, const struct affine *at,
                                 struct element *accumulators)
{
    struct reducer *r = context;
    const struct type *type = r->op->operands[0]->type;
    struct affine *full = affine_array(e, type->shape.rank);
    struct element *in = ARENA_ARRAY(e->arena, struct element, (size_t)r->count);
    for (int i = 0, result_dim = 0; i < type->shape.rank; i++)
        full[i] = analysis_is_reduced(r->op, i) ? affine_constant(0)
                                                : in_vector(e, r, &r->index->at[result_dim++]);
    for (int i = 0; i < r->loops; i++)
        full[r->loop_dim[i]] = at[i];
    struct index index = affine_index(type->shape.rank, full);
    int outer = row_group_begin(e, r->chunk ? &at[r->loops - 1] : NULL);
    for (int i = 0; i < r->count; i++)
        TRY(expression_emit(e, r->op->operands[i], &index, &in[i]));
    row_group_end(e, outer);
    kept_rows_store(e, &r->rows, r->op, &full[type->shape.rank - 1], in);
    return combine(e, r, accumulators, in);
}

static bool is_expensive(const struct reducer *r)
{
    for (int i = 0; i < r->count; i++)
        if (arithmetic_weight(r->op->operands[i]) >= KEPT_ROWS_WEIGHT)
            return true;
    return false;
}

/* Merges adjacent reduced dimensions that are contiguous in memory into one loop, indexed by the
 * inner one. Dimensions of size 1 are omitted unless there are no others. */
static void plan_loops(struct reducer *r, int64_t *sizes)
{
    const struct type *type = r->op->operands[0]->type;
    int before = -1;
    bool only_units = true;
    for (int i = 0; i < type->shape.rank; i++)
        only_units &= !analysis_is_reduced(r->op, i) || type->shape.dims[i] == 1;
    for (int i = 0; i < type->shape.rank; i++) {
        if (!analysis_is_reduced(r->op, i) || (type->shape.dims[i] == 1 && !only_units))
            continue;
        bool joins = before == i - 1 && before >= 0;
        for (int k = 0; k < r->count && joins; k++)
            joins = collapse_fits(r->op->operands[k], before);
        if (joins)
            sizes[r->loops - 1] *= type->shape.dims[i];
        else
            sizes[r->loops++] = type->shape.dims[i];
        r->loop_dim[r->loops - 1] = i;
        before = i;
    }
}

/* Removes loops with a trip count of 1. The innermost loop that remains is vectorized. */
static void drop_units(struct reducer *r, int64_t *sizes)
{
    int result_dim = 0;
    for (int i = 0; i < r->loops; i++) {
        if (sizes[i] == 1 && r->loops > 1)
            continue;
        sizes[result_dim] = sizes[i];
        r->loop_dim[result_dim++] = r->loop_dim[i];
    }
    r->loops = result_dim;
}

static double identity_of(enum op_code code, enum dtype dtype)
{
    bool is_signed = element_is_signed(dtype);
    int bits = dtype == DTYPE_PRED ? 1 : dtype_info(dtype)->bits;
    double power = 1;
    for (int i = 0; i < bits - is_signed; i++)
        power *= 2;
    switch (code) {
    case OP_multiply: return 1;
    case OP_maximum: return dtype_is_float(dtype) ? -__builtin_inf() : is_signed ? -power : 0;
    case OP_minimum: return dtype_is_float(dtype) ? __builtin_inf() : power; /* saturates */
    case OP_and: return is_signed ? -1 : power;
    default: return 0;
    }
}

/* What lanes and blocks begin with: for a known operation its identity, for any other region the
 * initial values, which StableHLO requires to be an identity. */
static const struct element *identity(struct emitter *e, const struct reducer *r,
                                      const struct element *initial)
{
    if (r->code == OP_INVALID_CODE)
        return initial;
    enum dtype dtype = r->op->results[0].type->shape.dtype;
    enum dtype in_register = element_is_small_float(dtype) ? DTYPE_F32 : dtype; /* has infinities */
    struct element *out = ARENA_NEW(e->arena, struct element);
    *out = element_from_double(e, in_register, identity_of(r->code, dtype));
    return out;
}

/* Whether the order of the operations decides about the error of the result. */
static bool rounds(const struct reducer *r)
{
    for (const struct op *op = r->body->first; op != r->body->last; op = op->next)
        if ((op->code == OP_add || op->code == OP_multiply) &&
            (dtype_is_float(op->results[0].type->shape.dtype) ||
             dtype_is_complex(op->results[0].type->shape.dtype)))
            return true;
    return false;
}

/* The initial value of a known operation is combined in at the end. */
static struct error *reduce_vector(struct emitter *e, struct reducer *r, struct reduction *loops,
                                   struct element *out)
{
    const struct element *initial = loops->initial;
    loops->initial = identity(e, r, initial);
    struct row_loop outer = row_loop_begin(e, is_expensive(r));
    TRY(reduction_emit(e, loops, out));
    row_loop_end(e, outer);
    return r->code == OP_INVALID_CODE ? NULL : combine(e, r, out, initial);
}

/* Reduces a row of `size` elements in each lane, in the order of a vector along the row: the upper
 * half of its lanes is combined with the lower until one is left. */
static struct error *reduce_tree(struct emitter *e, struct reducer *r, struct reduction *loops,
                                 int64_t size, struct element *out)
{
    const struct element *initial = loops->initial, *first = identity(e, r, initial);
    size_t count = (size_t)r->count;
    struct element *all = ARENA_ARRAY(e->arena, struct element, (size_t)size * count);
    int64_t half = 1;
    for (int64_t i = 0; i < size; i++) {
        struct affine at = affine_constant(i);
        memcpy(all + (size_t)i * count, first, count * sizeof *all);
        TRY(reduce_step(e, r, &at, all + (size_t)i * count));
    }
    while (half * 2 < size)
        half *= 2;
    for (; half >= 1; half /= 2)
        for (int64_t i = 0; i < half && i + half < size; i++)
            TRY(combine(e, r, all + (size_t)i * count, all + (size_t)(i + half) * count));
    memcpy(out, all, count * sizeof *out);
    for (size_t i = 0; i < count; i++)
        out[i] = element_widen(e, &out[i], loops->lanes);
    return r->code == OP_INVALID_CODE ? NULL : combine(e, r, out, initial);
}

/* Whether a row is so short, and the vector of rows incomplete, that the rows are loaded one by one
 * and transposed in registers: there are too few for vectors across all of them, and gathers take
 * as long for few lanes as for many. */
static bool is_square(const struct emitter *e, const struct reducer *r,
                      const struct reduction *loops, int64_t size)
{
    return e->target->isa.gathers && e->tail && !e->tile && !e->guard && !e->binding &&
           r->loops == 1 && loops->lanes >= SQUARE_MIN && loops->lanes <= SQUARE_LANES &&
           size >= SQUARE_MIN && size <= SQUARE_MAX && size <= loops->lanes &&
           analysis_reduces_innermost(r->op);
}

/* Reduces a row of `size` elements in each lane, in their order, without a loop; of a tile. */
static struct error *reduce_unrolled(struct emitter *e, struct reducer *r,
                                     const struct reduction *loops, int64_t size, bool in_tile,
                                     struct element *out)
{
    struct tile tile = {.rows = (int)size, .depth = e->scope->depth, .unrolled = true};
    for (int i = 0; i < r->count; i++)
        out[i] = element_widen(e, &loops->initial[i], loops->lanes);
    e->tile = in_tile ? &tile : NULL;
    struct error *error = NULL;
    for (; tile.number < size && !error; tile.number++) {
        LLVMValueRef number = emitter_i64(e, tile.number);
        tile.var = emitter_var(e, number, 1, tile.number, tile.number, tile.depth);
        struct affine at = in_tile ? affine_var(tile.var) : affine_constant(tile.number);
        error = reduce_step(e, r, &at, out);
        for (int i = 0; i < r->count && !error; i++)
            out[i] = element_widen(e, &out[i], loops->lanes);
    }
    e->tile = NULL;
    return error;
}

static void choose_row(struct emitter *e, void *context, int lane)
{
    struct reducer *r = context;
    struct index *row = ARENA_NEW(e->arena, struct index);
    side_by_side_index(e, r->lanes, lane, row);
    r->index = row;
}

static struct error *reduce_side_by_side(struct emitter *e, struct reducer *r,
                                         struct reduction *loops, struct element *out)
{
    const struct element *initial = loops->initial;
    loops->initial = identity(e, r, initial);
    r->lanes = r->index;
    TRY(side_by_side_emit(e, loops, choose_row, out));
    return r->code == OP_INVALID_CODE ? NULL : combine(e, r, out, initial);
}

/* ---- chunks: reductions over rows for all vectors of a chunk --------------------------------- */
/* The key of the results for a chunk: the reduce, and the index without the number of the vector.
 * Returns its size; 0: the index depends on the vector in another way than by this number. */
static size_t chunk_key(struct emitter *e, const struct reducer *r, void **key)
{
    const struct {
        char tag[8];
        const struct op *op;
    } start = {"chunk", r->op};
    size_t size = sizeof start, each = sizeof(int64_t) + sizeof(struct affine);
    char *bytes = ARENA_ARRAY(e->arena, char, size + (size_t)r->index->rank * each);
    memcpy(bytes, &start, size);
    for (int i = 0; i < r->index->rank; i++) {
        struct affine rest;
        int64_t coefficient = affine_split(&r->index->at[i], e->chunk->var, &rest);
        if (affine_depth(e, &rest) > e->chunk->depth)
            return 0;
        memcpy(bytes + size, &coefficient, sizeof coefficient);
        size += sizeof coefficient;
        memcpy(bytes + size, &rest, affine_size(&rest));
        size += affine_size(&rest);
    }
    *key = bytes;
    return size;
}

/* Reserves the stack for the results of a chunk; false if they would take too much of it. */
static bool reserve_arrays(struct emitter *e, const struct reduction *loops)
{
    int64_t bytes = 0;
    for (int i = 0; i < loops->count; i++)
        bytes += chunk_array_bytes(e->chunk, loops->dtypes[i], loops->lanes);
    bytes *= reduction_levels(e, loops);
    if (bytes > CHUNK_BYTES - e->chunk_bytes)
        return false;
    e->chunk_bytes += bytes;
    return true;
}

/* Whether the reduction is over rows and its results differ from vector to vector of a chunk. */
static bool is_of_chunk(const struct emitter *e, const struct reducer *r,
                        const struct reduction *loops)
{
    return e->chunk && e->scope->depth > e->chunk->depth && !e->guard && !e->binding && !e->tail &&
           loops->lanes > 1 && r->loops && loops->sizes[r->loops - 1] > 1 &&
           !analysis_reduces_innermost(r->op);
}

/* Emits the reduction for all vectors of the chunk in front of the loop over them, unless that was
 * done for another of its uses. Sets *arrays to NULL if each vector has to be reduced alone. */
static struct error *reduce_chunk(struct emitter *e, struct reducer *r, struct reduction *loops,
                                  struct element **arrays)
{
    void *key;
    *arrays = NULL;
    if (!is_of_chunk(e, r, loops))
        return NULL;
    size_t size = chunk_key(e, r, &key);
    struct scope *scope = emitter_scope(e, e->chunk->depth);
    *arrays = size ? emitter_memo_get(scope, key, size) : NULL;
    if (!size || *arrays || !reserve_arrays(e, loops))
        return NULL;
    *arrays = ARENA_ARRAY(e->arena, struct element, (size_t)r->count);
    r->chunk = loops->chunk = e->chunk;
    struct scope *back = emitter_enter(e, scope);
    TRY(reduction_emit(e, loops, *arrays));
    emitter_leave(e, back);
    emitter_memo_put(scope, key, size, *arrays);
    return NULL;
}

/* The result for one vector, or for a scalar, whose loops are not along its lanes. */
static struct error *reduce_lanes(struct emitter *e, struct reducer *r, struct reduction *loops,
                                  struct element *out)
{
    struct element *arrays;
    TRY(reduce_chunk(e, r, loops, &arrays));
    if (!arrays)
        return reduction_emit(e, loops, out);
    for (int i = 0; i < r->count; i++)
        out[i] = chunk_load(e, loops->dtypes[i], &arrays[i]);
    return NULL;
}

static int region_weight(const struct reducer *r)
{
    int weight = 0;
    for (const struct op *op = r->body->first; op != r->body->last; op = op->next)
        weight++;
    return weight;
}

enum {
    SHORT = 8192, /* elements that are reduced to one in a microsecond, however it is done */
    HIGH = 1000,  /* a weight that makes code short */
    LOOKED_UP_WEIGHT = 256 /* of the elements of a row together */
};

/* The amount of arithmetic of a combination. Compiling a short reduction takes much longer than
 * running it, so its code is that of a heavy one, which has fewer instructions. */
static int combine_weight(const struct reducer *r)
{
    bool is_short = type_elements(r->op->results[0].type) == 1 &&
                    type_elements(r->op->operands[0]->type) <= SHORT;
    return is_short ? HIGH : region_weight(r);
}

/* The amount of arithmetic for an element: of the operands, and of the region. */
static int weight_of(const struct reducer *r)
{
    int weight = region_weight(r);
    for (int i = 0; i < r->count; i++)
        weight += arithmetic_weight(r->op->operands[i]);
    return weight;
}

/* Whether short rows of what is looked up are in the lanes of one register, with so few operations
 * that there is code for each position in them: the strided loads of all positions share what they
 * are shuffled from. */
static bool is_looked_up_row(const struct emitter *e, const struct reducer *r,
                             const struct reduction *loops, int64_t size)
{
    return !e->tail && !e->tile && !e->guard && !e->binding && r->loops == 1 && r->count == 1 &&
           loops->lanes > 1 && loops->lanes * 4 <= e->target->isa.vector_bytes && size > 1 &&
           size <= NEST_SCHEDULE_STRIDE_MOST && weight_of(r) * size <= LOOKED_UP_WEIGHT &&
           analysis_reduces_innermost(r->op) && analysis_looks_up(&r->op->results[0]);
}

/* The loops over `sizes` without their step: the initial values, and how values are combined. */
static struct error *describe_loops(struct emitter *e, struct reducer *r, const int64_t *sizes,
                                    struct reduction *out)
{
    enum dtype *dtypes = ARENA_ARRAY(e->arena, enum dtype, (size_t)r->count);
    struct element *initial = ARENA_ARRAY(e->arena, struct element, (size_t)r->count);
    for (int i = 0; i < r->count; i++)
        dtypes[i] = r->op->results[i].type->shape.dtype;
    TRY(initial_values(e, r, initial));
    *out = (struct reduction){.rank = r->loops,
                              .sizes = sizes,
                              .count = r->count,
                              .dtypes = dtypes,
                              .initial = initial,
                              .identity = rounds(r) ? identity(e, r, initial) : NULL,
                              .lanes = expression_lanes(e, r->index),
                              .combine = combine,
                              .context = r};
    return NULL;
}

struct error *emit_reduce(struct emitter *e, const struct op *op, const struct index *index,
                          struct element *out)
{
    struct reducer *r = ARENA_NEW(e->arena, struct reducer);
    int64_t *sizes = ARENA_ARRAY(e->arena, int64_t, SHAPE_MAX_RANK);
    reducer_init(r, op);
    r->index = index;
    plan_loops(r, sizes);
    drop_units(r, sizes);
    struct reduction loops;
    TRY(describe_loops(e, r, sizes, &loops));
    loops.step = reduce_step;
    loops.combine_weight = combine_weight(r);
    int64_t innermost = r->loops ? sizes[r->loops - 1] : 1;
    struct error *error;
    if (loops.lanes == 1 && innermost >= 4 && analysis_reduces_innermost(op)) {
        reduction_vectorize(e, &loops, loops.dtypes[0], innermost, weight_of(r));
        r->rows = kept_rows_plan(e, op);
        error = reduce_vector(e, r, &loops, out);
        kept_rows_publish(e, &r->rows, op, index);
    } else if (r->loops == 1 && side_by_side_fits(e, op, index)) {
        reduction_vectorize(e, &loops, loops.dtypes[0], innermost, weight_of(r));
        error = reduce_side_by_side(e, r, &loops, out);
    } else if (loops.lanes > 1 && r->loops == 1 && analysis_lane_row(op)) {
        error = reduce_tree(e, r, &loops, innermost, out);
    } else if (e->unrolls_rows || is_looked_up_row(e, r, &loops, innermost)) {
        error = reduce_unrolled(e, r, &loops, innermost, false, out);
    } else if (is_square(e, r, &loops, innermost)) {
        error = reduce_unrolled(e, r, &loops, innermost, true, out);
    } else {
        error = reduce_lanes(e, r, &loops, out);
    }
    return error ? error : finish(e, r, out);
}

/* ---- map ------------------------------------------------------------------------------------- */
struct error *emit_map(struct emitter *e, const struct op *op, const struct index *index,
                       struct element *out)
{
    struct element *in = ARENA_ARRAY(e->arena, struct element, (size_t)op->operand_count);
    for (int i = 0; i < op->operand_count; i++)
        TRY(expression_emit(e, op->operands[i], index, &in[i]));
    return expression_body(e, op->regions[0], in, out);
}

/* ---- reduce_window --------------------------------------------------------------------------- */
/* The operand's element at a window position. Returns the condition that it exists, that is, that
 * it is neither padding nor a dilation gap. */
static LLVMValueRef window_index(struct emitter *e, const struct reducer *r,
                                 const struct affine *at, struct affine *full)
{
    LLVMValueRef inside = NULL;
    for (int i = 0, loop = 0; i < r->index->rank; i++) {
        struct window_axis axis = window_axis_of(r->op, i);
        struct affine first = affine_constant(0);
        const struct affine *position = axis.window != 1 ? &at[loop++] : &first;
        struct window_position window = window_position(e, &axis, &r->index->at[i], position);
        inside = expression_and(e, inside, window.inside);
        full[i] = window.element;
    }
    return inside;
}

static struct error *window_step(struct emitter *e, void *context, const struct affine *at,
                                 struct element *accumulators)
{
    struct reducer *r = context;
    struct affine *full = affine_array(e, r->index->rank);
    struct element *in = ARENA_ARRAY(e->arena, struct element, (size_t)r->count);
    struct element *before = arena_copy(e->arena, accumulators, (size_t)r->count * sizeof *before);
    LLVMValueRef inside = window_index(e, r, at, full);
    struct index index = affine_index(r->index->rank, full);
    for (int i = 0; i < r->count; i++)
        TRY(expression_guarded(e, r->op->operands[i], &index, inside, &in[i]));
    TRY(combine(e, r, accumulators, in));
    struct element condition = inside ? element_of(inside) : in[0];
    for (int i = 0; i < r->count && inside; i++)
        accumulators[i] = element_select(e, &condition, &accumulators[i], &before[i]);
    return NULL;
}

struct error *emit_reduce_window(struct emitter *e, const struct op *op, const struct index *index,
                                 struct element *out)
{
    struct reducer *r = ARENA_NEW(e->arena, struct reducer);
    int64_t *sizes = ARENA_ARRAY(e->arena, int64_t, SHAPE_MAX_RANK);
    reducer_init(r, op);
    r->index = index;
    for (int i = 0; i < index->rank; i++) {
        struct window_axis axis = window_axis_of(op, i);
        if (axis.window != 1)
            sizes[r->loops++] = window_axis_iterations(&axis);
    }
    struct reduction loops;
    TRY(describe_loops(e, r, sizes, &loops));
    loops.step = window_step;
    if (!type_elements(op->operands[0]->type)) {
        memcpy(out, loops.initial, (size_t)r->count * sizeof *out);
        return NULL;
    }
    TRY(reduction_emit(e, &loops, out));
    return finish(e, r, out);
}
