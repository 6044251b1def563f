#include "compiler/ir/along_dim.h"

/* Writes the sizes of a value, with another one of the dimension. */
static void sizes_with(const struct type *type, int dim, int64_t size, int64_t *sizes)
{
    for (int i = 0; i < type->shape.rank; i++)
        sizes[i] = i == dim ? size : type->shape.dims[i];
}

const struct type *along_dim_type(struct builder *b, const struct type *type, int dim, int64_t size)
{
    int64_t dims[SHAPE_MAX_RANK];
    sizes_with(type, dim, size, dims);
    const struct type *plain = type_plain(b->module->arena, type);
    return type_with_dims(b->module->arena, plain, type->shape.rank, dims);
}

struct value *along_dim_slice(struct builder *b, struct value *value, int dim, int64_t first,
                              int64_t size)
{
    int64_t start[SHAPE_MAX_RANK] = {0}, limit[SHAPE_MAX_RANK];
    if (!first && size == value->type->shape.dims[dim])
        return value;
    sizes_with(value->type, dim, first + size, limit);
    start[dim] = first;
    return build_slice(b, value, start, limit, NULL);
}

/* A value with one element along a dimension, without that. */
static struct value *without_dim(struct builder *b, struct value *value, int dim)
{
    const struct shape *shape = &value->type->shape;
    int64_t rest[SHAPE_MAX_RANK];
    int count = 0;
    for (int i = 0; i < shape->rank; i++)
        if (i != dim)
            rest[count++] = shape->dims[i];
    return build_reshape(b, value, count, rest);
}

struct value *along_dim_element(struct builder *b, struct value *value, int dim, int64_t index)
{
    return without_dim(b, along_dim_slice(b, value, dim, index, 1), dim);
}

/* The start indices of an operation that moves along one dimension. */
static void put_starts(struct builder *b, const struct value *value, int dim, struct value *start,
                       struct value **starts)
{
    int rank = value->type->shape.rank;
    struct value *zero = rank > 1 ? build_scalar(b, start->type->shape.dtype, 0) : NULL;
    for (int i = 0; i < rank; i++)
        starts[i] = i == dim ? start : zero;
}

struct value *along_dim_take(struct builder *b, struct value *value, int dim, struct value *start,
                             int64_t size)
{
    struct value *starts[SHAPE_MAX_RANK];
    int64_t sizes[SHAPE_MAX_RANK];
    if (size == value->type->shape.dims[dim])
        return value;
    put_starts(b, value, dim, start, starts);
    sizes_with(value->type, dim, size, sizes);
    return build_dynamic_slice(b, value, starts, sizes);
}

struct value *along_dim_take_one(struct builder *b, struct value *value, int dim,
                                 struct value *start)
{
    return without_dim(b, along_dim_take(b, value, dim, start, 1), dim);
}

struct value *along_dim_update(struct builder *b, struct value *value, int dim,
                               struct value *update, struct value *start)
{
    struct value *starts[SHAPE_MAX_RANK];
    put_starts(b, value, dim, start, starts);
    return build_update(b, value, update, starts);
}

struct value *along_dim_pad(struct builder *b, struct value *value, int dim, int64_t low,
                            int64_t high, int64_t interior, struct value *fill)
{
    int64_t before[SHAPE_MAX_RANK] = {0}, behind[SHAPE_MAX_RANK] = {0},
            between[SHAPE_MAX_RANK] = {0};
    if (!low && !high && !interior)
        return value;
    before[dim] = low, behind[dim] = high, between[dim] = interior;
    return build_pad(b, value, fill, before, behind, between);
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
    return count == 1 ? values[0] : build_concatenate(b, count, values, dim);
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
    struct value *index = build_iota(b, vector, 0);
    index = build_binary(b, OP_add, index, build_broadcast(b, start, vector, 0, NULL));
    struct value *low = begin == INT64_MIN ? NULL : compare_all(b, COMPARE_GE, index, begin);
    struct value *high = end == INT64_MAX ? NULL : compare_all(b, COMPARE_LT, index, end);
    struct value *both = low && high ? build_binary(b, OP_and, low, high) : low ? low : high;
    const struct type *mask = type_with_dtype(arena, type_plain(arena, type), DTYPE_PRED);
    return build_broadcast(b, both, mask, 1, &(int64_t){dim});
}
