#include "compiler/passes/canonicalize/canonicalize_shapes.h"

#include <string.h>

#include "compiler/schedule/access.h"
#include "compiler/schedule/concatenation.h"
#include "compiler/analysis/constants.h"
#include "compiler/passes/rewrite/rewrite.h"

static bool is_unchanged(const struct op *op)
{
    return type_same(op->operands[0]->type, op->results[0].type);
}

static struct error *forward(struct module *module, struct op *op, int operand)
{
    return rewrite_with(module, op, op->operands[operand]);
}

/* The operation that defines op's operand 0 if it is of `code`; else NULL. */
static struct op *definition(const struct op *op, enum op_code code)
{
    struct op *def = op->operands[0]->def;
    return def && def->code == code ? def : NULL;
}

static struct error *replace_by_reshape(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    return rewrite_with(module, op,
                        build_declared(&b, OP_reshape, 1, op->operands, op->results[0].type, NULL));
}

/* ---- broadcast, reshape, transpose ----------------------------------------------------------- */

struct error *canonicalize_shapes_broadcast(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    union attrs attrs = {.broadcast_in_dim = {.broadcast_dimensions = rewrite_range(
                                                  module, op->attrs.broadcast.broadcast_sizes.count,
                                                  op->operands[0]->type->shape.rank)}};
    return rewrite_with(
        module, op,
        build_declared(&b, OP_broadcast_in_dim, 1, op->operands, op->results[0].type, &attrs));
}

/* True when `to` is `from` with additional dimensions of size 1; map[i] is the position of
 * dimension i. */
static bool adds_unit_dims(const struct type *from, const struct type *to, int64_t *map)
{
    int i = 0;
    for (int k = 0; k < to->shape.rank; k++) {
        if (i < from->shape.rank && from->shape.dims[i] == to->shape.dims[k])
            map[i++] = k;
        else if (to->shape.dims[k] != 1)
            return false;
    }
    return i == from->shape.rank;
}

/* Merges the operand's definition into op if it is a broadcast or a reshape that adds dimensions of
 * size 1. */
static bool merge_broadcast(struct module *module, struct op *op)
{
    struct op *inner = op->operands[0]->def;
    struct dims outer = op->attrs.broadcast_in_dim.broadcast_dimensions;
    int64_t map[SHAPE_MAX_RANK];
    if (!inner || (inner->code != OP_broadcast_in_dim && inner->code != OP_reshape))
        return false;
    const struct type *from = inner->operands[0]->type;
    if (inner->code == OP_reshape && !adds_unit_dims(from, inner->results[0].type, map))
        return false;
    for (int i = 0; i < from->shape.rank; i++) {
        int64_t middle = inner->code == OP_reshape
                             ? map[i]
                             : inner->attrs.broadcast_in_dim.broadcast_dimensions.at[i];
        map[i] = outer.at[middle];
    }
    op->attrs.broadcast_in_dim.broadcast_dimensions = rewrite_dims(module, map, from->shape.rank);
    ir_set_operand(module, op, 0, inner->operands[0]);
    return true;
}

struct error *canonicalize_shapes_broadcast_in_dim(struct module *module, struct op *op)
{
    while (merge_broadcast(module, op))
        continue;
    struct dims map = op->attrs.broadcast_in_dim.broadcast_dimensions;
    const struct type *from = op->operands[0]->type, *to = op->results[0].type;
    bool ordered = true;
    for (int64_t i = 1; i < map.count; i++)
        ordered &= map.at[i] > map.at[i - 1];
    if (ordered && is_unchanged(op))
        return forward(module, op, 0);
    if (ordered && type_elements(from) == type_elements(to) && type_elements(to) > 0)
        return replace_by_reshape(module, op); /* only dimensions of size 1 are new */
    return NULL;
}

struct error *canonicalize_shapes_reshape(struct module *module, struct op *op)
{
    for (struct op *inner = definition(op, OP_reshape); inner; inner = definition(op, OP_reshape))
        ir_set_operand(module, op, 0, inner->operands[0]);
    return is_unchanged(op) ? forward(module, op, 0) : NULL;
}

struct error *canonicalize_shapes_transpose(struct module *module, struct op *op)
{
    for (struct op *inner = definition(op, OP_transpose); inner;
         inner = definition(op, OP_transpose)) {
        int64_t map[SHAPE_MAX_RANK];
        struct dims outer = op->attrs.transpose.permutation;
        for (int64_t i = 0; i < outer.count; i++)
            map[i] = inner->attrs.transpose.permutation.at[outer.at[i]];
        op->attrs.transpose.permutation = rewrite_dims(module, map, outer.count);
        ir_set_operand(module, op, 0, inner->operands[0]);
    }
    if (rewrite_is_range(op->attrs.transpose.permutation))
        return forward(module, op, 0);
    return access_keeps_order(&op->operands[0]->type->shape, op->attrs.transpose.permutation)
               ? replace_by_reshape(module, op)
               : NULL;
}

/* ---- slices, pad, concatenate, reverse ------------------------------------------------------- */

/* A slice of one operand of a concatenation does not need the others. */
static struct error *slice_piece(struct module *module, struct op *op, const struct op *inner)
{
    struct builder b = rewrite_before(module, op);
    const struct attrs_slice *at = &op->attrs.slice;
    const struct shape *shape = &op->results[0].type->shape;
    int64_t dim = inner->attrs.dimension.dimension, first = at->start_indices.at[dim], before;
    int64_t last = first + (shape->dims[dim] - 1) * at->strides.at[dim];
    struct value *piece = rewrite_piece(inner, first, last, &before);
    int64_t start[SHAPE_MAX_RANK], limit[SHAPE_MAX_RANK];
    if (!piece)
        return NULL;
    memcpy(start, at->start_indices.at, (size_t)shape->rank * sizeof *start);
    memcpy(limit, at->limit_indices.at, (size_t)shape->rank * sizeof *limit);
    start[dim] = first - before;
    limit[dim] = last - before + 1;
    return rewrite_with(module, op, build_slice(&b, piece, start, limit, at->strides.at));
}

struct error *canonicalize_shapes_slice(struct module *module, struct op *op)
{
    if (is_unchanged(op))
        return forward(module, op, 0);
    const struct op *inner = op->operands[0]->def;
    bool cuts = inner && inner->code == OP_concatenate && type_elements(op->results[0].type) > 0;
    return cuts ? slice_piece(module, op, inner) : NULL;
}

struct error *canonicalize_shapes_pad(struct module *module, struct op *op)
{
    const struct attrs_pad *pad = &op->attrs.pad;
    bool nothing = rewrite_is_all(pad->edge_padding_low, 0) &&
                   rewrite_is_all(pad->edge_padding_high, 0) && is_unchanged(op);
    return nothing ? forward(module, op, 0) : NULL;
}

/* A concatenation along the same dimension that only `op` uses; NULL if there is none. */
static const struct op *joined_before(const struct op *op, const struct value *operand)
{
    const struct op *inner = operand->def;
    bool same = inner && inner->code == OP_concatenate && inner->block == op->block &&
                inner->attrs.dimension.dimension == op->attrs.dimension.dimension;
    return same && ir_has_one_use(operand) ? inner : NULL;
}

/* Appends the operands with elements of `op`, those of concatenations among them in their place. */
static void add_parts(const struct op *op, struct value **parts, int *count)
{
    for (int i = 0; i < op->operand_count; i++) {
        const struct op *inner = joined_before(op, op->operands[i]);
        int others = op->operand_count - i - 1;
        bool fits = inner && *count + inner->operand_count + others <= CONCATENATION_OPERANDS;
        for (int k = 0; fits && k < inner->operand_count; k++)
            if (type_elements(inner->operands[k]->type) != 0)
                parts[(*count)++] = inner->operands[k];
        if (!fits && type_elements(op->operands[i]->type) != 0)
            parts[(*count)++] = op->operands[i];
    }
}

/* Removes operands without elements, and takes concatenations among the operands apart. */
struct error *canonicalize_shapes_concatenate(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    size_t most = (size_t)op->operand_count + CONCATENATION_OPERANDS;
    struct value **kept = ARENA_ARRAY(module->arena, struct value *, most);
    int count = 0;
    add_parts(op, kept, &count);
    if (count == 1)
        return rewrite_with(module, op, kept[0]);
    if (count == 0 ||
        (count == op->operand_count && !memcmp(kept, op->operands, (size_t)count * sizeof *kept)))
        return NULL;
    return rewrite_with(
        module, op,
        build_declared(&b, OP_concatenate, count, kept, op->results[0].type, &op->attrs));
}

struct error *canonicalize_shapes_reverse(struct module *module, struct op *op)
{
    struct dims dimensions = op->attrs.dimensions.dimensions;
    for (int64_t i = 0; i < dimensions.count; i++)
        if (op->operands[0]->type->shape.dims[dimensions.at[i]] != 1)
            return NULL;
    return forward(module, op, 0);
}

struct error *canonicalize_shapes_dynamic_slice(struct module *module, struct op *op)
{
    return is_unchanged(op) ? forward(module, op, 0) : NULL; /* the start is clamped to 0 */
}

struct error *canonicalize_shapes_dynamic_update_slice(struct module *module, struct op *op)
{
    const struct type *update = op->operands[1]->type;
    if (type_same(update, op->results[0].type))
        return forward(module, op, 1);
    return type_elements(update) == 0 ? forward(module, op, 0) : NULL;
}

/* ---- gather ---------------------------------------------------------------------------------- */

/* The dimension along which a gather picks, one after the other, slices that its result has along
 * the same dimension; -1 for other gathers. */
static int picked_dim(const struct op *op)
{
    const struct attrs_gather *g = &op->attrs.gather;
    if (g->start_index_map.count != 1 || g->operand_batching_dims.count ||
        op->results[0].type->shape.rank != op->operands[0]->type->shape.rank)
        return -1;
    int dim = (int)g->start_index_map.at[0];
    bool picks = dims_contain(g->collapsed_slice_dims, dim) && !dims_contain(g->offset_dims, dim) &&
                 g->collapsed_slice_dims.count == 1;
    return picks ? dim : -1;
}

/* The first of constant indices that follow each other and are in bounds; -1 of others. */
static int64_t first_index(struct module *module, const struct op *op, int64_t size)
{
    int64_t count;
    const int64_t *at = constants_integers(module, op->operands[1], &count);
    bool is_slice =
        at && constants_are_consecutive(at, count) && at[0] >= 0 && at[0] <= size - count;
    return is_slice ? at[0] : -1;
}

/* The slice that such a gather is; NULL for other gathers. The partitioner and models of
 * accelerators have rules of their own for gathers. */
static struct value *slice_of_gather(struct module *module, const struct op *op)
{
    int dim = module->num_partitions > 1 || module->awaits_model ? -1 : picked_dim(op);
    const struct shape *from = &op->operands[0]->type->shape;
    int64_t first = dim < 0 ? -1 : first_index(module, op, from->dims[dim]);
    int64_t start[SHAPE_MAX_RANK] = {0}, limit[SHAPE_MAX_RANK];
    if (first < 0)
        return NULL;
    start[dim] = first;
    for (int i = 0; i < from->rank; i++)
        limit[i] = start[i] + op->results[0].type->shape.dims[i];
    struct builder b = rewrite_before(module, op);
    return build_slice(&b, op->operands[0], start, limit, NULL);
}

struct error *canonicalize_shapes_gather(struct module *module, struct op *op)
{
    struct value *slice = slice_of_gather(module, op);
    if (slice)
        return rewrite_with(module, op, slice);
    struct op *convert = definition(op, OP_convert);
    struct value *narrow = convert ? convert->operands[0] : NULL;
    enum dtype from = narrow ? narrow->type->shape.dtype : DTYPE_INVALID,
               to = op->results[0].type->shape.dtype;
    if (module->awaits_model || !narrow || !dtype_is_float(from) || !dtype_is_float(to) ||
        dtype_bytes(from) >= dtype_bytes(to))
        return NULL;
    struct builder b = rewrite_before(module, op);
    const struct type *type = type_with_dtype(module->arena, op->results[0].type, from);
    struct value *operands[] = {narrow, op->operands[1]};
    struct value *gathered = build_declared(&b, OP_gather, 2, operands, type, &op->attrs);
    return rewrite_with(module, op, build_convert(&b, gathered, to));
}
