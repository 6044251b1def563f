/* infer_shape.c: type inference of operations that move elements: broadcast, reshape, slices, pad,
 * concatenate ... */
#include <inttypes.h>

#include "compiler/ir/infer.h"
#include "compiler/ir/infer_check.h"

struct error *infer_broadcast_in_dim(struct arena *arena, struct op *op)
{
    TRY(infer_check_tensor(arena, op, 0));
    TRY(infer_check_declared(arena, op, 0));
    const struct type *from = infer_check_type(op, 0), *to = op->results[0].type;
    struct dims map = op->attrs.broadcast_in_dim.broadcast_dimensions;
    TRY(infer_check_list(arena, op, "broadcast_dimensions", map, from->shape.rank, 0,
                         to->shape.rank - 1));
    TRY(infer_check_distinct(arena, op, "broadcast_dimensions", map, to->shape.rank));
    for (int i = 0; i < from->shape.rank; i++)
        if (from->shape.dims[i] != 1 && from->shape.dims[i] != to->shape.dims[map.at[i]])
            return infer_check_bad(arena, op,
                                   "%s cannot be broadcast to %s: size %" PRId64
                                   " of dimension %d maps to size %" PRId64,
                                   type_text(arena, from), type_text(arena, to),
                                   from->shape.dims[i], i, to->shape.dims[map.at[i]]);
    return infer_check_result_dims(arena, op, 0, from->shape.dtype, to->shape.rank, to->shape.dims);
}

struct error *infer_reshape(struct arena *arena, struct op *op)
{
    TRY(infer_check_tensor(arena, op, 0));
    TRY(infer_check_declared(arena, op, 0));
    const struct type *from = infer_check_type(op, 0), *to = op->results[0].type;
    if (from->shape.dtype != to->shape.dtype || type_elements(from) != type_elements(to))
        return infer_check_bad(
            arena, op, "%s cannot be reshaped to %s; element types and counts must be equal",
            type_text(arena, from), type_text(arena, to));
    return NULL;
}

struct error *infer_transpose(struct arena *arena, struct op *op)
{
    TRY(infer_check_tensor(arena, op, 0));
    const struct type *type = infer_check_type(op, 0);
    struct dims permutation = op->attrs.transpose.permutation;
    int64_t dims[SHAPE_MAX_RANK];
    TRY(infer_check_list(arena, op, "permutation", permutation, type->shape.rank, 0,
                         type->shape.rank - 1));
    TRY(infer_check_distinct(arena, op, "permutation", permutation, type->shape.rank));
    for (int i = 0; i < type->shape.rank; i++)
        dims[i] = type->shape.dims[permutation.at[i]];
    return infer_check_result_dims(arena, op, 0, type->shape.dtype, type->shape.rank, dims);
}

struct error *infer_slice(struct arena *arena, struct op *op)
{
    TRY(infer_check_tensor(arena, op, 0));
    const struct type *type = infer_check_type(op, 0);
    struct attrs_slice *slice = &op->attrs.slice;
    int64_t dims[SHAPE_MAX_RANK];
    infer_check_default(arena, &slice->strides, type->shape.rank, 1);
    TRY(infer_check_list(arena, op, "start_indices", slice->start_indices, type->shape.rank, 0,
                         INT64_MAX));
    TRY(infer_check_list(arena, op, "limit_indices", slice->limit_indices, type->shape.rank, 0,
                         INT64_MAX));
    TRY(infer_check_list(arena, op, "strides", slice->strides, type->shape.rank, 1, INT64_MAX));
    for (int i = 0; i < type->shape.rank; i++) {
        int64_t start = slice->start_indices.at[i], limit = slice->limit_indices.at[i];
        int64_t stride = slice->strides.at[i];
        TRY(infer_check_range(arena, op, "limit_indices", limit, 0, type->shape.dims[i]));
        TRY(infer_check_range(arena, op, "start_indices", start, 0, limit));
        dims[i] = limit == start ? 0 : (limit - start - 1) / stride + 1;
    }
    return infer_check_result_dims(arena, op, 0, type->shape.dtype, type->shape.rank, dims);
}

struct error *infer_pad(struct arena *arena, struct op *op)
{
    TRY(infer_check_tensor(arena, op, 0));
    TRY(infer_check_scalar(arena, op, 1, INFER_ANY));
    TRY(infer_check_same_dtype(arena, op, 0, 1));
    const struct type *type = infer_check_type(op, 0);
    struct attrs_pad *pad = &op->attrs.pad;
    const int64_t most = INFER_MAX_SIZE;
    int64_t dims[SHAPE_MAX_RANK];
    infer_check_default(arena, &pad->interior_padding, type->shape.rank, 0);
    TRY(infer_check_list(arena, op, "edge_padding_low", pad->edge_padding_low, type->shape.rank,
                         -most, most));
    TRY(infer_check_list(arena, op, "edge_padding_high", pad->edge_padding_high, type->shape.rank,
                         -most, most));
    TRY(infer_check_list(arena, op, "interior_padding", pad->interior_padding, type->shape.rank, 0,
                         most));
    for (int i = 0; i < type->shape.rank; i++) {
        int64_t holes = type->shape.dims[i] > 1 ? type->shape.dims[i] - 1 : 0;
        int64_t ends = pad->edge_padding_low.at[i] + pad->edge_padding_high.at[i];
        if (__builtin_mul_overflow(holes, pad->interior_padding.at[i], &holes) ||
            __builtin_add_overflow(type->shape.dims[i], holes, &dims[i]) ||
            __builtin_add_overflow(dims[i], ends, &dims[i]) || dims[i] < 0)
            return infer_check_bad(arena, op,
                                   "padding makes the size of dimension %d of %s negative or "
                                   "too large",
                                   i, type_text(arena, type));
    }
    return infer_check_result_dims(arena, op, 0, type->shape.dtype, type->shape.rank, dims);
}

struct error *infer_concatenate(struct arena *arena, struct op *op)
{
    if (op->operand_count == 0)
        return infer_check_bad(arena, op, "has no operands; it must have at least one");
    TRY(infer_check_tensor(arena, op, 0));
    const struct type *first = infer_check_type(op, 0);
    int64_t dims[SHAPE_MAX_RANK], dimension = op->attrs.dimension.dimension;
    TRY(infer_check_range(arena, op, "dimension", dimension, 0, first->shape.rank - 1));
    for (int i = 0; i < first->shape.rank; i++)
        dims[i] = first->shape.dims[i];
    for (int k = 1; k < op->operand_count; k++) {
        TRY(infer_check_tensor(arena, op, k));
        TRY(infer_check_same_dtype(arena, op, 0, k));
        const struct type *type = infer_check_type(op, k);
        bool fits = type->shape.rank == first->shape.rank;
        for (int i = 0; fits && i < first->shape.rank; i++)
            fits = i == dimension || type->shape.dims[i] == first->shape.dims[i];
        if (!fits ||
            __builtin_add_overflow(dims[dimension], type->shape.dims[dimension], &dims[dimension]))
            return infer_check_bad(
                arena, op, "operand %d is %s; it must match %s except in dimension %" PRId64, k,
                type_text(arena, type), type_text(arena, first), dimension);
    }
    return infer_check_result_dims(arena, op, 0, first->shape.dtype, first->shape.rank, dims);
}

/* Operands from `from` on are one scalar integer for each dimension. */
static struct error *check_start_indices(struct arena *arena, const struct op *op, int from,
                                         int rank)
{
    if (op->operand_count != from + rank)
        return infer_check_bad(arena, op, "has %d start indices; it must have %d",
                               op->operand_count - from, rank);
    for (int i = from; i < op->operand_count; i++) {
        TRY(infer_check_scalar(arena, op, i, INFER_INTEGER));
        TRY(infer_check_same_dtype(arena, op, from, i));
    }
    return NULL;
}

struct error *infer_dynamic_slice(struct arena *arena, struct op *op)
{
    if (op->operand_count < 1)
        return infer_check_bad(arena, op, "has no operands");
    TRY(infer_check_tensor(arena, op, 0));
    const struct type *type = infer_check_type(op, 0);
    struct dims sizes = op->attrs.dynamic_slice.slice_sizes;
    TRY(check_start_indices(arena, op, 1, type->shape.rank));
    TRY(infer_check_list(arena, op, "slice_sizes", sizes, type->shape.rank, 0, INT64_MAX));
    for (int i = 0; i < type->shape.rank; i++)
        TRY(infer_check_range(arena, op, "slice_sizes", sizes.at[i], 0, type->shape.dims[i]));
    return infer_check_result_dims(arena, op, 0, type->shape.dtype, type->shape.rank, sizes.at);
}

struct error *infer_dynamic_update_slice(struct arena *arena, struct op *op)
{
    if (op->operand_count < 2)
        return infer_check_bad(arena, op, "has %d operands; it must have at least 2",
                               op->operand_count);
    TRY(infer_check_tensor(arena, op, 0));
    TRY(infer_check_tensor(arena, op, 1));
    TRY(infer_check_same_dtype(arena, op, 0, 1));
    const struct type *type = infer_check_type(op, 0), *update = infer_check_type(op, 1);
    TRY(check_start_indices(arena, op, 2, type->shape.rank));
    bool fits = type->shape.rank == update->shape.rank;
    for (int i = 0; fits && i < type->shape.rank; i++)
        fits = update->shape.dims[i] <= type->shape.dims[i];
    if (!fits)
        return infer_check_bad(arena, op, "the update is %s; it must fit into %s",
                               type_text(arena, update), type_text(arena, type));
    return infer_check_result_dims(arena, op, 0, type->shape.dtype, type->shape.rank,
                                   type->shape.dims);
}

struct error *infer_get_dimension_size(struct arena *arena, struct op *op)
{
    TRY(infer_check_tensor(arena, op, 0));
    TRY(infer_check_range(arena, op, "dimension", op->attrs.dimension.dimension, 0,
                          infer_check_type(op, 0)->shape.rank - 1));
    return infer_check_result_dims(arena, op, 0, DTYPE_S32, 0, NULL);
}
