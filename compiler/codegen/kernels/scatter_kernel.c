/* scatter_kernel.c: see scatter_kernel.h.
 *
 * Updates are applied in order. Indices may repeat, so unless they are declared unique, threads
 * divide only the leading dimensions that keep updates apart anyway, as batches do. Lanes run
 * along the innermost dimension of a window, whose elements are contiguous in the result too; or
 * along the updates' last dimension where that numbers windows: then the indices and updates of a
 * vector are computed together and stored on the stack, from where they are applied one after the
 * other. A window that is not entirely in bounds is skipped entirely. The StableHLO specification
 * would apply the part that is in bounds, but clients rely on skipping (and XLA skips), because it
 * is the transpose of a gather in fill mode. */
#include "compiler/codegen/kernels/scatter_kernel.h"

#include "compiler/analysis/scatter_window.h"
#include "compiler/codegen/loops/loops.h"
#include "compiler/codegen/loops/row_fetch.h"
#include "compiler/schedule/scatter_schedule.h"

/* A vector of elements on the stack, a slot for each part. */
struct staged {
    LLVMValueRef slots[2];
    LLVMTypeRef scalar;
};

struct scatter {
    const struct op *op;
    const struct attrs_scatter *attrs;
    int count; /* number of updated operands */
    const struct type *indices;
    const struct value *updates_of_first; /* operand */
    LLVMValueRef *pointers;
    bool row_checked; /* the branch around a row has decided whether its window is in bounds */
    /* While the lanes of a vector are applied: its staged index components, updates, and the number
     * of the lane. NULL: they are computed. */
    struct staged *components, *updates;
    LLVMValueRef lane;
};

static const struct type *operand_type(const struct scatter *s)
{
    return s->op->operands[0]->type;
}

static const struct type *update_type(const struct scatter *s)
{
    return s->updates_of_first->type;
}

/* The size of an operand's dimension in a window. */
static int64_t window_size(const struct scatter *s, int dim)
{
    int window_dim = 0;
    if (!scatter_window_has_dim(s->op, dim))
        return 1;
    for (int i = 0; i < dim; i++)
        window_dim += scatter_window_has_dim(s->op, i);
    return update_type(s)->shape.dims[s->attrs->update_window_dims.at[window_dim]];
}

/* Whether an index is in [0, limit): i1, or NULL when it always is. Negative numbers are large
 * unsigned ones. */
static LLVMValueRef is_inside(struct emitter *e, LLVMValueRef index, bool is_signed, int64_t limit)
{
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(index)) - is_signed;
    bool is_beyond = bits < 63 && limit >= INT64_C(1) << bits; /* of all values of the type */
    if (is_beyond && !is_signed)
        return NULL;
    LLVMValueRef end = emitter_int_like(LLVMTypeOf(index), is_beyond ? INT64_C(1) << bits : limit);
    return LLVMBuildICmp(e->builder, LLVMIntULT, index, end, "");
}

/* Booleans are staged as bytes. */
static struct staged stage(struct emitter *e, const struct element *element)
{
    struct element wide = element_widen(e, element, e->lanes);
    struct staged staged = {{NULL, NULL}, NULL};
    for (int i = 0; i < 2 && wide.part[i]; i++) {
        LLVMValueRef part = wide.part[i];
        if (LLVMGetElementType(LLVMTypeOf(part)) == e->i1)
            part = LLVMBuildZExt(e->builder, part, emitter_vector(e->i8, e->lanes), "");
        staged.scalar = LLVMGetElementType(LLVMTypeOf(part));
        staged.slots[i] = emitter_alloca(e, LLVMTypeOf(part), 64);
        LLVMBuildStore(e->builder, part, staged.slots[i]);
    }
    return staged;
}

static struct element staged_element(struct emitter *e, const struct staged *staged,
                                     LLVMValueRef lane, enum dtype dtype)
{
    struct element element = {{NULL, NULL}, 1};
    for (int i = 0; i < 2 && staged->slots[i]; i++) {
        LLVMValueRef at = emitter_at(e, staged->scalar, staged->slots[i], lane);
        element.part[i] = LLVMBuildLoad2(e->builder, staged->scalar, at, "");
        if (dtype == DTYPE_PRED)
            element.part[i] = LLVMBuildTrunc(e->builder, element.part[i], e->i1, "");
    }
    return element;
}

/* Component `component` of the index vector of updates at `batch`. *depth: of the scope that
 * computes it. */
static struct error *index_component(struct emitter *e, const struct scatter *s,
                                     const struct affine *batch, int component, int *depth,
                                     struct element *out)
{
    if (s->components) {
        *depth = e->scope->depth;
        *out = staged_element(e, &s->components[component], s->lane, s->indices->shape.dtype);
        return NULL;
    }
    struct affine *at = affine_array(e, s->indices->shape.rank);
    for (int i = 0, from = 0; i < s->indices->shape.rank; i++)
        at[i] = i == (int)s->attrs->index_vector_dim ? affine_constant(component) : batch[from++];
    struct index index = affine_index(s->indices->shape.rank, at);
    *depth = affine_index_depth(e, &index);
    return expression_emit(e, s->op->operands[s->count], &index, out);
}

/* Component `component` of the position that update index `batch` is written to, as a variable. It
 * is used only where the window is in bounds in this dimension, the condition of which is added to
 * *inside. */
static struct error *read_index(struct emitter *e, const struct scatter *s,
                                const struct affine *batch, int component, struct affine *start,
                                LLVMValueRef *inside)
{
    int dim = (int)s->attrs->scatter_dims_to_operand_dims.at[component], depth;
    int64_t limit = operand_type(s)->shape.dims[dim] - window_size(s, dim) + 1;
    bool is_signed = element_is_signed(s->indices->shape.dtype);
    struct element element;
    TRY(index_component(e, s, batch, component, &depth, &element));
    limit = limit > 0 ? limit : 0;
    struct scope *back = emitter_enter(e, emitter_scope(e, depth));
    LLVMValueRef wide = LLVMBuildZExt(e->builder, element.part[0], e->i64, "");
    LLVMValueRef condition = is_inside(e, element.part[0], is_signed, limit);
    emitter_leave(e, back);
    *start = affine_var(emitter_var(e, wide, 1, 0, limit ? limit - 1 : 0, depth));
    *inside = expression_and(e, *inside, condition);
    return NULL;
}

/* The components of an index of the updates that number windows. Returns how many there are. */
static int batch_of(const struct scatter *s, const struct index *index, struct affine *batch)
{
    int count = 0;
    for (int i = 0; i < index->rank; i++)
        if (!dims_contain(s->attrs->update_window_dims, i))
            batch[count++] = index->at[i];
    return count;
}

/* The index in the operand of an element of the updates. *inside: i1, or NULL when it is always in
 * bounds. */
static struct error *target_index(struct emitter *e, const struct scatter *s,
                                  const struct index *index, struct affine *at,
                                  LLVMValueRef *inside)
{
    const struct attrs_scatter *attrs = s->attrs;
    struct affine batch[SHAPE_MAX_RANK];
    batch_of(s, index, batch);
    for (int i = 0, window = 0; i < operand_type(s)->shape.rank; i++)
        at[i] = scatter_window_has_dim(s->op, i) ? index->at[attrs->update_window_dims.at[window++]]
                                                 : affine_constant(0);
    for (int64_t i = 0; i < attrs->input_batching_dims.count; i++) {
        int64_t dim = attrs->scatter_indices_batching_dims.at[i];
        at[attrs->input_batching_dims.at[i]] = batch[dim - (dim > attrs->index_vector_dim)];
    }
    for (int64_t i = 0; i < attrs->scatter_dims_to_operand_dims.count; i++) {
        struct affine start, *to = &at[attrs->scatter_dims_to_operand_dims.at[i]];
        TRY(read_index(e, s, batch, (int)i, &start, inside));
        *to = affine_add(e, to, &start);
    }
    return NULL;
}

/* A region of one operation, like maximum, leaves open which of two zeros is the result. */
static struct error *combine(struct emitter *e, const struct scatter *s,
                             const struct element *arguments, struct element *results)
{
    const struct block *body = s->op->regions[0];
    bool before = e->combining.any_zero;
    e->combining.any_zero = before || (body->first && body->first->next == body->last);
    struct error *error = expression_body(e, body, arguments, results);
    e->combining.any_zero = before;
    return error;
}

/* result[at] = body(result[at], update) */
static struct error *write_update(struct emitter *e, const struct scatter *s,
                                  const struct affine *offset, const struct element *updates)
{
    struct element *arguments = ARENA_ARRAY(e->arena, struct element, (size_t)s->count * 2);
    struct element *results = ARENA_ARRAY(e->arena, struct element, (size_t)s->count);
    int64_t elements = type_elements(operand_type(s));
    for (int i = 0; i < s->count; i++) {
        arguments[i] = element_load(e, s->pointers[i], s->op->operands[i]->type->shape.dtype,
                                    offset, elements);
        arguments[s->count + i] = updates[i];
    }
    TRY(combine(e, s, arguments, results));
    for (int i = 0; i < s->count; i++)
        element_store(e, s->pointers[i], s->op->operands[i]->type->shape.dtype, offset, &results[i],
                      false);
    return NULL;
}

static struct error *update_element(struct emitter *e, const struct scatter *s,
                                    const struct index *index, int i, struct element *out)
{
    const struct value *updates = s->op->operands[s->count + 1 + i];
    struct error *error = NULL;
    bool before = row_fetch_stream(e);
    if (s->updates)
        *out = staged_element(e, &s->updates[i], s->lane, updates->type->shape.dtype);
    else
        error = expression_emit(e, updates, index, out);
    e->rows.streams = before;
    return error;
}

static struct error *visit(struct emitter *e, void *context, const struct index *index)
{
    const struct scatter *s = context;
    const struct type *to = operand_type(s);
    struct affine *at = affine_array(e, to->shape.rank);
    struct element *updates = ARENA_ARRAY(e->arena, struct element, (size_t)s->count);
    LLVMValueRef inside = NULL;
    TRY(target_index(e, s, index, at, &inside));
    for (int i = 0; i < s->count; i++)
        TRY(update_element(e, s, index, i, &updates[i]));
    struct index target = affine_index(to->shape.rank, at);
    struct affine offset = affine_linear(e, &target, to->shape.dims);
    if (!inside || s->row_checked)
        return write_update(e, s, &offset, updates);
    struct branch *branch = emitter_branch_begin(e, inside);
    TRY(write_update(e, s, &offset, updates));
    emitter_branch_end(e, branch, 0, NULL, NULL);
    return NULL;
}

/* Whether the window that the elements of a row are in is in bounds. */
static struct error *visits_row(struct emitter *e, void *context, const struct index *index,
                                LLVMValueRef *condition)
{
    const struct scatter *s = context;
    struct affine *at = affine_array(e, operand_type(s)->shape.rank);
    return target_index(e, s, index, at, condition);
}

/* Computes the index components and updates of all lanes. */
static struct error *stage_lanes(struct emitter *e, const struct scatter *s,
                                 const struct index *index, struct staged *components,
                                 struct staged *updates)
{
    struct affine batch[SHAPE_MAX_RANK];
    struct element element;
    int depth;
    batch_of(s, index, batch);
    for (int i = 0; i < s->attrs->scatter_dims_to_operand_dims.count; i++) {
        TRY(index_component(e, s, batch, i, &depth, &element));
        components[i] = stage(e, &element);
    }
    for (int i = 0; i < s->count; i++) {
        TRY(update_element(e, s, index, i, &element));
        updates[i] = stage(e, &element);
    }
    return NULL;
}

/* Applies the updates of the lanes, which number windows, one after the other. */
static struct error *visit_lanes(struct emitter *e, void *context, const struct index *index)
{
    struct scatter s = *(const struct scatter *)context;
    if (e->lanes == 1)
        return visit(e, &s, index);
    int last = index->rank - 1, count = emitter_lanes_enabled(e);
    size_t components = (size_t)s.attrs->scatter_dims_to_operand_dims.count;
    struct staged *indices = ARENA_ARRAY(e->arena, struct staged, components + 1);
    struct staged *updates = ARENA_ARRAY(e->arena, struct staged, (size_t)s.count);
    TRY(stage_lanes(e, &s, index, indices, updates));
    s.components = indices;
    s.updates = updates;
    struct affine *at = arena_copy(e->arena, index->at, (size_t)index->rank * sizeof *at);
    struct affine lane = affine_var(e->lane_var), back = affine_scale(&lane, -1);
    at[last] = affine_add(e, &at[last], &back);
    struct lanes before = emitter_lanes(e, 1);
    struct loop *loop =
        emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, count), 1, 0, count - 1, 0, NULL);
    lane = affine_var(loop->var);
    at[last] = affine_add(e, &at[last], &lane);
    s.lane = loop->i;
    struct index one = affine_index(index->rank, at);
    TRY(visit(e, &s, &one));
    emitter_loop_end(e, loop, NULL);
    emitter_lanes_restore(e, before);
    return NULL;
}

/* A pointer stays NULL if the kernel does not have that result. */
static struct scatter describe(struct kernel *k, const struct op *op)
{
    const struct op *end = k->fusion->regions[0]->last;
    struct scatter s = {
        .op = op, .attrs = &op->attrs.scatter, .count = (op->operand_count - 1) / 2};
    s.indices = op->operands[s.count]->type;
    s.updates_of_first = op->operands[s.count + 1];
    s.pointers = ARENA_ARRAY(k->e->arena, LLVMValueRef, (size_t)s.count);
    for (int i = 0; i < end->operand_count; i++)
        if (end->operands[i]->def == op)
            s.pointers[end->operands[i]->index] = kernel_result(k, i);
    return s;
}

/* The loops over the elements of the updates. */
static struct loops loops_of(struct scatter *s, const struct scatter_schedule *schedule)
{
    s->row_checked = schedule->rows_in_windows;
    return (struct loops){.nest = schedule->nest,
                          .visit = schedule->numbers_windows ? visit_lanes : visit,
                          .visits_row = schedule->rows_in_windows ? visits_row : NULL,
                          .context = s};
}

struct error *scatter_kernel_emit(struct kernel *k, const struct op *op, int64_t *work)
{
    struct emitter *e = k->e;
    struct scatter s = describe(k, op);
    *work = 0;
    for (int i = 0; i < s.count; i++)
        if (!s.pointers[i])
            return emitter_unimplemented(e, op, "an update of only some results in place");
    if (!type_elements(operand_type(&s)))
        return NULL;
    bool is_alone = k->fusion->result_count == s.count;
    struct scatter_schedule schedule = scatter_schedule(e->target, op, is_alone);
    struct loops loops = loops_of(&s, &schedule);
    bool parallel = is_alone && (s.attrs->unique_indices || loops.nest.in_order);
    *work = parallel ? loops.nest.schedule.work : 1;
    return loops_emit(e, &loops, 1, parallel ? k->begin : emitter_i64(e, 0),
                      parallel ? k->end : emitter_i64(e, loops.nest.schedule.work));
}
