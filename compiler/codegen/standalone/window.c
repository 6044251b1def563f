/* window.c: select_and_scatter, the gradient of pooling. Every window of the operand selects one of
 * its elements, and the source's element is combined into the result at that position. Windows may
 * overlap, so work items are split only along the leading dimensions in which windows are single
 * elements (batch, often features). Lanes along the last dimension select from as many windows at
 * once. If windows are single elements there (features of channels last), these never meet, and are
 * combined at once as well; else one after the other. */
#include "compiler/codegen/loops/window_position.h"
#include "compiler/codegen/standalone/standalone.h"

struct scattering {
    struct kernel *k;
    struct emitter *e;
    const struct op *op;
    const struct type *operand, *source;
    int outer; /* number of leading dimensions that are split into work items */
    int64_t window_count;
    int lanes;          /* of windows that are processed at once */
    bool apart;         /* the windows of all lanes are single elements: they never meet */
    struct affine item; /* the current work item */
    LLVMValueRef result;
};

static int64_t iterations_of(const struct op *op, int dim)
{
    struct window_axis axis = window_axis_of(op, dim);
    return window_axis_iterations(&axis);
}

/* Whether every window of the dimension is the single element at its own position. */
static bool is_outer(const struct op *op, int dim)
{
    struct window_axis axis = window_axis_of(op, dim);
    return axis.window == 1 && axis.stride == 1 && axis.low == 0 &&
           axis.size == op->operands[1]->type->shape.dims[dim];
}

static int outer_dims(const struct op *op)
{
    int n = 0;
    while (n < op->operands[0]->type->shape.rank && is_outer(op, n))
        n++;
    return n;
}

enum { LEAST_LANES = 4, WIDE_LANES = 4 /* bytes of the elements of a whole vector */ };

static int choose_lanes(struct emitter *e, const struct scattering *s)
{
    int last = s->source->shape.rank - 1, lanes = 1;
    if (last < s->outer || s->source->shape.dims[last] < LEAST_LANES ||
        dtype_is_complex(s->operand->shape.dtype))
        return 1;
    while (lanes < e->target->isa.vector_bytes / WIDE_LANES && lanes < s->source->shape.dims[last])
        lanes *= 2;
    return lanes;
}

static int64_t product(const int64_t *sizes, int count)
{
    int64_t result = 1;
    for (int i = 0; i < count; i++)
        result *= sizes[i];
    return result;
}

/* Fills the item's part of the result with the initial value. */
static struct error *fill(struct scattering *s)
{
    struct emitter *e = s->e;
    struct element initial;
    int64_t inner = product(s->operand->shape.dims + s->outer, s->operand->shape.rank - s->outer);
    TRY(expression_scalar(e, s->op->operands[2], &initial));
    struct loop *loop =
        emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, inner), 1, 0, inner - 1, 0, NULL);
    struct affine at = affine_var(loop->var), base = affine_scale(&s->item, inner);
    struct affine offset = affine_add(e, &base, &at);
    element_store(e, s->result, s->operand->shape.dtype, &offset, &initial, false);
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

/* The operand's index of element `w` of the window at `source`. *inside: NULL when it is always in
 * bounds. */
static struct index candidate_index(struct scattering *s, const struct index *source,
                                    const struct affine *w, LLVMValueRef *inside)
{
    struct emitter *e = s->e;
    int rank = s->operand->shape.rank;
    int64_t sizes[SHAPE_MAX_RANK];
    for (int i = 0; i < rank; i++)
        sizes[i] = iterations_of(s->op, i);
    struct index in_window = affine_delinear(e, w, rank, sizes);
    struct affine *at = affine_array(e, rank);
    *inside = NULL;
    for (int i = 0; i < rank; i++) {
        struct window_axis axis = window_axis_of(s->op, i);
        struct window_position position =
            window_position(e, &axis, &source->at[i], &in_window.at[i]);
        *inside = expression_and(e, *inside, position.inside);
        at[i] = position.element;
    }
    return affine_index(rank, at);
}

/* Whether the candidate replaces the selected element: it exists, and either nothing is selected
 * yet or select() is false. */
static struct error *replaces(struct scattering *s, const struct element *selected,
                              LLVMValueRef found, const struct element *candidate,
                              LLVMValueRef inside, LLVMValueRef *out)
{
    struct element keep;
    TRY(expression_body(s->e, s->op->regions[0], (struct element[]){*selected, *candidate}, &keep));
    LLVMValueRef better =
        LLVMBuildNot(s->e->builder, expression_and(s->e, found, keep.part[0]), "");
    *out = expression_and(s->e, inside, better);
    return NULL;
}

static LLVMValueRef offset_of(struct scattering *s, const struct index *index)
{
    struct affine linear = affine_linear(s->e, index, s->operand->shape.dims);
    return s->e->lanes > 1 ? affine_vector(s->e, &linear) : affine_scalar(s->e, &linear);
}

/* Walks one window, or one for each lane. Returns the offset of the selected element and whether
 * there is one. */
static struct error *select_element(struct scattering *s, const struct index *source,
                                    LLVMValueRef *offset, LLVMValueRef *found)
{
    struct emitter *e = s->e;
    struct element none = element_from_double(e, s->operand->shape.dtype, 0), candidate;
    none = element_widen(e, &none, e->lanes);
    bool complex_parts = none.part[1] != NULL;
    LLVMValueRef start[4] = {LLVMConstNull(emitter_vector(e->i64, e->lanes)),
                             LLVMConstNull(emitter_vector(e->i1, e->lanes)), none.part[0],
                             none.part[1]},
                 inside, take;
    LLVMValueRef next[4];
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, s->window_count), 1,
                                           0, s->window_count - 1, complex_parts ? 4 : 3, start);
    struct affine w = affine_var(loop->var);
    struct index index = candidate_index(s, source, &w, &inside);
    TRY(expression_guarded(e, s->op->operands[0], &index, inside, &candidate));
    struct element selected = complex_parts ? element_of_parts(loop->carried[2], loop->carried[3])
                                            : element_of(loop->carried[2]);
    TRY(replaces(s, &selected, loop->carried[1], &candidate, inside, &take));
    struct element condition = element_of(take);
    struct element best = element_select(e, &condition, &candidate, &selected);
    next[0] = LLVMBuildSelect(e->builder, take, offset_of(s, &index), loop->carried[0], "");
    next[1] = LLVMBuildOr(e->builder, loop->carried[1], take, "");
    next[2] = best.part[0], next[3] = best.part[1];
    emitter_loop_end(e, loop, next);
    *offset = next[0], *found = next[1];
    return NULL;
}

/* Combines the source's element into the result at `position`. */
static struct error *combine_at(struct scattering *s, LLVMValueRef position,
                                const struct element *update)
{
    struct emitter *e = s->e;
    struct element before, after;
    int64_t count = type_elements(s->operand);
    struct affine offset =
        affine_var(emitter_var(e, position, e->lanes, 0, count - 1, e->scope->depth));
    before = element_load(e, s->result, s->operand->shape.dtype, &offset, count);
    TRY(expression_body(e, s->op->regions[1], (struct element[]){before, *update}, &after));
    after = element_widen(e, &after, e->lanes);
    element_store(e, s->result, s->operand->shape.dtype, &offset, &after, false);
    return NULL;
}

/* As combine_at() for each lane that has a position (`found`), in the order of the windows. */
static struct error *combine_each(struct scattering *s, LLVMValueRef positions, LLVMValueRef found,
                                  const struct element *updates)
{
    struct emitter *e = s->e;
    int count = emitter_lanes_enabled(e);
    LLVMValueRef none = LLVMConstAllOnes(LLVMTypeOf(positions));
    struct element wide = element_widen(e, updates, e->lanes);
    positions = LLVMBuildSelect(e->builder, found, positions, none, "");
    struct lanes before = emitter_lanes(e, 1);
    struct loop *loop =
        emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, count), 1, 0, count - 1, 0, NULL);
    LLVMValueRef position = LLVMBuildExtractElement(e->builder, positions, loop->i, "");
    struct element update =
        element_of(LLVMBuildExtractElement(e->builder, wide.part[0], loop->i, ""));
    struct branch *branch = emitter_branch_begin(
        e, LLVMBuildICmp(e->builder, LLVMIntSGE, position, emitter_i64(e, 0), ""));
    TRY(combine_at(s, position, &update));
    emitter_branch_end(e, branch, 0, NULL, NULL);
    emitter_loop_end(e, loop, NULL);
    emitter_lanes_restore(e, before);
    return NULL;
}

/* The windows at `source`, one for each lane. */
static struct error *scatter_elements(struct scattering *s, const struct index *source)
{
    struct emitter *e = s->e;
    LLVMValueRef position, found;
    struct element update;
    TRY(select_element(s, source, &position, &found));
    TRY(expression_emit(e, s->op->operands[1], source, &update));
    if (e->lanes > 1 && !s->apart)
        return combine_each(s, position, found, &update);
    if (e->lanes > 1) {
        struct guard guard = emitter_guard(e, found, e->lanes);
        e->guard = &guard;
        struct error *error = combine_at(s, position, &update);
        e->guard = NULL;
        return error;
    }
    struct branch *branch = emitter_branch_begin(e, found);
    TRY(combine_at(s, position, &update));
    emitter_branch_end(e, branch, 0, NULL, NULL);
    return NULL;
}

/* The windows at `at`, whose last dimension is to be set: those from `first` on, one for each
 * lane. */
static struct error *scatter_vector(struct scattering *s, struct affine *at,
                                    const struct affine *first)
{
    struct emitter *e = s->e;
    int rank = s->operand->shape.rank;
    struct affine *all = affine_array(e, rank);
    for (int i = 0; i < rank - 1; i++)
        all[i] = at[i];
    struct affine lane = e->lanes > 1 ? affine_var(e->lane_var) : affine_constant(0);
    all[rank - 1] = affine_add(e, first, &lane);
    struct index index = affine_index(rank, all);
    return scatter_elements(s, &index);
}

/* All windows along the last dimension: whole vectors, then what remains. */
static struct error *scatter_lanes(struct scattering *s, struct affine *at)
{
    struct emitter *e = s->e;
    int64_t size = s->source->shape.dims[s->source->shape.rank - 1], vectors = size / s->lanes;
    struct lanes before;
    if (vectors) {
        before = emitter_lanes(e, s->lanes);
        struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, vectors), 1, 0,
                                               vectors - 1, 0, NULL);
        struct affine number = affine_var(loop->var), first = affine_scale(&number, s->lanes);
        TRY(scatter_vector(s, at, &first));
        emitter_loop_end(e, loop, NULL);
        emitter_lanes_restore(e, before);
    }
    if (size == vectors * s->lanes)
        return NULL;
    struct affine first = affine_constant(vectors * s->lanes);
    before = emitter_tail(e, size - vectors * s->lanes);
    TRY(scatter_vector(s, at, &first));
    emitter_lanes_restore(e, before);
    return NULL;
}

/* Scatters every window of the item. */
static struct error *scatter_item(struct scattering *s)
{
    struct emitter *e = s->e;
    int rank = s->source->shape.rank, inner = rank - s->outer - (s->lanes > 1);
    int64_t windows = product(s->source->shape.dims + s->outer, inner);
    if (!type_elements(s->source))
        return NULL;
    struct loop *loop = emitter_loop_begin(e, emitter_i64(e, 0), emitter_i64(e, windows), 1, 0,
                                           windows - 1, 0, NULL);
    struct affine position = affine_var(loop->var);
    struct index outside = affine_delinear(e, &s->item, s->outer, s->source->shape.dims);
    struct index inside = affine_delinear(e, &position, inner, s->source->shape.dims + s->outer);
    struct affine *at = affine_array(e, rank);
    for (int i = 0; i < s->outer + inner; i++)
        at[i] = i < s->outer ? outside.at[i] : inside.at[i - s->outer];
    struct index index = affine_index(rank, at);
    TRY(s->lanes > 1 ? scatter_lanes(s, at) : scatter_elements(s, &index));
    emitter_loop_end(e, loop, NULL);
    return NULL;
}

struct error *select_and_scatter_emit(struct kernel *k, const struct op *op)
{
    struct scattering s = {.k = k,
                           .e = k->e,
                           .op = op,
                           .operand = op->operands[0]->type,
                           .source = op->operands[1]->type,
                           .outer = outer_dims(op),
                           .window_count = 1};
    k->request->work = 1;
    if (!type_elements(s.operand))
        return NULL;
    for (int i = 0; i < s.operand->shape.rank; i++)
        s.window_count *= iterations_of(op, i);
    s.lanes = choose_lanes(k->e, &s);
    s.apart = s.lanes > 1 && is_outer(op, s.operand->shape.rank - 1);
    int64_t items = product(s.operand->shape.dims, s.outer);
    k->request->work = items;
    s.result = kernel_result(k, 0);
    struct loop *loop = emitter_loop_begin(k->e, k->begin, k->end, 1, 0, items - 1, 0, NULL);
    s.item = affine_var(loop->var);
    TRY(fill(&s));
    TRY(scatter_item(&s));
    emitter_loop_end(k->e, loop, NULL);
    return NULL;
}
