/* lower_collective.c: see lower_collective.h. */
#include "compiler/lower/lower_collective.h"

#include <string.h>

#include "compiler/analysis/collective.h"
#include "compiler/lower/lower_step.h"

/* ---- groups ---------------------------------------------------------------------------------- */
static void key_part(int *key, size_t *at, const int *from, int count)
{
    if (count)
        memcpy(key + *at, from, (size_t)count * sizeof *from);
    *at += (size_t)count;
}

static int find_table(struct lowerer *l, const struct program_groups *groups)
{
    size_t at = 0, count = 1 + (size_t)groups->group_count + 2 * (size_t)groups->member_count;
    int *key = ARENA_ARRAY(l->arena, int, count);
    key_part(key, &at, &groups->group_count, 1);
    key_part(key, &at, groups->offsets + 1, groups->group_count);
    key_part(key, &at, groups->members, groups->member_count);
    key_part(key, &at, groups->sources, groups->member_count);
    uintptr_t known = (uintptr_t)map_get(l->known_groups, key, count * sizeof *key);
    if (known)
        return (int)known - 1;
    VEC_PUSH(l->arena, &l->groups, *groups);
    map_put(l->known_groups, key, count * sizeof *key, (void *)(uintptr_t)l->groups.count);
    return (int)l->groups.count - 1;
}

/* The index of an equal table, or of a new one. Operations with equal lists share the arrays. */
static int table_of(struct lowerer *l, const struct program_groups *groups)
{
    uintptr_t known = (uintptr_t)map_get_pointer(l->known_groups, groups->members);
    if (known)
        return (int)known - 1;
    int index = find_table(l, groups);
    map_put_pointer(l->known_groups, groups->members, (void *)((uintptr_t)index + 1));
    return index;
}

/* ---- arrays ---------------------------------------------------------------------------------- */
static int64_t product(const int64_t *dims, int64_t begin, int64_t end)
{
    int64_t out = 1;
    for (int64_t i = begin; i < end; i++)
        out *= dims[i];
    return out;
}

/* The array around dimension `dim` of `shape`, the smaller of operand and result. */
static struct collective_array around(const struct shape *shape, int64_t dim)
{
    return (struct collective_array){.dtype = shape->dtype,
                                     .outer = product(shape->dims, 0, dim),
                                     .middle = 1,
                                     .inner = product(shape->dims, dim, shape->rank)};
}

/* Splits dimension `split` into parts and joins them along `join`. With both equal, parts stay
 * where they are. Between the two dimensions parts move outwards or inwards over `middle`. */
static struct collective_array exchanged(const struct op *op, const struct shape *from, int parts,
                                         bool *outside)
{
    int64_t split = op->attrs.all_to_all.split_dimension,
            join = op->attrs.all_to_all.concat_dimension;
    struct collective_array array = {.dtype = from->dtype};
    *outside = split > join;
    int64_t low = *outside ? join : split, high = *outside ? split : join;
    array.outer = product(from->dims, 0, low);
    array.middle = product(from->dims, low, high);
    array.inner = product(from->dims, high, from->rank);
    if (*outside)
        array.inner /= parts;
    else if (split != join)
        array.middle /= parts;
    else
        array.inner /= parts;
    return array;
}

/* The value with the shape of array i: an operand, or what a recv returns. */
static const struct shape *shape_of(const struct op *op, int i)
{
    return op->code == OP_recv ? &op->results[i].type->shape : &op->operands[i]->type->shape;
}

static struct collective_array extents_of(const struct op *op, int i, struct collective_spec *spec)
{
    const struct shape *from = shape_of(op, i);
    switch (op->code) {
    case OP_all_gather: return around(from, op->attrs.all_gather.all_gather_dim);
    case OP_reduce_scatter:
        return around(&op->results[i].type->shape, op->attrs.reduce_scatter.scatter_dimension);
    case OP_all_to_all: return exchanged(op, from, spec->parts, &spec->concatenates_outside);
    default: return around(from, 0);
    }
}

/* XLA splits the dimension of an all-to-all whose parts move elsewhere in two: the parts, and the
 * rest. */
static void split_dimension(struct arena *arena, struct collective_array *array, int dim, int parts)
{
    int64_t *dims = ARENA_ARRAY(arena, int64_t, (size_t)array->rank + 1);
    memcpy(dims, array->dims, (size_t)dim * sizeof *dims);
    dims[dim] = parts;
    dims[dim + 1] = array->dims[dim] / parts;
    memcpy(dims + dim + 2, array->dims + dim + 1, (size_t)(array->rank - dim - 1) * sizeof *dims);
    array->dims = dims;
    array->rank++;
}

static struct collective_array array_of(struct arena *arena, const struct op *op, int i,
                                        struct collective_spec *spec)
{
    const struct shape *from = shape_of(op, i);
    struct collective_array array = extents_of(op, i, spec);
    array.rank = from->rank;
    array.dims = (int64_t *)(uintptr_t)from->dims; /* the module's, until the program is copied */
    if (op->code == OP_all_to_all && array.rank < SHAPE_MAX_RANK &&
        op->attrs.all_to_all.split_dimension != op->attrs.all_to_all.concat_dimension)
        split_dimension(arena, &array, (int)op->attrs.all_to_all.split_dimension, spec->parts);
    return array;
}

static int dimension_of(const struct op *op)
{
    switch (op->code) {
    case OP_all_gather: return (int)op->attrs.all_gather.all_gather_dim;
    case OP_reduce_scatter: return (int)op->attrs.reduce_scatter.scatter_dimension;
    case OP_all_to_all: return (int)op->attrs.all_to_all.split_dimension;
    default: return 0;
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */
static enum collective_kind kind_of(const struct op *op)
{
    switch (op->code) {
    case OP_all_gather: return COLLECTIVE_ALL_GATHER;
    case OP_reduce_scatter: return COLLECTIVE_REDUCE_SCATTER;
    case OP_all_to_all: return COLLECTIVE_ALL_TO_ALL;
    case OP_collective_permute: return COLLECTIVE_PERMUTE;
    case OP_collective_broadcast: return COLLECTIVE_BROADCAST;
    case OP_partition_id: return COLLECTIVE_PARTITION_ID;
    case OP_replica_id: return COLLECTIVE_REPLICA_ID;
    case OP_send: return COLLECTIVE_SEND;
    case OP_recv: return COLLECTIVE_RECEIVE;
    default: return COLLECTIVE_ALL_REDUCE;
    }
}

static struct error *set_reducer(const struct lowerer *l, const struct op *op,
                                 struct collective_spec *spec)
{
    enum dtype dtype = op->operands[0]->type->shape.dtype;
    if (!op->region_count)
        return NULL;
    if (!collective_reducer(op->regions[0], &spec->reducer))
        return ERROR(UNIMPLEMENTED,
                     "%s: its reducer is unsupported: it must be one add, multiply, minimum, "
                     "maximum, and, or, or xor",
                     ir_where(l->arena, op));
    if (!program_can_reduce(spec->reducer, dtype))
        return ERROR(UNIMPLEMENTED, "%s: its reducer does not support %s", ir_where(l->arena, op),
                     dtype_name(dtype));
    return NULL;
}

/* A send's last operand and a recv's last result are tokens. */
static int array_count_of(const struct op *op)
{
    return op->code == OP_send   ? op->operand_count - 1
           : op->code == OP_recv ? op->result_count - 1
                                 : op->operand_count;
}

static bool has_arrays_and_token(const struct op *op)
{
    int count = array_count_of(op);
    for (int i = 0; i <= count; i++) {
        const struct type *type = op->code == OP_send ? op->operands[i]->type : op->results[i].type;
        bool is_array = type->kind == TYPE_TENSOR && dtype_bytes(type->shape.dtype) >= 1;
        if (i < count ? !is_array : type->kind != TYPE_TOKEN)
            return false;
    }
    return count >= 0;
}

static struct error *check_message(struct lowerer *l, const struct op *op)
{
    if (!has_arrays_and_token(op))
        return ERROR(INVALID_ARGUMENT, "%s: must have arrays, and a token after them",
                     ir_where(l->arena, op));
    if (!op->attrs.channel.source_target_pairs.rows)
        return ERROR(INVALID_ARGUMENT,
                     "%s: a transfer between devices needs source_target_pairs; a transfer with "
                     "the host needs is_host_transfer",
                     ir_where(l->arena, op));
    return NULL;
}

/* Notes a send or recv: what is sent must be received, and the reverse. */
static void note_message(struct lowerer *l, const struct op *op, const struct collective_spec *spec)
{
    int64_t key[] = {spec->channel, spec->groups, 0};
    for (int i = 0; i < spec->array_count; i++)
        key[2] += spec->arrays[i].inner * dtype_bytes(spec->arrays[i].dtype);
    uintptr_t known = (uintptr_t)map_get(l->known_lanes, key, sizeof key);
    if (!known) {
        VEC_PUSH(l->arena, &l->lanes, (struct lowered_lane){0});
        known = l->lanes.count;
        map_put(l->known_lanes, key, sizeof key, (void *)known);
    }
    struct lowered_lane *lane = &l->lanes.items[known - 1];
    *(op->code == OP_send ? &lane->send : &lane->receive) = op;
}

static struct error *check_lanes(const struct lowerer *l)
{
    for (size_t i = 0; i < l->lanes.count; i++) {
        const struct lowered_lane *lane = &l->lanes.items[i];
        const struct op *op = lane->send ? lane->send : lane->receive;
        if (!lane->send || !lane->receive)
            return ERROR(INVALID_ARGUMENT,
                         "%s: the program has no %s on channel %lld with the same "
                         "source_target_pairs and as many bytes",
                         ir_where(l->arena, op), lane->send ? "recv" : "send",
                         (long long)op->attrs.channel.channel_id);
    }
    return NULL;
}

struct error *lower_collective(struct lowerer *l, const struct op *op, struct step *out)
{
    struct program_groups groups;
    *out = lower_step(l, STEP_COLLECTIVE, op_info(op->code)->name, op);
    lower_step_add_values(l, out, op);
    struct collective_spec *spec = &out->collective;
    *spec = (struct collective_spec){.kind = kind_of(op), .groups = -1, .number = -1};
    if (spec->kind == COLLECTIVE_PARTITION_ID || spec->kind == COLLECTIVE_REPLICA_ID)
        return NULL;
    if (collective_is_message(spec->kind)) {
        TRY(check_message(l, op));
        spec->channel = op->attrs.channel.channel_id;
    }
    TRY(set_reducer(l, op, spec));
    TRY(collective_groups(l->module, op, &groups));
    spec->groups = table_of(l, &groups);
    spec->number = l->collective_count++;
    spec->parts = collective_group_size(&groups);
    spec->dimension = dimension_of(op);
    spec->array_count = array_count_of(op);
    spec->arrays = ARENA_ARRAY(l->arena, struct collective_array, (size_t)spec->array_count + 1);
    for (int i = 0; i < spec->array_count; i++)
        spec->arrays[i] = array_of(l->arena, op, i, spec);
    if (collective_is_message(spec->kind))
        note_message(l, op, spec);
    return NULL;
}

void lower_collective_meet(struct lowerer *l, struct call_spec *call)
{
    int count = l->module->num_replicas * l->module->num_partitions;
    int *members = ARENA_ARRAY(l->arena, int, (size_t)count),
        *sources = ARENA_ARRAY(l->arena, int, (size_t)count),
        *offsets = ARENA_ARRAY(l->arena, int, 2);
    for (int i = 0; i < count; i++)
        members[i] = i, sources[i] = -1;
    offsets[1] = count;
    call->meets = true;
    call->groups = table_of(l, &(struct program_groups){1, count, offsets, members, sources});
    call->number = l->collective_count++;
}

struct error *lower_collective_finish(struct lowerer *l, struct program *program)
{
    TRY(check_lanes(l));
    program->group_count = (int)l->groups.count;
    program->groups = l->groups.items;
    program->collective_count = l->collective_count;
    return NULL;
}
