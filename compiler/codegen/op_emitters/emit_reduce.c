/* emit_reduce.c: reduce, reduce_window and map: operations that apply a region to elements. */
#include <string.h>

#include "compiler/analysis/reducer.h"
#include "compiler/codegen/element/elementwise.h"
#include "compiler/schedule/analysis.h"
#include "compiler/schedule/arithmetic.h"
#include "compiler/schedule/cached_row.h"
#include "compiler/codegen/loops/chunk.h"
#include "compiler/codegen/loops/reduction.h"
#include "compiler/codegen/loops/row_fetch.h"
#include "compiler/codegen/loops/row_reductions.h"
#include "compiler/codegen/loops/window_position.h"
#include "compiler/codegen/op_emitters/row_cache.h"
#include "compiler/codegen/op_emitters/op_emitters.h"
#include "compiler/schedule/access.h"
#include "compiler/schedule/reduce_schedule.h"

/* A reducer. Operands are inputs, then as many initial values; the region combines as many
 * accumulators with inputs. */
struct reducer {
    const struct op *op;
    int count;
    const struct block *body;
    enum op_code code; /* reducer_of() if it has an identity; else OP_INVALID_CODE */
    const struct index *index;
    const struct index *lanes; /* of rows side by side: of all, while `index` is that of one */
    struct reduce_schedule schedule;
    const struct chunk *chunk; /* whose vectors are reduced together; NULL: one is reduced alone */
    struct row_cache rows;
};

enum { CHUNK_BYTES = 65536 /* of the stack for results of chunks */ };

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
        struct combining before = e->combining;
        e->combining = (struct combining){.unrounded = true, .any_zero = true};
        struct error *error = elementwise_combine(e, r->code, dtype, a, b, a);
        e->combining = before;
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
    for (int i = 0; i < type->shape.rank; i++) {
        struct access access = access_of(r->op, 0, i);
        full[i] = access.kind == ACCESS_LOOP ? affine_constant(0)
                                             : in_vector(e, r, &r->index->at[access.dim]);
    }
    for (int i = 0; i < r->schedule.loops; i++)
        full[r->schedule.axis[i].dim] = at[i];
    struct index index = affine_index(type->shape.rank, full);
    int outer = row_group_begin(e, r->chunk ? &at[r->schedule.loops - 1] : NULL);
    for (int i = 0; i < r->count; i++)
        TRY(expression_emit(e, r->op->operands[i], &index, &in[i]));
    row_group_end(e, outer);
    row_cache_store(e, &r->rows, r->op, &full[type->shape.rank - 1], in);
    return combine(e, r, accumulators, in);
}

static bool is_expensive(const struct reducer *r)
{
    for (int i = 0; i < r->count; i++)
        if (arithmetic_weight(r->op->operands[i]) >= CACHED_ROW_WEIGHT)
            return true;
    return false;
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

/* Reduces a row of `size` elements in each lane, in their order, without a loop. */
static struct error *reduce_unrolled(struct emitter *e, struct reducer *r,
                                     const struct reduction *loops, int64_t size,
                                     struct element *out)
{
    for (int i = 0; i < r->count; i++)
        out[i] = element_widen(e, &loops->initial[i], loops->lanes);
    for (int64_t number = 0; number < size; number++) {
        struct affine at = affine_constant(number);
        TRY(reduce_step(e, r, &at, out));
        for (int i = 0; i < r->count; i++)
            out[i] = element_widen(e, &out[i], loops->lanes);
    }
    return NULL;
}

static void choose_row(struct emitter *e, void *context, int lane)
{
    struct reducer *r = context;
    struct index *row = ARENA_NEW(e->arena, struct index);
    row_reductions_index(e, r->lanes, lane, row);
    r->index = row;
}

static struct error *reduce_side_by_side(struct emitter *e, struct reducer *r,
                                         struct reduction *loops, struct element *out)
{
    const struct element *initial = loops->initial;
    loops->initial = identity(e, r, initial);
    r->lanes = r->index;
    TRY(row_reductions_emit(e, loops, choose_row, out));
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
           loops->lanes > 1 && loops->rank && loops->sizes[loops->rank - 1] > 1 &&
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

/* `rank` loops over `sizes` without their step: the initial values, and how values are combined. */
static struct error *describe_loops(struct emitter *e, struct reducer *r, int rank,
                                    const int64_t *sizes, struct reduction *out)
{
    enum dtype *dtypes = ARENA_ARRAY(e->arena, enum dtype, (size_t)r->count);
    struct element *initial = ARENA_ARRAY(e->arena, struct element, (size_t)r->count);
    for (int i = 0; i < r->count; i++)
        dtypes[i] = r->op->results[i].type->shape.dtype;
    TRY(initial_values(e, r, initial));
    *out = (struct reduction){.rank = rank,
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

static struct reduce_place place_of(struct emitter *e, const struct op *op,
                                    const struct index *index)
{
    return (struct reduce_place){.lanes = expression_lanes(e, index),
                                 .side_by_side = row_reductions_fits(e, op, index),
                                 .unrolls_rows = e->nest && e->nest->schedule.reduces_inner,
                                 .is_tail = e->tail,
                                 .is_nested = e->tile || e->guard || e->binding};
}

static struct error *reduce_row(struct emitter *e, struct reducer *r, struct reduction *loops,
                                struct element *out)
{
    r->rows = row_cache_plan(e, r->op);
    struct error *error = reduce_vector(e, r, loops, out);
    row_cache_publish(e, &r->rows, r->op, r->index);
    return error;
}

static struct error *reduce(struct emitter *e, struct reducer *r, struct reduction *loops,
                            struct element *out)
{
    const struct reduce_schedule *schedule = &r->schedule;
    if (schedule->way == REDUCE_ROW || schedule->way == REDUCE_SIDE_BY_SIDE)
        reduction_vectorize(e, loops, loops->dtypes[0], schedule->innermost, schedule->weight);
    switch (schedule->way) {
    case REDUCE_ROW: return reduce_row(e, r, loops, out);
    case REDUCE_SIDE_BY_SIDE: return reduce_side_by_side(e, r, loops, out);
    case REDUCE_TREE: return reduce_tree(e, r, loops, schedule->innermost, out);
    case REDUCE_UNROLLED: return reduce_unrolled(e, r, loops, schedule->innermost, out);
    case REDUCE_LANES: break;
    }
    return reduce_lanes(e, r, loops, out);
}

struct error *emit_reduce(struct emitter *e, const struct op *op, const struct index *index,
                          struct element *out)
{
    struct reducer *r = ARENA_NEW(e->arena, struct reducer);
    int64_t *sizes = ARENA_ARRAY(e->arena, int64_t, SHAPE_MAX_RANK);
    struct reduce_place place = place_of(e, op, index);
    struct reduction loops;
    reducer_init(r, op);
    r->index = index;
    r->schedule = reduce_schedule(e->target, op, &place);
    for (int i = 0; i < r->schedule.loops; i++)
        sizes[i] = r->schedule.axis[i].size;
    TRY(describe_loops(e, r, r->schedule.loops, sizes, &loops));
    loops.step = reduce_step;
    loops.combine_weight = r->schedule.combine_weight;
    TRY(reduce(e, r, &loops, out));
    return finish(e, r, out);
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
    int rank = 0;
    for (int i = 0; i < index->rank; i++) {
        struct window_axis axis = window_axis_of(op, i);
        if (axis.window != 1)
            sizes[rank++] = window_axis_iterations(&axis);
    }
    struct reduction loops;
    TRY(describe_loops(e, r, rank, sizes, &loops));
    loops.step = window_step;
    if (!type_elements(op->operands[0]->type)) {
        memcpy(out, loops.initial, (size_t)r->count * sizeof *out);
        return NULL;
    }
    TRY(reduction_emit(e, &loops, out));
    return finish(e, r, out);
}
