#include "compiler/passes/spmd/operand_ranges.h"

#include "base/vec.h"
#include "compiler/analysis/window_axis.h"

#define MOST_ELEMENTS (INT64_C(1) << 40) /* of a dimension */

struct maker {
    struct arena *arena;
    const struct device_grid *grid;
    const struct factor_request *request;
    const struct factor_axes *axes;
    VEC(struct operand_range) ranges;
};

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t ceil_divide(int64_t a, int64_t b)
{
    return -floor_divide(-a, b);
}

static int64_t bounded(int64_t at, int64_t limit)
{
    return at < 0 ? 0 : at < limit ? at : limit;
}

/* ---- windows --------------------------------------------------------------------------------- */
/* Elements that move have windows of one element. Sizes are those of whole arrays. */
static struct window_axis window_of(const struct factor_request *request, int i)
{
    const struct op *op = request->op;
    const struct attrs_slice *slice = &op->attrs.slice;
    const struct attrs_pad *pad = &op->attrs.pad;
    if (op->code == OP_slice)
        return (struct window_axis){
            0, 1, dims_at(slice->strides, i, 1), -slice->start_indices.at[i], 1, 1};
    if (op->code == OP_pad)
        return (struct window_axis){
            0, 1, 1, pad->edge_padding_low.at[i], pad->interior_padding.at[i] + 1, 1};
    struct window_axis axis = window_axis_of(op, i);
    if (op->code == OP_convolution)
        axis.window = request->operand_types[1]
                          ->shape.dims[op->attrs.convolution.kernel_spatial_dimensions.at[i]];
    return axis;
}

/* ---- which operations ------------------------------------------------------------------------ */
/* Sizes of which products do not overflow. */
static bool is_moderate(const struct window_axis *w)
{
    return w->window <= INT32_MAX && w->stride <= INT32_MAX && w->window_dilation <= INT32_MAX &&
           w->base_dilation <= INT32_MAX && w->low <= INT32_MAX && w->low >= -MOST_ELEMENTS;
}

static bool has_moderate_windows(const struct factor_request *request)
{
    const struct op *op = request->op;
    bool is_convolution = op->code == OP_convolution, moderate = true;
    int64_t count = is_convolution ? op->attrs.convolution.input_spatial_dimensions.count
                                   : op->results[0].type->shape.rank;
    if (op->code == OP_reverse || op->code == OP_concatenate)
        return true;
    for (int i = 0; i < count; i++) {
        struct window_axis w = window_of(request, i);
        moderate &= is_moderate(&w);
    }
    return moderate;
}

static bool has_elements(const struct type *type)
{
    for (int i = 0; i < type->shape.rank; i++)
        if (!type->shape.dims[i] || type->shape.dims[i] > MOST_ELEMENTS)
            return false;
    return true;
}

/* The region keeps its first argument if that is larger, or if it is smaller. */
static bool is_ordering(const struct block *block)
{
    const struct op *compare = block->first;
    if (!compare || compare->code != OP_compare || compare->next != block->last ||
        block->last->operands[0]->def != compare)
        return false;
    enum comparison direction = compare->attrs.compare.comparison_direction;
    return direction != COMPARE_EQ && direction != COMPARE_NE &&
           compare->operands[0] == &block->arguments[0] &&
           compare->operands[1] == &block->arguments[1];
}

/* A select_and_scatter that adds to the largest or smallest of each window: what is outside of the
 * operand can be a value that is never selected. */
static bool is_pooling(const struct op *op)
{
    enum dtype dtype = op->operands[0]->type->shape.dtype;
    return is_ordering(op->regions[0]) && sharding_rules_is_combiner(op, 1) &&
           op->regions[1]->first->code == OP_add &&
           (dtype == DTYPE_F32 || dtype == DTYPE_F64 || dtype == DTYPE_BF16 || dtype == DTYPE_F16);
}

bool operand_ranges_possible(const struct factor_request *request)
{
    const struct op *op = request->op;
    switch (op->code) {
    case OP_select_and_scatter:
        if (!is_pooling(op))
            return false;
        break;
    case OP_slice:
    case OP_pad:
    case OP_reverse:
    case OP_concatenate:
    case OP_reduce_window:
    case OP_convolution: break;
    default: return false;
    }
    for (int i = 0; i < op->operand_count; i++)
        if (!has_elements(request->operand_types[i]))
            return false;
    return has_elements(request->result_types[0]) && has_moderate_windows(request);
}

/* ---- axes and sizes -------------------------------------------------------------------------- */
static const struct axis_list *axes_of(const struct maker *m, const struct factor_dims *value,
                                       int dim)
{
    static const struct axis_list none;
    const struct factor_dim *factors = &value->dims[dim];
    return factors->count ? &m->axes->factors[factors->at[0]] : &none;
}

static bool is_moved(const struct maker *m, const struct factor_dims *value, int dim)
{
    const struct factor_dim *factors = &value->dims[dim];
    return factors->count == 1 &&
           m->request->rule->factors[factors->at[0]].kind == FACTOR_PERMUTED &&
           axes_of(m, value, dim)->count;
}

/* ---- ranges ---------------------------------------------------------------------------------- */
struct positions { /* range i: `length` positions from scale * i + offset on */
    int64_t scale, offset, length, dilation;
    int64_t *counts; /* how many of each range matter */
};

static int64_t *new_numbers(struct maker *m, const struct axis_list *to)
{
    return ARENA_ARRAY(m->arena, int64_t, (size_t)axis_list_size(m->grid, to));
}

/* Sets starts and counts of the elements at these positions, and where positions begin. */
static void set_elements(struct maker *m, struct operand_range *range,
                         const struct positions *positions, bool same_phase)
{
    int64_t *starts = new_numbers(m, &range->halo.to), *shifts = new_numbers(m, &range->halo.to),
            *counts = positions->counts, dilation = positions->dilation;
    for (int64_t i = 0; i < axis_list_size(m->grid, &range->halo.to); i++) {
        int64_t first = positions->scale * i + positions->offset;
        int64_t last = first + (counts[i] ? counts[i] : 1) - 1;
        starts[i] = same_phase ? ceil_divide(first, dilation) : floor_divide(first, dilation);
        shifts[i] = first - dilation * starts[i];
        int64_t count = floor_divide(last, dilation) - starts[i] + 1;
        counts[i] = counts[i] ? bounded(count, range->halo.size) : 0;
    }
    range->low = same_phase ? -shifts[0] : 0;
    range->shifts = same_phase ? NULL : shifts;
    range->halo.starts = starts;
    range->halo.counts = counts;
}

static void add_range(struct maker *m, int operand, int dim, const struct axis_list *to,
                      const struct positions *positions)
{
    int64_t whole = m->request->operand_types[operand]->shape.dims[dim];
    int64_t dilation = positions->dilation, length = positions->length;
    bool same_phase = positions->scale % dilation == 0;
    int64_t low = same_phase
                      ? ceil_divide(positions->offset, dilation) * dilation - positions->offset
                      : 1 - dilation;
    int64_t size = low < length ? (length - 1 - low) / dilation + 1 : 1;
    int64_t seen = (size - 1) * dilation + 1;
    struct operand_range range = {.operand = operand,
                                  .dim = dim,
                                  .halo = {.to = *to, .whole = whole, .end = whole, .size = size},
                                  .length = length,
                                  .dilation = dilation,
                                  .high = same_phase ? length - low - seen
                                                     : dilation - 1 + length - seen};
    if (!same_phase && range.high < 0)
        range.high = 0;
    set_elements(m, &range, positions, same_phase);
    VEC_PUSH(m->arena, &m->ranges, range);
}

/* How many of the shard's `block` elements of a dimension exist. */
static int64_t *real_counts(struct maker *m, const struct axis_list *axes, int64_t whole,
                            int64_t *block)
{
    int64_t shards = axis_list_size(m->grid, axes), *counts = new_numbers(m, axes);
    *block = ceil_divide(whole, shards);
    for (int64_t i = 0; i < shards; i++)
        counts[i] = bounded(whole - i * *block, *block);
    return counts;
}

/* The positions under the windows of each shard of a result's dimension of `whole` elements. */
static void add_windows(struct maker *m, int operand, int dim, const struct axis_list *to,
                        int64_t whole, const struct window_axis *window)
{
    int64_t block, reach = (window->window - 1) * window->window_dilation + 1;
    int64_t *counts = real_counts(m, to, whole, &block);
    for (int64_t i = 0; i < axis_list_size(m->grid, to); i++)
        counts[i] = counts[i] ? (counts[i] - 1) * window->stride + reach : 0;
    struct positions positions = {.scale = block * window->stride,
                                  .offset = -window->low,
                                  .length = (block - 1) * window->stride + reach,
                                  .dilation = window->base_dilation,
                                  .counts = counts};
    add_range(m, operand, dim, to, &positions);
}

/* ---- operations ------------------------------------------------------------------------------ */
/* The range of shard i, whose end is that of shard 0 of the result, is read backwards. */
static void add_reversed(struct maker *m, int dim, const struct axis_list *to)
{
    int64_t whole = m->request->operand_types[0]->shape.dims[dim], block;
    int64_t *counts = real_counts(m, to, whole, &block);
    for (int64_t i = 0; i < axis_list_size(m->grid, to); i++)
        counts[i] = block; /* what does not exist is before element 0 */
    struct positions positions = {-block, whole - block, block, 1, counts};
    add_range(m, 0, dim, to, &positions);
}

static void add_concatenated(struct maker *m, int dim, const struct axis_list *to)
{
    int64_t offset = 0, block;
    for (int i = 0; i < m->request->op->operand_count; i++) {
        int64_t *counts = real_counts(m, to, m->request->result_types[0]->shape.dims[dim], &block);
        struct positions positions = {block, -offset, block, 1, counts};
        add_range(m, i, dim, to, &positions);
        offset += m->request->operand_types[i]->shape.dims[dim];
    }
}

/* A slice of a sharded dimension that all partitions need. */
static bool is_shared_slice(const struct factor_request *request, int dim)
{
    const struct factor_dim *factors = &request->rule->results[0].dims[dim];
    return request->op->code == OP_slice && factors->count == 1 &&
           request->rule->factors[factors->at[0]].kind == FACTOR_PERMUTED &&
           request->operands[0]->dims[dim].count;
}

/* Shard i of the result needs the windows that touch it: from which element of the source on, how
 * many, and where in what they cover the shard begins. */
struct touching {
    int64_t *firsts, *counts, *begins, most;
};

static struct touching windows_of_shards(struct maker *m, const struct axis_list *to, int64_t whole,
                                         const struct window_axis *w)
{
    int64_t block, *counts = real_counts(m, to, whole, &block);
    struct touching t = {new_numbers(m, to), counts, new_numbers(m, to),
                         (block + w->window - 2) / w->stride + 1};
    for (int64_t i = 0; i < axis_list_size(m->grid, to); i++) {
        int64_t begin = i * block + w->low;
        int64_t last = floor_divide(begin + counts[i] - 1, w->stride);
        t.firsts[i] = ceil_divide(begin - w->window + 1, w->stride);
        t.begins[i] = begin - t.firsts[i] * w->stride;
        counts[i] = counts[i] ? bounded(last - t.firsts[i] + 1, t.most) : 0;
    }
    return t;
}

static void add_scattered(struct maker *m, int dim, const struct axis_list *to)
{
    int64_t whole = m->request->operand_types[0]->shape.dims[dim],
            sources = m->request->operand_types[1]->shape.dims[dim];
    struct window_axis w = window_of(m->request, dim);
    struct touching t = windows_of_shards(m, to, whole, &w);
    int64_t gap = w.stride > w.window ? w.stride - w.window : 0;
    int64_t *starts = new_numbers(m, to), *counts = new_numbers(m, to);
    for (int64_t i = 0; i < axis_list_size(m->grid, to); i++) {
        starts[i] = t.firsts[i] * w.stride - w.low;
        counts[i] = t.counts[i] ? (t.counts[i] - 1) * w.stride + w.window : 0;
        t.begins[i] += gap;
    }
    struct operand_range source = {
        1, dim, {{0}, *to, sources, 0, sources, t.most, t.firsts, t.counts}, t.most, 1, 0, 0, NULL};
    struct operand_range operand = {
        0,
        dim,
        {{0}, *to, whole, 0, whole, (t.most - 1) * w.stride + w.window, starts, counts},
        ceil_divide(whole, axis_list_size(m->grid, to)),
        1,
        gap,
        gap,
        t.begins};
    VEC_PUSH(m->arena, &m->ranges, source);
    VEC_PUSH(m->arena, &m->ranges, operand);
}

static void add_dim(struct maker *m, int dim)
{
    const struct factor_request *request = m->request;
    const struct op *op = request->op;
    const struct axis_list *to = axes_of(m, &request->rule->results[0], dim);
    int inputs = op->code == OP_reduce_window ? op->operand_count / 2 : 1;
    if (!is_moved(m, &request->rule->results[0], dim) && !is_shared_slice(request, dim))
        return;
    if (op->code == OP_reverse) {
        add_reversed(m, dim, to);
        return;
    }
    if (op->code == OP_concatenate) {
        add_concatenated(m, dim, to);
        return;
    }
    if (op->code == OP_select_and_scatter) {
        add_scattered(m, dim, to);
        return;
    }
    struct window_axis window = window_of(request, dim);
    for (int i = 0; i < inputs; i++)
        add_windows(m, i, dim, to, request->result_types[0]->shape.dims[dim], &window);
}

/* ---- convolutions ---------------------------------------------------------------------------- */
/* Each partition has some of the kernel's elements along the dimension, and computes with those
 * positions that they meet. */
static void add_kernel_range(struct maker *m, int i, const struct axis_list *to, int64_t whole)
{
    const struct attrs_convolution *c = &m->request->op->attrs.convolution;
    struct window_axis window = window_of(m->request, i);
    bool reversed = i < c->window_reversal.count && c->window_reversal.at[i];
    int64_t block, *counts = real_counts(m, to, window.window, &block);
    struct positions positions = {
        .scale = block * window.window_dilation * (reversed ? -1 : 1),
        .offset = (reversed ? (window.window - block) * window.window_dilation : 0) - window.low,
        .length = (whole - 1) * window.stride + (block - 1) * window.window_dilation + 1,
        .dilation = window.base_dilation,
        .counts = counts};
    for (int64_t r = 0; r < axis_list_size(m->grid, to); r++)
        counts[r] =
            positions.length; /* even where the kernel is padding: the rest must be finite */
    add_range(m, 0, (int)c->input_spatial_dimensions.at[i], to, &positions);
}

static void add_spatial(struct maker *m, int i)
{
    const struct factor_request *request = m->request;
    const struct attrs_convolution *c = &request->op->attrs.convolution;
    int dim = (int)c->input_spatial_dimensions.at[i], out = (int)c->output_spatial_dimensions.at[i];
    const struct axis_list *kernel =
        axes_of(m, &request->rule->operands[1], (int)c->kernel_spatial_dimensions.at[i]);
    int64_t whole = request->result_types[0]->shape.dims[out];
    struct window_axis window = window_of(request, i);
    if (kernel->count)
        add_kernel_range(m, i, kernel, whole);
    else if (is_moved(m, &request->rule->results[0], out))
        add_windows(m, 0, dim, axes_of(m, &request->rule->results[0], out), whole, &window);
}

void operand_ranges_restrict(const struct factor_request *request, bool possible,
                             struct factor_axes *axes)
{
    const struct attrs_convolution *c = &request->op->attrs.convolution;
    const struct sharding_rule *rule = request->rule;
    if (request->op->code != OP_convolution)
        return;
    for (int64_t i = 0; i < c->kernel_spatial_dimensions.count; i++) {
        const struct factor_dim *kernel =
            &rule->operands[1].dims[c->kernel_spatial_dimensions.at[i]];
        const struct factor_dim *out = &rule->results[0].dims[c->output_spatial_dimensions.at[i]];
        if (!kernel->count || !axes->factors[kernel->at[0]].count)
            continue;
        if (!possible)
            axes->factors[kernel->at[0]].count = 0;
        else if (out->count)
            axes->factors[out->at[0]].count = 0;
    }
}

struct operand_ranges operand_ranges_of(struct arena *arena, const struct device_grid *grid,
                                        const struct factor_request *request,
                                        const struct factor_axes *axes)
{
    struct maker m = {.arena = arena, .grid = grid, .request = request, .axes = axes};
    if (request->op->code == OP_convolution)
        for (int i = 0; i < request->op->attrs.convolution.input_spatial_dimensions.count; i++)
            add_spatial(&m, i);
    else
        for (int dim = 0; dim < request->rule->results[0].rank; dim++)
            add_dim(&m, dim);
    return (struct operand_ranges){(int)m.ranges.count, m.ranges.items};
}

/* ---- where the ranges come from -------------------------------------------------------------- */
/* The axes by which the operand's other dimensions are sharded once their ranges are taken. */
static uint32_t axes_of_others(const struct operand_ranges *ranges, int operand, int dim,
                               const struct tiling *to)
{
    uint32_t axes = 0;
    for (int i = 0; i < to->rank; i++)
        if (i != dim)
            axes |= axis_list_set(&to->dims[i]);
    for (int i = 0; i < ranges->count; i++)
        if (ranges->at[i].operand == operand && ranges->at[i].dim != dim)
            axes |= axis_list_set(&ranges->at[i].halo.to);
    return axes;
}

struct tiling *operand_ranges_source(struct arena *arena, const struct operand_ranges *ranges,
                                     int operand, const struct tiling *now, const struct tiling *to)
{
    struct tiling *source = tiling_copy(arena, to);
    for (int i = 0; i < ranges->count; i++) {
        struct operand_range *range = &ranges->at[i];
        if (range->operand != operand)
            continue;
        uint32_t used = axes_of_others(ranges, operand, range->dim, to);
        bool is_free = !(axis_list_set(&now->dims[range->dim]) & used);
        source->dims[range->dim] = is_free ? now->dims[range->dim] : to->dims[range->dim];
        range->halo.from = source->dims[range->dim];
    }
    return source;
}

double operand_ranges_bytes(struct arena *arena, const struct device_grid *grid,
                            const struct operand_ranges *ranges, int operand,
                            const struct type *type, const struct tiling *source)
{
    const struct type *local = tiling_local_type(arena, grid, source, type);
    double bytes = (double)type_bytes(local), sum = 0;
    struct halo_plan *plan = ARENA_NEW(arena, struct halo_plan);
    for (int i = 0; i < ranges->count; i++) {
        const struct operand_range *range = &ranges->at[i];
        if (range->operand != operand)
            continue;
        double row = bytes / (double)local->shape.dims[range->dim];
        halo_plan(arena, grid, &range->halo, plan);
        sum += plan->elements * row;
        bytes = row * (double)range->halo.size;
    }
    return sum;
}
