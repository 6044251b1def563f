/* scan.c: reduce_window as a scan. Applies if the window is a whole dimension and enters it from
 * one side, as in cumulative sums: each result is computed from the one before it instead of from
 * its whole window.
 *
 * If the dimension is the innermost, a work item is a row: vectors are scanned in registers with
 * log2(lanes) rounds of shifts, and the carry is combined in. Otherwise, a work item is a vector of
 * adjacent columns that steps along the dimension, with one accumulator per lane.
 *
 * Extremes of floats in rows are computed as integers (scan_order.h).
 *
 * Long sums of floats are scanned in blocks: each begins at zero, and what the blocks before it sum
 * to is added to its results. So the error grows with the square root of the length. */
#include <string.h>

#include "compiler/codegen/element/affine_divide.h"
#include "compiler/codegen/element/shuffle.h"
#include "compiler/codegen/kernels/kinds.h"
#include "compiler/codegen/loops/loops.h"
#include "compiler/codegen/loops/reduction.h"
#include "compiler/codegen/loops/row_fetch.h"
#include "compiler/codegen/standalone/scan_order.h"
#include "compiler/codegen/standalone/standalone.h"

struct scan {
    const struct op *op;
    int count, dim;
    bool backward; /* out[i] covers [i, end] */
    int64_t outer, size, inner;
    enum scan_order order; /* unless it is NONE, elements are integers in place of floats */
    struct element *initial;
    LLVMValueRef *from, *to;
};

struct carry {
    struct element
        *before; /* the result at the end of the block before; NULL: there are no blocks */
    struct element *block; /* the scan of the block so far, or without blocks of all so far */
};

enum {
    LINE = 64,             /* bytes of a cache line */
    BYTES_AHEAD = 4096,    /* of a row, and */
    ROWS_AHEAD = 16,       /* of columns, that are fetched before they are loaded */
    MIN_BLOCKED = 256,     /* steps of a scan of columns from which it is in blocks */
    MIN_BLOCKED_ROW = 128, /* the same of a scan of a row, whose steps are vectors */
};

/* The only dimension with a nontrivial window, if it is a scan; else -1. */
static int scan_dim(const struct op *op, bool *backward)
{
    const struct attrs_window *w = &op->attrs.window;
    const struct type *type = op->operands[0]->type;
    int dim = -1;
    for (int i = 0; i < type->shape.rank; i++) {
        int64_t window = w->window_dimensions.at[i];
        int64_t low = pairs_at(w->padding, i, 0), high = pairs_at(w->padding, i, 1);
        if (dims_at(w->window_strides, i, 1) != 1 || dims_at(w->base_dilations, i, 1) != 1 ||
            dims_at(w->window_dilations, i, 1) != 1)
            return -1;
        if (window == 1 && !low && !high)
            continue;
        bool slides = window == type->shape.dims[i] &&
                      ((low == window - 1 && !high) || (high == window - 1 && !low));
        if (!slides || dim >= 0)
            return -1;
        dim = i;
        *backward = high != 0;
    }
    return dim;
}

/* Applies the region; `a` comes earlier in index order than `b`. */
static struct error *combine(struct emitter *e, const struct scan *s, const struct element *a,
                             const struct element *b, struct element *out)
{
    if (s->order) {
        *out = scan_order_extreme(e, s->order, a, b);
        return NULL;
    }
    struct element *arguments = ARENA_ARRAY(e->arena, struct element, (size_t)s->count * 2);
    for (int i = 0; i < s->count; i++) {
        arguments[i] = s->backward ? b[i] : a[i];
        arguments[s->count + i] = s->backward ? a[i] : b[i];
    }
    return expression_body(e, s->op->regions[0], arguments, out);
}

static enum dtype dtype_of(const struct scan *s, int i)
{
    return s->op->operands[i]->type->shape.dtype;
}

static bool is_large(const struct emitter *e, const struct scan *s, int i)
{
    int64_t elements = s->outer * s->size * s->inner;
    return loops_exceeds_caches(e, (uint64_t)(elements * dtype_bytes(dtype_of(s, i))));
}

/* Whether results are whole cache lines of a large array. */
static bool is_streamed(const struct emitter *e, const struct scan *s, int i)
{
    int64_t element = dtype_bytes(dtype_of(s, i)), row = s->inner > 1 ? s->inner : s->size;
    return !e->tail && row * element % LINE == 0 && e->lanes * element % LINE == 0 &&
           is_large(e, s, i);
}

/* How many elements ahead of a load are fetched: processors do not fetch beyond a page. */
static int64_t elements_ahead(const struct scan *s, int i)
{
    int64_t elements =
        s->inner > 1 ? ROWS_AHEAD * s->inner : BYTES_AHEAD / dtype_bytes(dtype_of(s, i));
    return s->backward ? -elements : elements;
}

static void load(struct emitter *e, const struct scan *s, const struct affine *at,
                 struct element *out)
{
    int64_t count = s->outer * s->size * s->inner;
    for (int i = 0; i < s->count; i++) {
        out[i] = element_load(e, s->from[i], dtype_of(s, i), at, count);
        if (s->order)
            out[i] = scan_order_integers(e, s->order, &out[i]);
        if (is_large(e, s, i))
            row_fetch_ahead(e, dtype_of(s, i), s->from[i], at, elements_ahead(s, i));
    }
}

static void store(struct emitter *e, const struct scan *s, const struct affine *at,
                  const struct element *in)
{
    for (int i = 0; i < s->count; i++) {
        struct element element = s->order ? scan_order_floats(e, s->order, &in[i]) : in[i];
        element_store(e, s->to[i], dtype_of(s, i), at, &element, is_streamed(e, s, i));
    }
}

/* Converts position i, counted from the side where the scan starts, to an index. */
static struct affine from_start(const struct scan *s, const struct affine *i, int64_t width)
{
    struct affine at = *i;
    if (s->backward) {
        at = affine_scale(i, -1);
        at.constant += s->size - width;
    }
    return at;
}

/* ---- steps ----------------------------------------------------------------------------------- */
/* One step: writes the results of position `i`, and updates carry->block. */
typedef struct error *step_function(struct emitter *e, const struct scan *s,
                                    const struct affine *base, const struct affine *i,
                                    const struct carry *carry);

static bool is_float_sum(const struct scan *s)
{
    const struct op *op = s->op->regions[0]->first;
    return s->count == 1 && op->code == OP_add && op->next == s->op->regions[0]->last &&
           op->operands[0] != op->operands[1] && dtype_is_float(dtype_of(s, 0));
}

/* The steps of a block: about the square root of `count`; 0: no blocks. */
static int64_t block_of(const struct scan *s, int64_t count)
{
    int64_t block = 16;
    if (!is_float_sum(s) || count < (s->inner == 1 ? MIN_BLOCKED_ROW : MIN_BLOCKED))
        return 0;
    while (block * block < count)
        block *= 2;
    return block;
}

static struct error *emit_range(struct emitter *e, const struct scan *s, step_function *step,
                                const struct affine *base, LLVMValueRef first, LLVMValueRef end,
                                int64_t count, const struct carry *carry)
{
    LLVMValueRef *values = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)s->count * 2);
    int carried = element_flatten(s->count, carry->block, values);
    struct loop *loop = emitter_loop_begin(e, first, end, 1, 0, count - 1, carried, values);
    element_unflatten(s->count, loop->carried, carry->block);
    struct affine i = affine_var(loop->var);
    TRY(step(e, s, base, &i, carry));
    element_flatten(s->count, carry->block, values);
    emitter_loop_end(e, loop, values);
    element_unflatten(s->count, values, carry->block);
    return NULL;
}

/* Steps 0 to `count`, in blocks. `total`: the initial values, then the result of the last step. */
static struct error *emit_blocks(struct emitter *e, const struct scan *s, step_function *step,
                                 const struct affine *base, int64_t count, int64_t block,
                                 struct element *total)
{
    LLVMValueRef *values = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)s->count * 2);
    int lanes = total->lanes, carried = element_flatten(s->count, total, values);
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, count), block, 0,
                                           count - 1, carried, values);
    element_unflatten(s->count, loop->carried, total);
    LLVMValueRef end = LLVMBuildAdd(e->builder, loop->i, emitter_i64(e, block), "");
    LLVMValueRef inside = LLVMBuildICmp(e->builder, LLVMIntSLT, end, emitter_i64(e, count), "");
    end = LLVMBuildSelect(e->builder, inside, end, emitter_i64(e, count), "");
    enum dtype dtype = element_is_small_float(dtype_of(s, 0)) ? DTYPE_F32 : dtype_of(s, 0);
    struct element of_block = element_from_double(e, dtype, 0);
    of_block = element_widen(e, &of_block, lanes);
    const struct carry carry = {total, &of_block};
    TRY(emit_range(e, s, step, base, loop->i, end, count, &carry));
    TRY(combine(e, s, total, carry.block, total));
    element_flatten(s->count, total, values);
    emitter_loop_end(e, loop, values);
    element_unflatten(s->count, values, total);
    return NULL;
}

static struct error *emit_steps(struct emitter *e, const struct scan *s, step_function *step,
                                const struct affine *base, int64_t count, struct element *total)
{
    int64_t block = block_of(s, count);
    if (block)
        return emit_blocks(e, s, step, base, count, block, total);
    const struct carry carry = {NULL, total};
    return emit_range(e, s, step, base, emitter_i64(e, 0), emitter_i64(e, count), count, &carry);
}

/* What the scan of all steps so far is. */
static struct error *scan_so_far(struct emitter *e, const struct scan *s, const struct carry *carry,
                                 struct element *out)
{
    if (carry->before)
        return combine(e, s, carry->before, carry->block, out);
    memcpy(out, carry->block, (size_t)s->count * sizeof *out);
    return NULL;
}

/* ---- columns --------------------------------------------------------------------------------- */
static struct error *step_column(struct emitter *e, const struct scan *s,
                                 const struct affine *column, const struct affine *i,
                                 const struct carry *carry)
{
    struct element *in = ARENA_ARRAY(e->arena, struct element, (size_t)s->count);
    struct element *out = ARENA_ARRAY(e->arena, struct element, (size_t)s->count);
    struct affine at = from_start(s, i, 1);
    at = affine_scale(&at, s->inner);
    at = affine_add(e, &at, column);
    load(e, s, &at, in);
    TRY(combine(e, s, carry->block, in, carry->block));
    TRY(scan_so_far(e, s, carry, out));
    store(e, s, &at, out);
    return NULL;
}

/* Scans columns along the dimension; `column` is the offset of the first element in each lane. */
static struct error *walk(struct emitter *e, const struct scan *s, const struct affine *column)
{
    struct element *total = ARENA_ARRAY(e->arena, struct element, (size_t)s->count);
    for (int i = 0; i < s->count; i++)
        total[i] = element_widen(e, &s->initial[i], e->lanes);
    return emit_steps(e, s, step_column, column, s->size, total);
}

/* A work item is an outer position and a vector of columns. The last vector of a row may be
 * partial. */
static struct error *columns_item(struct emitter *e, const struct scan *s,
                                  const struct affine *item)
{
    int64_t vectors = (s->inner + e->lanes - 1) / e->lanes, rest = s->inner % e->lanes;
    struct affine outer, vector, lane = affine_constant(0);
    affine_divide(e, item, vectors, &outer, &vector);
    if (e->lanes > 1)
        lane = affine_var(e->lane_var);
    struct affine column = affine_scale(&outer, s->size * s->inner),
                  within = affine_scale(&vector, e->lanes);
    column = affine_add(e, &column, &within);
    column = affine_add(e, &column, &lane);
    if (!rest)
        return walk(e, s, &column);
    LLVMValueRef is_last = LLVMBuildICmp(e->builder, LLVMIntEQ, affine_scalar(e, &vector),
                                         emitter_i64(e, vectors - 1), "");
    for (int last = vectors == 1; last < 2; last++) {
        LLVMValueRef when = last ? is_last : LLVMBuildNot(e->builder, is_last, "");
        struct branch *branch = emitter_branch_begin(e, when);
        e->tail = last ? emitter_first_lanes(e, e->lanes, rest) : NULL;
        TRY(walk(e, s, &column));
        e->tail = NULL;
        emitter_branch_end(e, branch, 0, NULL, NULL);
    }
    return NULL;
}

/* ---- rows ------------------------------------------------------------------------------------ */
/* Lane i gets lane i - by (backward: i + by); lanes without a source get those of `fill`. */
static LLVMValueRef shift_lanes(struct emitter *e, const struct scan *s, LLVMValueRef value, int by,
                                LLVMValueRef fill)
{
    int *from = ARENA_ARRAY(e->arena, int, (size_t)e->lanes);
    for (int i = 0; i < e->lanes; i++) {
        int source = s->backward ? i + by : i - by;
        from[i] = source < 0 || source >= e->lanes ? e->lanes + i : source;
    }
    return shuffle_lanes(e, value, fill, e->lanes, from);
}

/* The lanes that have a source. */
static struct element have_source(struct emitter *e, const struct scan *s, int by)
{
    LLVMValueRef *has = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)e->lanes);
    for (int i = 0; i < e->lanes; i++)
        has[i] = LLVMConstInt(e->i1, s->backward ? i + by < e->lanes : i >= by, false);
    return element_of(LLVMConstVector(has, (unsigned)e->lanes));
}

/* What leaves the lanes of sums and extremes as they are; others are selected. */
static LLVMValueRef identity(const struct scan *s, LLVMTypeRef type)
{
    if (s->order)
        return scan_order_identity(s->order, type);
    return is_float_sum(s) ? LLVMConstReal(type, -0.0) : LLVMGetPoison(type);
}

/* Lanes without a source stay as they are. */
static struct error *scan_lanes(struct emitter *e, const struct scan *s, struct element *v)
{
    struct element *moved = ARENA_ARRAY(e->arena, struct element, (size_t)s->count);
    struct element *sum = ARENA_ARRAY(e->arena, struct element, (size_t)s->count);
    bool has_identity = is_float_sum(s) || s->order;
    for (int by = 1; by < e->lanes; by *= 2) {
        for (int i = 0; i < s->count; i++) {
            moved[i] = v[i];
            for (int part = 0; part < 2 && v[i].part[part]; part++) {
                LLVMValueRef fill = identity(s, LLVMTypeOf(v[i].part[part]));
                moved[i].part[part] = shift_lanes(e, s, v[i].part[part], by, fill);
            }
        }
        TRY(combine(e, s, moved, v, sum));
        struct element condition = have_source(e, s, by);
        for (int i = 0; i < s->count; i++)
            v[i] = has_identity ? sum[i] : element_select(e, &condition, &sum[i], &v[i]);
    }
    return NULL;
}

/* Scans the vector at `at`, combines what came before into it, and its last lane into the carry. */
static struct error *scan_vector(struct emitter *e, const struct scan *s, const struct affine *at,
                                 const struct carry *carry)
{
    struct element *v = ARENA_ARRAY(e->arena, struct element, (size_t)s->count);
    struct element *last = ARENA_ARRAY(e->arena, struct element, (size_t)s->count);
    struct element *so_far = ARENA_ARRAY(e->arena, struct element, (size_t)s->count);
    load(e, s, at, v);
    TRY(scan_lanes(e, s, v));
    for (int i = 0; i < s->count; i++) {
        last[i] = shuffle_element_part(e, &v[i], s->backward ? 0 : e->lanes - 1, 1);
    }
    TRY(scan_so_far(e, s, carry, so_far));
    TRY(combine(e, s, so_far, v, v));
    for (int i = 0; i < s->count; i++)
        v[i] = element_widen(e, &v[i], e->lanes);
    store(e, s, at, v);
    return combine(e, s, carry->block, last, carry->block);
}

static struct error *step_row(struct emitter *e, const struct scan *s, const struct affine *row,
                              const struct affine *i, const struct carry *carry)
{
    struct affine lane = affine_var(e->lane_var), first = affine_scale(i, e->lanes);
    struct affine at = from_start(s, &first, e->lanes);
    at = affine_add(e, &at, row);
    at = affine_add(e, &at, &lane);
    return scan_vector(e, s, &at, carry);
}

static struct error *rows_item(struct emitter *e, const struct scan *s, const struct affine *item)
{
    struct element *total = ARENA_ARRAY(e->arena, struct element, (size_t)s->count);
    int64_t vectors = s->size / e->lanes, rest = s->size % e->lanes;
    struct affine row = affine_scale(item, s->size), lane = affine_var(e->lane_var);
    memcpy(total, s->initial, (size_t)s->count * sizeof *total);
    if (vectors)
        TRY(emit_steps(e, s, step_row, &row, vectors, total));
    if (!rest)
        return NULL;
    /* The remainder is at the end of the row. When scanning backward it is at the start, in the
     * upper lanes of the vector, next to the elements already scanned. */
    struct affine at = affine_offset(&row, s->backward ? rest - e->lanes : vectors * e->lanes);
    at = affine_add(e, &at, &lane);
    LLVMValueRef *mask = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)e->lanes);
    for (int i = 0; i < e->lanes; i++)
        mask[i] = LLVMConstInt(e->i1, s->backward ? i >= e->lanes - rest : i < rest, false);
    e->tail = LLVMConstVector(mask, (unsigned)e->lanes);
    const struct carry carry = {NULL, total};
    struct error *error = scan_vector(e, s, &at, &carry);
    e->tail = NULL;
    return error;
}

/* ---- the kernel ------------------------------------------------------------------------------ */
static void choose_lanes(struct emitter *e, struct scan *s)
{
    int bytes = 4, most, lanes = 1;
    for (int i = 0; i < s->count; i++)
        bytes = dtype_bytes(dtype_real_part(dtype_of(s, i))) > bytes ? 8 : bytes;
    most = e->target->isa.vector_bytes / bytes * (s->inner > 1 ? 4 : 1);
    int64_t size = s->inner > 1 ? s->inner : s->size;
    while (lanes < most && lanes < size)
        lanes *= 2;
    emitter_lanes(e, lanes < 2 && s->inner == 1 ? 2 : lanes);
}

static struct error *emit_items(struct kernel *k, struct scan *s)
{
    struct emitter *e = k->e;
    choose_lanes(e, s);
    int64_t vectors = s->inner > 1 ? (s->inner + e->lanes - 1) / e->lanes : 1;
    int64_t work = s->outer * vectors;
    LLVMValueRef some = LLVMBuildICmp(e->builder, LLVMIntSLT, k->begin, k->end, "");
    struct branch *branch = emitter_branch_begin(e, some);
    struct loop *loop = emitter_loop_begin(e, k->begin, k->end, 1, 0, work - 1, 0, NULL);
    struct affine item = affine_var(loop->var);
    TRY(s->inner > 1 ? columns_item(e, s, &item) : rows_item(e, s, &item));
    emitter_loop_end(e, loop, NULL);
    emitter_branch_end(e, branch, 0, NULL, NULL);
    k->request->work = work;
    return NULL;
}

struct error *scan_emit(struct kernel *k, const struct op *op)
{
    struct emitter *e = k->e;
    struct scan s = {.op = op, .count = op->operand_count / 2, .outer = 1, .inner = 1};
    const struct type *type = op->operands[0]->type;
    s.dim = scan_dim(op, &s.backward);
    bool in_memory =
        s.dim >= 0 && type_elements(type) > 0 && op->result_count == k->fusion->result_count;
    for (int i = 0; i < s.count; i++)
        in_memory &= map_get_pointer(e->buffers, op->operands[i]) != NULL &&
                     k->fusion->regions[0]->last->operands[i] == &op->results[i];
    if (!in_memory)
        return loop_kernel_emit(k);
    s.size = type->shape.dims[s.dim];
    for (int i = 0; i < s.dim; i++)
        s.outer *= type->shape.dims[i];
    for (int i = s.dim + 1; i < type->shape.rank; i++)
        s.inner *= type->shape.dims[i];
    s.order = s.inner == 1 ? scan_order_of(e, op) : SCAN_ORDER_NONE;
    s.initial = ARENA_ARRAY(e->arena, struct element, (size_t)s.count);
    s.from = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)s.count);
    s.to = ARENA_ARRAY(e->arena, LLVMValueRef, (size_t)s.count);
    for (int i = 0; i < s.count; i++) {
        TRY(expression_scalar(e, op->operands[s.count + i], &s.initial[i]));
        if (s.order)
            s.initial[i] = scan_order_integers(e, s.order, &s.initial[i]);
        s.from[i] = map_get_pointer(e->buffers, op->operands[i]);
        s.to[i] = kernel_result(k, i);
    }
    return emit_items(k, &s);
}
