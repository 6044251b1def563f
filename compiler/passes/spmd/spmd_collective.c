#include "compiler/passes/spmd/spmd_collective.h"

#include "compiler/ir/along_dim.h"

#include <string.h>

#include "base/map.h"

/* ---- participants ---------------------------------------------------------------------------- */
static int64_t partition_at(const struct device_grid *grid, int64_t position)
{
    return grid->partitions ? grid->partitions[position] : position;
}

/* The position with coordinate 0 on the given axes that differs from position 0 by `number`, whose
 * digits are the coordinates on the other axes. */
static int64_t base_position(const struct device_grid *grid, uint32_t axes, int64_t number)
{
    int64_t position = 0;
    for (int axis = grid->axis_count - 1; axis >= 0; axis--) {
        if (axes >> axis & 1)
            continue;
        position += number % grid->sizes[axis] * grid->strides[axis];
        number /= grid->sizes[axis];
    }
    return position;
}

/* The distance of member `number` of a group from its first one. */
static int64_t member_offset(const struct device_grid *grid, const struct axis_list *axes,
                             int64_t number)
{
    int64_t offset = 0;
    for (int i = axes->count - 1; i >= 0; i--) {
        int axis = axes->at[i];
        offset += number % grid->sizes[axis] * grid->strides[axis];
        number /= grid->sizes[axis];
    }
    return offset;
}

/* One row a group; participants of replica r are r * partitions + partition. */
static struct pairs list_groups(struct partitioner *p, const struct axis_list *axes,
                                int64_t replicas)
{
    const struct device_grid *grid = p->grid;
    int64_t columns = axis_list_size(grid, axes), rows = grid->device_count / columns;
    int64_t *at = ARENA_ARRAY(p->module->arena, int64_t, (size_t)(replicas * grid->device_count));
    for (int64_t r = 0; r < replicas * rows; r++)
        for (int64_t i = 0; i < columns; i++)
            at[r * columns + i] =
                r / rows * grid->device_count +
                partition_at(grid, base_position(grid, axis_list_set(axes), r % rows) +
                                       member_offset(grid, axes, i));
    return (struct pairs){replicas * rows, columns, at};
}

struct groups_key {
    int64_t replicas;
    uint8_t count, at[TILING_MAX_AXES], unused[3]; /* compared, too */
};

static struct groups_key key_of(const struct axis_list *axes, int64_t replicas)
{
    struct groups_key key = {.replicas = replicas, .count = axes->count};
    memcpy(key.at, axes->at, axes->count);
    return key;
}

/* Collectives along the same axes have one list: it is as long as there are devices. */
static struct pairs make_groups(struct partitioner *p, const struct axis_list *axes,
                                int64_t replicas)
{
    struct groups_key key = key_of(axes, replicas);
    const struct pairs *known = map_get(p->groups, &key, sizeof key);
    if (known)
        return *known;
    struct pairs groups = list_groups(p, axes, replicas);
    map_put(p->groups, &key, sizeof key, arena_copy(p->module->arena, &groups, sizeof groups));
    return groups;
}

static int64_t replica_count(const struct partitioner *p)
{
    return p->module->num_replicas > 1 ? p->module->num_replicas : 1;
}

/* ---- operations ------------------------------------------------------------------------------ */
static void add_region(struct builder *b, struct op *op, enum op_code reducer)
{
    const struct type *scalar = type_scalar(b->module->arena, op->operands[0]->type->shape.dtype);
    struct block *body =
        ir_block(b->module, b->block->func, op, 2, (const struct type *[]){scalar, scalar});
    struct builder inner = {b->module, body, NULL, b->location};
    op->regions[0] = body;
    struct value *sum = build_binary(&inner, reducer, &body->arguments[0], &body->arguments[1]);
    build_return(&inner, 1, &sum);
}

/* Inserts a collective whose result has `size` elements along `dim` (-1: its operand's shape);
 * `reducer`: OP_INVALID_CODE for none. */
static struct value *insert(struct builder *b, enum op_code code, struct value *value, int dim,
                            int64_t size, const union attrs *attrs, enum op_code reducer)
{
    const struct shape *shape = &value->type->shape;
    int64_t dims[SHAPE_MAX_RANK];
    for (int i = 0; i < shape->rank; i++)
        dims[i] = i == dim ? size : shape->dims[i];
    const struct type *type = type_with_dims(b->module->arena, value->type, shape->rank, dims);
    struct op *op = ir_op(b->module, code, 1, &value, 1, &type, reducer != OP_INVALID_CODE);
    op->attrs = *attrs;
    op->location = b->location;
    if (reducer != OP_INVALID_CODE)
        add_region(b, op, reducer);
    if (b->before)
        ir_insert_before(b->before, op);
    else
        ir_append(b->block, op);
    return &op->results[0];
}

struct value *collective_all_reduce(struct partitioner *p, struct builder *b, struct value *value,
                                    const struct axis_list *axes, enum op_code reducer)
{
    union attrs attrs = {.all_reduce = {.replica_groups = make_groups(p, axes, replica_count(p)),
                                        .channel_id = ++p->channel,
                                        .use_global_device_ids = true}};
    return insert(b, OP_all_reduce, value, -1, 0, &attrs, reducer);
}

struct value *collective_reduce_scatter(struct partitioner *p, struct builder *b,
                                        struct value *value, const struct axis_list *axes, int dim,
                                        enum op_code reducer)
{
    union attrs attrs = {
        .reduce_scatter = {.scatter_dimension = dim,
                           .replica_groups = make_groups(p, axes, replica_count(p)),
                           .channel_id = ++p->channel,
                           .use_global_device_ids = true}};
    int64_t size = value->type->shape.dims[dim] / axis_list_size(p->grid, axes);
    return insert(b, OP_reduce_scatter, value, dim, size, &attrs, reducer);
}

struct value *collective_all_gather(struct partitioner *p, struct builder *b, struct value *value,
                                    const struct axis_list *axes, int dim)
{
    union attrs attrs = {.all_gather = {.all_gather_dim = dim,
                                        .replica_groups = make_groups(p, axes, replica_count(p)),
                                        .channel_id = ++p->channel,
                                        .use_global_device_ids = true}};
    int64_t size = value->type->shape.dims[dim] * axis_list_size(p->grid, axes);
    return insert(b, OP_all_gather, value, dim, size, &attrs, OP_INVALID_CODE);
}

struct value *collective_all_to_all(struct partitioner *p, struct builder *b, struct value *value,
                                    const struct axis_list *axes, int split, int concat)
{
    int64_t count = axis_list_size(p->grid, axes);
    union attrs attrs = {.all_to_all = {.split_dimension = split,
                                        .concat_dimension = concat,
                                        .split_count = count,
                                        .replica_groups = make_groups(p, axes, 1),
                                        .channel_id = ++p->channel}};
    const struct shape *shape = &value->type->shape;
    int64_t dims[SHAPE_MAX_RANK];
    for (int i = 0; i < shape->rank; i++)
        dims[i] = i == split    ? shape->dims[i] / count
                  : i == concat ? shape->dims[i] * count
                                : shape->dims[i];
    const struct type *type = type_with_dims(b->module->arena, value->type, shape->rank, dims);
    return build_declared(b, OP_all_to_all, 1, &value, type, &attrs);
}

static struct value *permute(struct partitioner *p, struct builder *b, struct value *value,
                             struct pairs pairs)
{
    union attrs attrs = {
        .collective_permute = {.source_target_pairs = pairs, .channel_id = ++p->channel}};
    return insert(b, OP_collective_permute, value, -1, 0, &attrs, OP_INVALID_CODE);
}

struct value *collective_permute(struct partitioner *p, struct builder *b, struct value *value,
                                 int64_t count, const int64_t *pairs)
{
    if (!p->grid->partitions)
        return permute(p, b, value,
                       (struct pairs){count, 2, ir_share_list(p->module, 2 * count, pairs)});
    int64_t *at = ARENA_ARRAY(p->module->arena, int64_t, (size_t)count * 2);
    for (int64_t i = 0; i < 2 * count; i++)
        at[i] = partition_at(p->grid, pairs[i]);
    return permute(p, b, value, (struct pairs){count, 2, at});
}

/* The pairs of all groups. */
static struct pairs list_pairs(struct partitioner *p, const struct axis_list *axes, int64_t count,
                               const int64_t *pairs)
{
    const struct device_grid *grid = p->grid;
    int64_t groups = grid->device_count / axis_list_size(grid, axes);
    int64_t *all = ARENA_ARRAY(p->module->arena, int64_t, (size_t)(groups * count) * 2);
    for (int64_t g = 0; g < groups; g++)
        for (int64_t i = 0; i < 2 * count; i++)
            all[g * 2 * count + i] =
                partition_at(grid, base_position(grid, axis_list_set(axes), g) +
                                       member_offset(grid, axes, pairs[i]));
    return (struct pairs){groups * count, 2, all};
}

struct pairs_key {
    uint64_t digest[2]; /* of the pairs between members of a group */
    struct groups_key groups;
};

struct value *collective_permute_along(struct partitioner *p, struct builder *b,
                                       struct value *value, const struct axis_list *axes,
                                       int64_t count, const int64_t *pairs)
{
    struct pairs_key key = {.groups = key_of(axes, 1)};
    map_digest(pairs, (size_t)count * 2 * sizeof *pairs, key.digest);
    const struct pairs *known = map_get(p->groups, &key, sizeof key);
    if (!known) {
        struct pairs all = list_pairs(p, axes, count, pairs);
        known = arena_copy(p->module->arena, &all, sizeof all);
        map_put(p->groups, &key, sizeof key, (void *)(uintptr_t)known);
    }
    return permute(p, b, value, *known);
}

/* The groups with the source as the first of each. */
static struct pairs list_with_source(struct partitioner *p, const struct axis_list *axes,
                                     int64_t source)
{
    struct pairs groups = make_groups(p, axes, 1);
    int64_t *at = arena_copy(p->module->arena, groups.at,
                             (size_t)(groups.rows * groups.columns) * sizeof *at);
    for (int64_t row = 0; row < groups.rows; row++) {
        int64_t *group = &at[row * groups.columns], first = group[0];
        group[0] = group[source], group[source] = first;
    }
    return (struct pairs){groups.rows, groups.columns, at};
}

struct value *collective_broadcast_along(struct partitioner *p, struct builder *b,
                                         struct value *value, const struct axis_list *axes,
                                         int64_t source)
{
    struct pairs_key key = {.digest = {(uint64_t)source}, .groups = key_of(axes, 0)};
    const struct pairs *known = map_get(p->groups, &key, sizeof key);
    if (!known) {
        struct pairs groups = list_with_source(p, axes, source);
        known = arena_copy(p->module->arena, &groups, sizeof groups);
        map_put(p->groups, &key, sizeof key, (void *)(uintptr_t)known);
    }
    union attrs attrs = {.collective = {.replica_groups = *known, .channel_id = ++p->channel}};
    return insert(b, OP_collective_broadcast, value, -1, 0, &attrs, OP_INVALID_CODE);
}

/* ---- the index of a shard -------------------------------------------------------------------- */
static struct value *scalar(struct builder *b, int64_t number)
{
    return build_scalar(b, DTYPE_S64, (double)number);
}

/* positions[partition], the inverse of the grid's partitions. */
static struct value *position_of(struct partitioner *p, struct builder *b, struct value *partition)
{
    struct arena *arena = p->module->arena;
    const struct device_grid *grid = p->grid;
    if (!grid->partitions)
        return partition;
    int64_t *positions = ARENA_ARRAY(arena, int64_t, (size_t)grid->device_count);
    for (int64_t i = 0; i < grid->device_count; i++)
        positions[grid->partitions[i]] = i;
    const struct type *type = type_tensor(arena, DTYPE_S64, 1, &grid->device_count);
    struct value *table = build_constant(b, literal_dense(arena, type, positions));
    return along_dim_take_one(b, table, 0, partition);
}

static struct value *coordinate(struct partitioner *p, struct builder *b, struct value *position,
                                int axis)
{
    struct value *quotient =
        build_binary(b, OP_divide, position, scalar(b, p->grid->strides[axis]));
    return build_binary(b, OP_remainder, quotient, scalar(b, p->grid->sizes[axis]));
}

static struct value *build_shard_index(struct partitioner *p, struct builder *b,
                                       const struct axis_list *axes)
{
    const struct type *u32 = type_scalar(b->module->arena, DTYPE_U32);
    struct value *id = build_declared(b, OP_partition_id, 0, NULL, u32, NULL);
    struct value *position = position_of(p, b, build_convert(b, id, DTYPE_S64));
    struct value *index = scalar(b, 0);
    for (int i = 0; i < axes->count; i++) {
        int axis = axes->at[i];
        index = build_binary(b, OP_multiply, index, scalar(b, p->grid->sizes[axis]));
        index = build_binary(b, OP_add, index, coordinate(p, b, position, axis));
    }
    return index;
}

struct offset_key {
    const struct block *block;
    int64_t size;
    uint8_t count, at[TILING_MAX_AXES], unused[7]; /* compared, too */
};

static struct value *build_shard_offset(struct partitioner *p, struct builder *b,
                                        const struct axis_list *axes, int64_t size)
{
    if (size == 1)
        return build_shard_index(p, b, axes);
    struct value *index = collective_shard_index(p, b, axes);
    struct builder behind = {b->module, b->block, index->def->next, b->location};
    return build_binary(&behind, OP_multiply, index, scalar(&behind, size));
}

struct value *collective_shard_offset(struct partitioner *p, struct builder *b,
                                      const struct axis_list *axes, int64_t size)
{
    struct block *block = b->before ? b->before->block : b->block;
    struct offset_key key = {.block = block, .size = size, .count = axes->count};
    memcpy(key.at, axes->at, axes->count);
    struct value *offset = map_get(p->offsets, &key, sizeof key);
    if (offset)
        return offset;
    struct builder begin = {b->module, block, block->first, b->location};
    offset = build_shard_offset(p, &begin, axes, size);
    map_put(p->offsets, &key, sizeof key, offset);
    return offset;
}

struct value *collective_shard_index(struct partitioner *p, struct builder *b,
                                     const struct axis_list *axes)
{
    return collective_shard_offset(p, b, axes, 1);
}
