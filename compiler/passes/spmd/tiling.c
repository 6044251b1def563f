#include "compiler/passes/spmd/tiling.h"

#include <string.h>

int64_t axis_list_size(const struct device_grid *grid, const struct axis_list *list)
{
    int64_t size = 1;
    for (int i = 0; i < list->count; i++)
        size *= grid->sizes[list->at[i]];
    return size;
}

bool axis_list_equal(const struct axis_list *a, const struct axis_list *b)
{
    return a->count == b->count && !memcmp(a->at, b->at, a->count);
}

uint32_t axis_list_set(const struct axis_list *list)
{
    uint32_t set = 0;
    for (int i = 0; i < list->count; i++)
        set |= UINT32_C(1) << list->at[i];
    return set;
}

int axis_list_common(const struct axis_list *a, const struct axis_list *b)
{
    int count = 0;
    while (count < a->count && count < b->count && a->at[count] == b->at[count])
        count++;
    return count;
}

struct tiling *tiling_replicated(struct arena *arena, int rank)
{
    struct tiling *tiling = ARENA_NEW(arena, struct tiling);
    tiling->rank = rank;
    tiling->dims = ARENA_ARRAY(arena, struct axis_list, (size_t)rank);
    return tiling;
}

struct tiling *tiling_copy(struct arena *arena, const struct tiling *tiling)
{
    struct tiling *copy = arena_copy(arena, tiling, sizeof *tiling);
    copy->dims = arena_copy(arena, tiling->dims, (size_t)tiling->rank * sizeof *tiling->dims);
    return copy;
}

struct tiling *tiling_edit(struct tiling_room *room, const struct tiling *tiling)
{
    room->tiling = *tiling;
    room->tiling.dims = room->dims;
    memcpy(room->dims, tiling->dims, (size_t)tiling->rank * sizeof *room->dims);
    return &room->tiling;
}

bool tiling_equal(const struct tiling *a, const struct tiling *b)
{
    if (a->rank != b->rank || a->unreduced != b->unreduced)
        return false;
    for (int i = 0; i < a->rank; i++)
        if (!axis_list_equal(&a->dims[i], &b->dims[i]))
            return false;
    return true;
}

uint32_t tiling_axes(const struct tiling *tiling)
{
    uint32_t set = 0;
    for (int i = 0; i < tiling->rank; i++)
        set |= axis_list_set(&tiling->dims[i]);
    return set;
}

bool tiling_is_replicated(const struct tiling *tiling)
{
    return !tiling->unreduced && !tiling_axes(tiling);
}

int64_t tiling_local_size(const struct device_grid *grid, const struct tiling *tiling, int dim,
                          int64_t size)
{
    int64_t shards = axis_list_size(grid, &tiling->dims[dim]);
    return size / shards + (size % shards != 0);
}

const struct type *tiling_local_type(struct arena *arena, const struct device_grid *grid,
                                     const struct tiling *tiling, const struct type *type)
{
    int64_t dims[SHAPE_MAX_RANK];
    bool equal = true;
    for (int i = 0; i < tiling->rank; i++) {
        dims[i] = tiling_local_size(grid, tiling, i, type->shape.dims[i]);
        equal &= dims[i] == type->shape.dims[i];
    }
    return type_with_sharding(
        arena, equal ? type : type_with_dims(arena, type, type->shape.rank, dims), NULL);
}
