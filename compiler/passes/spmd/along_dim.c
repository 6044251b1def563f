#include "compiler/passes/spmd/along_dim.h"

#include "compiler/passes/rewrite/rewrite.h"

/* `rest` for each dimension, and `at` for `dim`. */
static struct dims numbers(struct builder *b, const struct value *value, int dim, int64_t at,
                           int64_t rest)
{
    int64_t numbers[SHAPE_MAX_RANK];
    for (int i = 0; i < value->type->shape.rank; i++)
        numbers[i] = i == dim ? at : rest;
    return rewrite_dims(b->module, numbers, value->type->shape.rank);
}

const struct type *along_dim_type(struct builder *b, const struct type *type, int dim, int64_t size)
{
    int64_t dims[SHAPE_MAX_RANK];
    for (int i = 0; i < type->shape.rank; i++)
        dims[i] = i == dim ? size : type->shape.dims[i];
    const struct type *plain = type_plain(b->module->arena, type);
    return type_with_dims(b->module->arena, plain, type->shape.rank, dims);
}

struct value *along_dim_slice(struct builder *b, struct value *value, int dim, int64_t first,
                              int64_t size)
{
    const struct shape *shape = &value->type->shape;
    int64_t start[SHAPE_MAX_RANK] = {0}, limit[SHAPE_MAX_RANK];
    if (!first && size == shape->dims[dim])
        return value;
    for (int i = 0; i < shape->rank; i++)
        limit[i] = i == dim ? first + size : shape->dims[i];
    start[dim] = first;
    return build_slice(b, value, start, limit, NULL);
}

/* The start indices of a dynamic operation, from operands[0] on. */
static void put_starts(struct builder *b, const struct value *value, int dim, struct value *start,
                       struct value **operands)
{
    struct value *zero = build_scalar(b, DTYPE_S64, 0);
    for (int i = 0; i < value->type->shape.rank; i++)
        operands[i] = i == dim ? start : zero;
}

struct value *along_dim_take(struct builder *b, struct value *value, int dim, struct value *start,
                             int64_t size)
{
    const struct shape *shape = &value->type->shape;
    struct value *operands[SHAPE_MAX_RANK + 1] = {value};
    int64_t sizes[SHAPE_MAX_RANK];
    if (size == shape->dims[dim])
        return value;
    put_starts(b, value, dim, start, operands + 1);
    for (int i = 0; i < shape->rank; i++)
        sizes[i] = i == dim ? size : shape->dims[i];
    union attrs attrs = {
        .dynamic_slice = {.slice_sizes = rewrite_dims(b->module, sizes, shape->rank)}};
    return build_declared(b, OP_dynamic_slice, shape->rank + 1, operands, NULL, &attrs);
}

struct value *along_dim_update(struct builder *b, struct value *value, int dim,
                               struct value *update, struct value *start)
{
    struct value *operands[SHAPE_MAX_RANK + 2] = {value, update};
    put_starts(b, value, dim, start, operands + 2);
    return build_declared(b, OP_dynamic_update_slice, value->type->shape.rank + 2, operands, NULL,
                          NULL);
}

struct value *along_dim_pad(struct builder *b, struct value *value, int dim, int64_t low,
                            int64_t high, int64_t interior, struct value *fill)
{
    if (!low && !high && !interior)
        return value;
    union attrs attrs = {.pad = {.edge_padding_low = numbers(b, value, dim, low, 0),
                                 .edge_padding_high = numbers(b, value, dim, high, 0),
                                 .interior_padding = numbers(b, value, dim, interior, 0)}};
    struct value *operands[] = {value, fill ? fill : build_scalar(b, value->type->shape.dtype, 0)};
    return build_declared(b, OP_pad, 2, operands, NULL, &attrs);
}

struct value *along_dim_resize(struct builder *b, struct value *value, int dim, int64_t size)
{
    int64_t now = value->type->shape.dims[dim];
    return now > size ? along_dim_slice(b, value, dim, 0, size)
                      : along_dim_pad(b, value, dim, 0, size - now, 0, NULL);
}

struct value *along_dim_concatenate(struct builder *b, int count, struct value *const *values,
                                    int dim)
{
    union attrs attrs = {.dimension = {.dimension = dim}};
    return count == 1 ? values[0] : build_declared(b, OP_concatenate, count, values, NULL, &attrs);
}

static struct value *compare_all(struct builder *b, enum comparison direction, struct value *index,
                                 int64_t with)
{
    return build_compare(b, direction, index, build_splat(b, index->type, (double)with));
}

struct value *along_dim_between(struct builder *b, const struct type *type, int dim,
                                struct value *start, int64_t begin, int64_t end)
{
    struct arena *arena = b->module->arena;
    const struct type *vector =
        type_tensor(arena, DTYPE_S64, 1, (const int64_t[]){type->shape.dims[dim]});
    union attrs attrs = {.iota = {.iota_dimension = 0}};
    struct value *index = build_declared(b, OP_iota, 0, NULL, vector, &attrs);
    index = build_binary(b, OP_add, index, rewrite_broadcast_scalar(b, start, vector));
    struct value *low = begin == INT64_MIN ? NULL : compare_all(b, COMPARE_GE, index, begin);
    struct value *high = end == INT64_MAX ? NULL : compare_all(b, COMPARE_LT, index, end);
    struct value *both = low && high ? build_binary(b, OP_and, low, high) : low ? low : high;
    const struct type *mask = type_with_dtype(arena, type_plain(arena, type), DTYPE_PRED);
    return rewrite_broadcast_vector(b, both, mask, dim);
}
