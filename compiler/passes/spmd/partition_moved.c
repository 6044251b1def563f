#include "compiler/passes/spmd/partition_moved.h"

#include <math.h>

#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/ir/along_dim.h"
#include "compiler/passes/spmd/halo.h"
#include "compiler/passes/spmd/partition_values.h"
#include "compiler/passes/spmd/reshard.h"

/* ---- attributes ------------------------------------------------------------------------------ */
/* Sets entry i of a list, in a copy; an empty list is `count` times `missing`. */
static void set_entry(struct partitioner *p, struct dims *list, int64_t count, int64_t missing,
                      int64_t i, int64_t to)
{
    int64_t size = list->count ? list->count : count;
    int64_t *at = ARENA_ARRAY(p->module->arena, int64_t, (size_t)size);
    for (int64_t k = 0; k < size; k++)
        at[k] = list->count ? list->at[k] : missing;
    at[i] = to;
    *list = (struct dims){size, at};
}

static void set_padding(struct partitioner *p, struct pairs *padding, int64_t count, int64_t i,
                        int64_t low, int64_t high)
{
    struct dims list = {padding->rows * padding->columns, padding->at};
    set_entry(p, &list, 2 * count, 0, 2 * i, low);
    set_entry(p, &list, 2 * count, 0, 2 * i + 1, high);
    *padding = (struct pairs){list.count / 2, 2, list.at};
}

static void set_convolution(struct partitioner *p, struct op *op, const struct operand_range *range,
                            bool dilates)
{
    struct attrs_convolution *c = &op->attrs.convolution;
    int64_t count = c->input_spatial_dimensions.count, i = 0;
    while (c->input_spatial_dimensions.at[i] != range->dim)
        i++;
    set_padding(p, &c->padding, count, i, dilates ? range->low : 0, dilates ? range->high : 0);
    set_entry(p, &c->lhs_dilation, count, 1, i, dilates ? range->dilation : 1);
}

/* Makes the attributes along the range's dimension those of the local operation, which pads and
 * dilates by itself if `dilates`. */
static void set_attributes(struct partitioner *p, struct op *op, const struct operand_range *range,
                           bool dilates)
{
    int rank = op->operands[range->operand]->type->shape.rank, dim = range->dim;
    int64_t low = dilates ? range->low : 0, high = dilates ? range->high : 0,
            dilation = dilates ? range->dilation : 1;
    switch (op->code) {
    case OP_slice:
        set_entry(p, &op->attrs.slice.start_indices, rank, 0, dim, 0);
        set_entry(p, &op->attrs.slice.limit_indices, rank, 0, dim, range->length);
        break;
    case OP_pad:
        set_entry(p, &op->attrs.pad.edge_padding_low, rank, 0, dim, low);
        set_entry(p, &op->attrs.pad.edge_padding_high, rank, 0, dim, high);
        set_entry(p, &op->attrs.pad.interior_padding, rank, 0, dim, dilation - 1);
        break;
    case OP_reduce_window:
        set_padding(p, &op->attrs.window.padding, rank, dim, low, high);
        set_entry(p, &op->attrs.window.base_dilations, rank, 1, dim, dilation);
        break;
    case OP_convolution: set_convolution(p, op, range, dilates); break;
    case OP_select_and_scatter:
        set_padding(p, &op->attrs.select_and_scatter.padding, rank, dim, 0, 0);
        break;
    default: break;
    }
}

/* ---- ranges ---------------------------------------------------------------------------------- */
/* A value that a select_and_scatter selects only if all others are equal to it. */
static struct value *unselected(struct builder *b, const struct op *op)
{
    enum comparison direction = op->regions[0]->first->attrs.compare.comparison_direction;
    bool is_largest = direction == COMPARE_GE || direction == COMPARE_GT;
    return build_scalar(b, op->operands[0]->type->shape.dtype, is_largest ? -INFINITY : INFINITY);
}

/* What positions without an element hold; NULL where there are none that matter. */
static struct value *fill_of(struct builder *b, const struct op *op, int operand)
{
    enum dtype dtype = op->operands[operand]->type->shape.dtype;
    switch (op->code) {
    case OP_pad: return op->operands[1];
    case OP_reduce_window: return op->operands[op->operand_count / 2 + operand];
    case OP_convolution: return build_scalar(b, dtype, 0);
    case OP_select_and_scatter: return operand ? build_scalar(b, dtype, 0) : unselected(b, op);
    default: return NULL;
    }
}

/* The positions themselves, where the operation's own padding and dilation are not those of every
 * partition. */
static struct value *spread(struct partitioner *p, struct builder *b, struct value *value,
                            const struct operand_range *range, struct value *fill)
{
    const struct shard *shard = shard_of(value);
    struct value *spread =
        along_dim_pad(b, value, range->dim, range->low, range->high, range->dilation - 1, fill);
    if (range->shifts)
        spread = along_dim_take(b, spread, range->dim,
                                halo_lookup(p, b, &range->halo.to, range->shifts), range->length);
    if (!shard_of(spread))
        shard_set(p, spread, shard->global, shard->tiling);
    return spread;
}

static void take_range(struct partitioner *p, struct builder *b, struct op *op,
                       const struct operand_range *range)
{
    struct value *fill = fill_of(b, op, range->operand);
    struct value *value = op->operands[range->operand];
    bool dilates = !range->shifts && range->low >= 0 && (range->high >= 0 || op->code == OP_pad);
    value = halo_exchange(p, b, value, range->dim, &range->halo, fill);
    if (!dilates && op->code != OP_select_and_scatter)
        value = spread(p, b, value, range, fill);
    ir_set_operand(p->module, op, range->operand, value);
    set_attributes(p, op, range, dilates);
}

static void take_ranges(struct partitioner *p, struct op *op, const struct operand_ranges *ranges)
{
    struct builder b = rewrite_before(p->module, op);
    for (int i = 0; i < ranges->count; i++)
        take_range(p, &b, op, &ranges->at[i]);
}

/* ---- concatenation --------------------------------------------------------------------------- */
/* Where the operand begins in the result, on each partition relative to its range. */
static struct value *begin_of(struct partitioner *p, struct builder *b,
                              const struct operand_range *range)
{
    return halo_lookup(p, b, &range->halo.to, range->halo.starts);
}

/* The range of a slice's operand that is the range of the slice. */
static struct halo range_before_slice(struct partitioner *p, const struct halo *halo,
                                      const struct shard_slice *slice)
{
    int64_t count = axis_list_size(p->grid, &halo->to);
    int64_t *starts = ARENA_ARRAY(p->module->arena, int64_t, (size_t)count);
    struct halo before = *halo;
    for (int64_t i = 0; i < count; i++)
        starts[i] = halo->starts[i] + slice->start;
    before.whole = shard_of(slice->of)->global->shape.dims[slice->dim];
    before.begin = slice->start;
    before.end = slice->start + halo->whole;
    before.starts = starts;
    return before;
}

/* The range of an operand. What is a slice comes from where it was sliced, so that elements of a
 * rolled value move once. */
static struct value *take_piece(struct partitioner *p, struct builder *b, struct op *op,
                                const struct operand_ranges *ranges, int i, const struct tiling *to)
{
    const struct operand_range *range = &ranges->at[i];
    struct value *operand = op->operands[i];
    const struct shard_slice *slice = shard_of(operand)->slice;
    if (slice && slice->dim == range->dim) {
        const struct tiling *now = shard_of(slice->of)->tiling;
        struct tiling *source = operand_ranges_source(p->arena, ranges, i, now, to);
        struct halo before = range_before_slice(p, &range->halo, slice);
        if (tiling_equal(source, now))
            return halo_exchange(p, b, slice->of, range->dim, &before, NULL);
    }
    to = operand_ranges_source(p->arena, ranges, i, shard_of(operand)->tiling, to);
    return halo_exchange(p, b, reshard(p, b, operand, to), range->dim, &range->halo, NULL);
}

/* Of each element of the ranges, that of the last operand that begins before it. */
static struct value *concatenate(struct partitioner *p, struct op *op,
                                 const struct operand_ranges *ranges,
                                 const struct factor_axes *axes)
{
    struct arena *arena = p->arena;
    struct builder b = rewrite_before(p->module, op);
    struct value *all = NULL;
    for (int i = 0; i < ranges->count; i++) {
        const struct operand_range *range = &ranges->at[i];
        const struct tiling *to = factor_axes_tiling(arena, axes, &axes->rule->operands[i]);
        struct value *piece = take_piece(p, &b, op, ranges, i, to);
        struct value *has_begun =
            i ? along_dim_between(&b, piece->type, range->dim, begin_of(p, &b, range), 0, INT64_MAX)
              : NULL;
        all = i ? build_select(&b, has_begun, piece, all) : piece;
    }
    return all;
}

/* ---- select_and_scatter ---------------------------------------------------------------------- */
/* The operation on the ranges, whose result is as large as that of its operand. */
static struct value *scatter_ranges(struct partitioner *p, struct builder *b, struct op *op)
{
    struct op *local = ir_clone(p->module, op, map_create(p->module->arena));
    const struct type *plain = type_plain(p->module->arena, op->results[0].type);
    const struct shape *shape = &op->operands[0]->type->shape;
    local->results[0].type = type_with_dims(p->module->arena, plain, shape->rank, shape->dims);
    ir_insert_before(b->before, local);
    return &local->results[0];
}

/* The shard of the result: of what the windows that touch it cover, and what they leave out. */
static struct value *cut_results(struct partitioner *p, struct op *op,
                                 const struct operand_ranges *ranges)
{
    struct builder b = rewrite_before(p->module, op);
    struct value *value = scatter_ranges(p, &b, op);
    for (int i = 0; i < ranges->count; i++) {
        const struct operand_range *range = &ranges->at[i];
        if (range->operand)
            continue;
        value = along_dim_pad(&b, value, range->dim, range->low, range->high, 0, op->operands[2]);
        value = along_dim_take(&b, value, range->dim,
                               halo_lookup(p, &b, &range->halo.to, range->shifts), range->length);
    }
    return value;
}

/* ---- slices ---------------------------------------------------------------------------------- */
const struct shard_slice *partition_moved_slice(struct partitioner *p, const struct op *op)
{
    const struct attrs_slice *at = &op->attrs.slice;
    const struct type *whole, *part = op->results[0].type;
    struct shard_slice slice = {.of = op->operands[0], .dim = -1};
    if (op->code != OP_slice || !shard_of(slice.of))
        return NULL;
    whole = shard_of(slice.of)->global;
    for (int i = 0; i < whole->shape.rank; i++) {
        if (whole->shape.dims[i] == part->shape.dims[i])
            continue;
        if (slice.dim >= 0 || (i < at->strides.count && at->strides.at[i] != 1))
            return NULL;
        slice.dim = i, slice.start = at->start_indices.at[i];
    }
    return slice.dim < 0 ? NULL : arena_copy(p->arena, &slice, sizeof slice);
}

/* ---- the whole ------------------------------------------------------------------------------- */
struct value *partition_moved(struct partitioner *p, struct op *op,
                              const struct operand_ranges *ranges, const struct factor_axes *axes)
{
    struct arena *arena = p->arena;
    if (ranges->count && op->code == OP_concatenate)
        return concatenate(p, op, ranges, axes);
    for (int i = 0; i < op->operand_count; i++) {
        const struct tiling *to = factor_axes_tiling(arena, axes, &axes->rule->operands[i]);
        const struct shard *shard = shard_of(op->operands[i]);
        if (shard)
            to = operand_ranges_source(arena, ranges, i, shard->tiling, to);
        partition_operand(p, op, i, to);
    }
    take_ranges(p, op, ranges);
    return ranges->count && op->code == OP_select_and_scatter ? cut_results(p, op, ranges) : NULL;
}
