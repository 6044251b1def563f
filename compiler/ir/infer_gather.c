/* infer_gather.c: type inference of gather and scatter, whose dimension numbers correspond:
 *
 *   gather                        scatter
 *   offset_dims                   update_window_dims
 *   collapsed_slice_dims          inserted_window_dims
 *   operand_batching_dims         input_batching_dims
 *   start_indices_batching_dims   scatter_indices_batching_dims
 *   start_index_map               scatter_dims_to_operand_dims
 */
#include <inttypes.h>

#include "compiler/ir/infer.h"
#include "compiler/ir/infer_check.h"

struct numbers { /* of either operation */
    struct dims window, collapsed, batching, indices_batching, index_map;
    int64_t index_vector_dim;
};

/* The lists contain valid dimensions, each at most once; no dimension is both collapsed and
 * batched. */
static struct error *check_numbers(struct arena *arena, const struct op *op,
                                   const struct numbers *n, const struct type *operand,
                                   const struct type *indices)
{
    TRY(infer_check_range(arena, op, "index_vector_dim", n->index_vector_dim, 0,
                          indices->shape.rank));
    TRY(infer_check_distinct(arena, op, "collapsed dimensions", n->collapsed, operand->shape.rank));
    TRY(infer_check_distinct(arena, op, "batching dimensions", n->batching, operand->shape.rank));
    TRY(infer_check_distinct(arena, op, "indices_batching_dims", n->indices_batching,
                             indices->shape.rank));
    TRY(infer_check_distinct(arena, op, "the index map", n->index_map, operand->shape.rank));
    int64_t length =
        n->index_vector_dim < indices->shape.rank ? indices->shape.dims[n->index_vector_dim] : 1;
    if (n->index_map.count != length)
        return infer_check_bad(arena, op,
                               "the index map has %" PRId64 " entries; index vectors have %" PRId64,
                               n->index_map.count, length);
    if (n->batching.count != n->indices_batching.count)
        return infer_check_bad(arena, op,
                               "there are %" PRId64
                               " batching dimensions of the operand and %" PRId64 " of the indices",
                               n->batching.count, n->indices_batching.count);
    for (int64_t i = 0; i < n->batching.count; i++) {
        int64_t at = n->batching.at[i], in = n->indices_batching.at[i];
        if (dims_contain(n->collapsed, at) || dims_contain(n->index_map, at))
            return infer_check_bad(arena, op,
                                   "dimension %" PRId64 " is batched and collapsed or indexed", at);
        if (in == n->index_vector_dim || operand->shape.dims[at] != indices->shape.dims[in])
            return infer_check_bad(arena, op,
                                   "batching dimension %" PRId64 " of the operand does not match"
                                   " dimension %" PRId64 " of the indices",
                                   at, in);
    }
    if (n->window.count + n->collapsed.count + n->batching.count != operand->shape.rank)
        return infer_check_bad(arena, op,
                               "%" PRId64 " window, %" PRId64 " collapsed and %" PRId64
                               " batching dimensions do not make the operand's rank %d",
                               n->window.count, n->collapsed.count, n->batching.count,
                               operand->shape.rank);
    return NULL;
}

/* The sizes of the indices without the index vector dimension: the batch sizes of a gather's result
 * or a scatter's updates. */
static int batch_sizes(const struct type *indices, int64_t index_vector_dim, int64_t *sizes)
{
    int count = 0;
    for (int i = 0; i < indices->shape.rank; i++)
        if (i != index_vector_dim)
            sizes[count++] = indices->shape.dims[i];
    return count;
}

/* Window dimensions are sorted; infer_gather() and check_update() rely on it. */
static struct error *check_window_dims(struct arena *arena, const struct op *op, struct dims window,
                                       int rank)
{
    TRY(infer_check_range(arena, op, "rank of the result or updates", rank, 0, SHAPE_MAX_RANK));
    TRY(infer_check_distinct(arena, op, "window dimensions", window, rank));
    for (int64_t i = 1; i < window.count; i++)
        if (window.at[i] < window.at[i - 1])
            return infer_check_bad(arena, op, "window dimensions must be sorted");
    return NULL;
}

/* True when operand dimension `dim` is a window dimension (neither collapsed nor batched). */
static bool in_window(const struct numbers *n, int64_t dim)
{
    return !dims_contain(n->collapsed, dim) && !dims_contain(n->batching, dim);
}

/* The result of a gather from an operand without elements must have no elements. */
static struct error *check_empty_operand(struct arena *arena, const struct op *op,
                                         const struct type *operand, int rank, const int64_t *dims)
{
    for (int i = 0; i < rank; i++)
        if (dims[i] == 0)
            return NULL;
    for (int i = 0; i < operand->shape.rank; i++)
        if (operand->shape.dims[i] == 0)
            return ERROR(INVALID_ARGUMENT,
                         "%s: dimension %d of the operand has size 0, but the result has elements",
                         ir_where(arena, op), i);
    return NULL;
}

struct error *infer_gather(struct arena *arena, struct op *op)
{
    TRY(infer_check_tensor(arena, op, 0));
    TRY(infer_check_classes(arena, op, 1, INFER_INTEGER));
    const struct type *operand = infer_check_type(op, 0), *indices = infer_check_type(op, 1);
    const struct attrs_gather *g = &op->attrs.gather;
    const struct numbers n = {g->offset_dims,           g->collapsed_slice_dims,
                              g->operand_batching_dims, g->start_indices_batching_dims,
                              g->start_index_map,       g->index_vector_dim};
    TRY(check_numbers(arena, op, &n, operand, indices));
    TRY(infer_check_list(arena, op, "slice_sizes", g->slice_sizes, operand->shape.rank, 0,
                         INT64_MAX));
    for (int i = 0; i < operand->shape.rank; i++)
        TRY(infer_check_range(
            arena, op, "slice_sizes", g->slice_sizes.at[i],
            in_window(&n, i) || operand->shape.dims[i] == 0 ? 0 : 1,
            in_window(&n, i) || operand->shape.dims[i] == 0 ? operand->shape.dims[i] : 1));
    int64_t batch[SHAPE_MAX_RANK], dims[SHAPE_MAX_RANK];
    int rank = batch_sizes(indices, n.index_vector_dim, batch) + (int)n.window.count;
    TRY(check_window_dims(arena, op, n.window, rank));
    int next_batch = 0, next_window = 0;
    for (int i = 0; i < rank; i++) {
        if (!dims_contain(n.window, i)) {
            dims[i] = batch[next_batch++];
            continue;
        }
        while (!in_window(&n, next_window))
            next_window++;
        dims[i] = g->slice_sizes.at[next_window++];
    }
    TRY(check_empty_operand(arena, op, operand, rank, dims));
    return infer_check_result_dims(arena, op, 0, operand->shape.dtype, rank, dims);
}

/* An update tensor has the batch sizes of the indices and window sizes within the operand. */
static struct error *check_update(struct arena *arena, const struct op *op, const struct numbers *n,
                                  const struct type *operand, const struct type *indices, int which)
{
    TRY(infer_check_tensor(arena, op, which));
    const struct type *update = infer_check_type(op, which);
    int64_t batch[SHAPE_MAX_RANK];
    int rank = batch_sizes(indices, n->index_vector_dim, batch) + (int)n->window.count;
    bool fits = update->shape.rank == rank;
    TRY(check_window_dims(arena, op, n->window, rank));
    for (int i = 0, next_batch = 0, next_window = 0; fits && i < rank; i++) {
        if (!dims_contain(n->window, i)) {
            fits = update->shape.dims[i] == batch[next_batch++];
            continue;
        }
        while (!in_window(n, next_window))
            next_window++;
        fits = update->shape.dims[i] <= operand->shape.dims[next_window++];
    }
    if (!fits)
        return infer_check_bad(arena, op, "the update %s does not fit operand %s and indices %s",
                               type_text(arena, update), type_text(arena, operand),
                               type_text(arena, indices));
    return NULL;
}

/* Operands: N inputs, the indices, N updates; the region has 2 N scalar arguments and returns N
 * scalars. */
struct error *infer_scatter(struct arena *arena, struct op *op)
{
    int count = (op->operand_count - 1) / 2;
    if (op->operand_count < 3 || op->operand_count % 2 == 0)
        return infer_check_bad(arena, op,
                               "has %d operands; it must have N inputs, the indices and N updates",
                               op->operand_count);
    TRY(infer_check_classes(arena, op, count, INFER_INTEGER));
    const struct attrs_scatter *s = &op->attrs.scatter;
    const struct numbers n = {s->update_window_dims,           s->inserted_window_dims,
                              s->input_batching_dims,          s->scatter_indices_batching_dims,
                              s->scatter_dims_to_operand_dims, s->index_vector_dim};
    const struct type *indices = infer_check_type(op, count);
    TRY(infer_check_regions(arena, op, 1));
    for (int i = 0; i < count; i++) {
        TRY(infer_check_tensor(arena, op, i));
        TRY(infer_check_same_shape(arena, op, 0, i));
        const struct type *operand = infer_check_type(op, i);
        if (i == 0)
            TRY(check_numbers(arena, op, &n, operand, indices));
        TRY(check_update(arena, op, &n, operand, indices, count + 1 + i));
        TRY(infer_check_same_shape(arena, op, count + 1, count + 1 + i));
    }
    TRY(infer_check_reducer(arena, op, 0, count, 0));
    TRY(infer_check_reducer(arena, op, 0, count, count + 1));
    for (int i = 0; i < count; i++)
        TRY(infer_check_result_dims(arena, op, i, op->regions[0]->arguments[i].type->shape.dtype,
                                    infer_check_type(op, i)->shape.rank,
                                    infer_check_type(op, i)->shape.dims));
    return op->result_count == count ? NULL
                                     : infer_check_bad(arena, op, "has %d results; it must have %d",
                                                       op->result_count, count);
}
