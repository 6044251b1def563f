#include "compiler/passes/canonicalize/collective_member.h"

#include "compiler/ir/along_dim.h"

/* ---- attributes ------------------------------------------------------------------------------ */

static int group_end(const struct program_groups *groups, int group)
{
    return groups->offsets[group + 1];
}

static int64_t largest(const struct program_groups *groups)
{
    int64_t size = 1;
    for (int g = 0; g < groups->group_count; g++)
        if (group_end(groups, g) - groups->offsets[g] > size)
            size = group_end(groups, g) - groups->offsets[g];
    return size;
}

static struct pairs list(struct arena *arena, const struct program_groups *groups, int64_t alone,
                         const bool *is_alone)
{
    int64_t columns = largest(groups), rows = groups->group_count + alone, row = 0;
    int64_t *at = ARENA_ARRAY(arena, int64_t, (size_t)(rows * columns) + 1);
    for (int64_t i = 0; i < rows * columns; i++)
        at[i] = -1;
    for (; row < groups->group_count; row++)
        for (int i = groups->offsets[row]; i < group_end(groups, (int)row); i++)
            at[row * columns + i - groups->offsets[row]] = groups->members[i];
    for (int64_t member = 0; row < rows; member++)
        if (is_alone[member])
            at[row++ * columns] = member;
    return (struct pairs){rows, columns, at};
}

struct pairs collective_member_groups(struct arena *arena, const struct program_groups *groups)
{
    return list(arena, groups, 0, NULL);
}

struct pairs collective_member_cover(const struct module *module,
                                     const struct program_groups *groups)
{
    int64_t count = (int64_t)module->num_replicas * module->num_partitions;
    bool *is_alone = ARENA_ARRAY(module->arena, bool, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        is_alone[i] = true;
    for (int i = 0; i < groups->member_count; i++)
        is_alone[groups->members[i]] = false;
    return list(module->arena, groups, count - groups->member_count, is_alone);
}

/* ---- values ---------------------------------------------------------------------------------- */

static struct value *id_of(struct builder *b, enum op_code code)
{
    const struct type *type = type_scalar(b->module->arena, DTYPE_U32);
    return build_convert(b, build_declared(b, code, 0, NULL, type, NULL), DTYPE_S32);
}

/* replica * num_partitions + partition */
static struct value *participant(struct builder *b)
{
    struct value *replica = id_of(b, OP_replica_id);
    struct value *count = build_scalar(b, DTYPE_S32, b->module->num_partitions);
    return build_binary(b, OP_add, build_binary(b, OP_multiply, replica, count),
                        id_of(b, OP_partition_id));
}

struct value *collective_member_position(struct builder *b, const struct program_groups *groups)
{
    struct arena *arena = b->module->arena;
    int64_t count = (int64_t)b->module->num_replicas * b->module->num_partitions;
    int32_t *positions = ARENA_ARRAY(arena, int32_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        positions[i] = -1;
    for (int g = 0; g < groups->group_count; g++)
        for (int i = groups->offsets[g]; i < group_end(groups, g); i++)
            positions[groups->members[i]] = i - groups->offsets[g];
    struct value *table = build_constant(
        b, literal_dense(arena, type_tensor(arena, DTYPE_S32, 1, &count), positions));
    return along_dim_take_one(b, table, 0, participant(b));
}

struct value *collective_member_gather(struct builder *b, const struct program_groups *groups,
                                       struct value *value)
{
    struct arena *arena = b->module->arena;
    const struct shape *from = &value->type->shape;
    int64_t dims[SHAPE_MAX_RANK];
    for (int i = 0; i < from->rank; i++)
        dims[i] = i ? from->dims[i] : collective_group_size(groups);
    union attrs attrs = {.all_gather = {.replica_groups = collective_member_groups(arena, groups),
                                        .channel_id = 1,
                                        .use_global_device_ids = true}};
    const struct type *type = type_tensor(arena, from->dtype, from->rank, dims);
    return build_declared(b, OP_all_gather, 1, &value, type, &attrs);
}
