#include "compiler/passes/canonicalize/ragged_exchange.h"

#include "base/alloc.h"
#include "base/text.h"
#include "compiler/ir/along_dim.h"
#include "compiler/passes/canonicalize/collective_member.h"
#include "compiler/analysis/call_config.h"
#include "compiler/passes/rewrite/rewrite.h"

enum { OPERAND, OUTPUT, INPUT_OFFSETS, SEND_SIZES, OUTPUT_OFFSETS, RECV_SIZES, OPERANDS };

struct exchange {
    struct builder b;
    struct program_groups groups;
    int64_t members, each;        /* of a group; entries for each member */
    int64_t rows, to_rows, width; /* of the operand; of the result; elements of a row */
    enum dtype dtype;
};

/* ---- checks ---------------------------------------------------------------------------------- */

static bool operands_fit(const struct op *op)
{
    if (op->operand_count != OPERANDS || op->result_count != 1)
        return false;
    for (int i = 0; i < OPERANDS; i++)
        if (op->operands[i]->type->kind != TYPE_TENSOR)
            return false;
    const struct shape *from = &op->operands[OPERAND]->type->shape;
    const struct shape *to = &op->operands[OUTPUT]->type->shape;
    const struct shape *first = &op->operands[INPUT_OFFSETS]->type->shape;
    bool fits = from->rank > 0 && from->rank == to->rank && from->dtype == to->dtype &&
                type_same_shape(op->operands[OUTPUT]->type, op->results[0].type);
    for (int i = 1; fits && i < from->rank; i++)
        fits = from->dims[i] == to->dims[i];
    for (int i = INPUT_OFFSETS; fits && i < OPERANDS; i++) {
        const struct shape *entries = &op->operands[i]->type->shape;
        fits = entries->rank == 1 && entries->dims[0] == first->dims[0] && entries->dims[0] > 0 &&
               dtype_is_integer(entries->dtype);
    }
    return fits;
}

/* The groups, in the modes of an all_to_all. */
static struct error *read_groups(struct module *module, const struct op *op, struct exchange *x)
{
    const struct literal *list = call_config_literal(op, "replica_groups");
    struct op all = {.code = OP_all_to_all, .location = op->location};
    struct attrs_all_to_all *attrs = &all.attrs.all_to_all;
    attrs->channel_id = call_config_integer(op, "channel_id", 0);
    if (list && list->type->shape.rank == 2)
        attrs->replica_groups = (struct pairs){list->type->shape.dims[0], list->type->shape.dims[1],
                                               literal_int64s(module->arena, list)};
    if (list && !attrs->replica_groups.at)
        return ERROR(INVALID_ARGUMENT, "%s: replica_groups must be a matrix of integers",
                     ir_where(module->arena, op));
    TRY(collective_groups(module, &all, &x->groups));
    x->members = collective_group_size(&x->groups);
    int64_t entries = op->operands[INPUT_OFFSETS]->type->shape.dims[0];
    if (!x->members || entries % x->members)
        return ERROR(INVALID_ARGUMENT,
                     "%s: has %lld offsets for groups of %lld members; groups must have one size, "
                     "which divides the number of offsets",
                     ir_where(module->arena, op), (long long)entries, (long long)x->members);
    x->each = entries / x->members;
    return NULL;
}

static struct error *misfit(struct module *module, const struct op *op)
{
    struct text types = {0};
    char *found = NULL;
    for (int i = 0; i < op->operand_count; i++, text_add(&types, ", "))
        type_print(op->operands[i]->type, &types);
    text_add(&types, "and the result ");
    if (op->result_count)
        type_print(op->results[0].type, &types);
    TRY(text_finish(&types, &found, NULL));
    struct error *error =
        ERROR(INVALID_ARGUMENT,
              "%s: ragged_all_to_all must have an operand and an output that differ in their first "
              "dimension at most, four lists of as many integers, and a result like the output; "
              "its operands are %s",
              ir_where(module->arena, op), found);
    alloc_free(found);
    return error;
}

static struct error *read_call(struct module *module, const struct op *op, struct exchange *x)
{
    if (!operands_fit(op))
        return misfit(module, op);
    const struct shape *from = &op->operands[OPERAND]->type->shape;
    *x = (struct exchange){.b = rewrite_before(module, op),
                           .rows = from->dims[0],
                           .to_rows = op->results[0].type->shape.dims[0],
                           .width = 1,
                           .dtype = from->dtype};
    for (int i = 1; i < from->rank; i++)
        x->width *= from->dims[i];
    return read_groups(module, op, x);
}

/* ---- entries --------------------------------------------------------------------------------- */

static struct value *constant(struct exchange *x, const struct value *like, int64_t value)
{
    return build_splat(&x->b, like->type, (double)value);
}

static struct value *clamp(struct exchange *x, struct value *value, struct value *limit)
{
    struct value *least = build_binary(&x->b, OP_minimum, value, limit);
    return build_binary(&x->b, OP_maximum, least, constant(x, value, 0));
}

/* Operand `which` of all members for this one, s64 [members * each]; `all`: [members, 3, entries].
 */
static struct value *received(struct exchange *x, struct value *all, struct value *position,
                              int64_t which)
{
    struct builder *b = &x->b;
    int64_t entries = x->members * x->each;
    struct value *part = along_dim_slice(b, all, 1, which, 1);
    struct value *first =
        build_binary(b, OP_multiply, position, build_scalar(b, DTYPE_S32, (double)x->each));
    return build_reshape(b, along_dim_take(b, part, 2, first, x->each), 1, &entries);
}

/* The offsets and sizes of all members: s64 [members, 3, entries]. */
static struct value *gather_entries(struct exchange *x, const struct op *op)
{
    struct value *parts[3];
    int64_t dims[] = {1, 1, x->members * x->each};
    for (int i = 0; i < 3; i++) {
        struct value *list = build_convert(&x->b, op->operands[INPUT_OFFSETS + i], DTYPE_S64);
        parts[i] = build_reshape(&x->b, list, 3, dims);
    }
    return collective_member_gather(&x->b, &x->groups, build_concatenate(&x->b, 3, parts, 1));
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* For each row of the result, 1 + the row among the operands of all members; 0: none. */
static struct value *find_sources(struct exchange *x, const struct op *op)
{
    struct builder *b = &x->b;
    struct arena *arena = b->module->arena;
    int64_t entries = x->members * x->each, across[] = {0};
    const struct type *list = type_tensor(arena, DTYPE_S64, 1, &entries);
    const struct type *matrix = type_tensor(arena, DTYPE_S64, 2, (int64_t[]){entries, x->to_rows});
    struct value *all = gather_entries(x, op),
                 *position = collective_member_position(b, &x->groups);
    struct value *from = received(x, all, position, 0), *size = received(x, all, position, 1),
                 *to = received(x, all, position, 2);
    from = clamp(x, from, constant(x, from, x->rows));
    size = clamp(x, size, build_binary(b, OP_subtract, constant(x, from, x->rows), from));
    struct value *sender =
        build_binary(b, OP_divide, build_iota(b, list, 0), constant(x, from, x->each));
    from = build_binary(b, OP_add, from,
                        build_binary(b, OP_multiply, sender, constant(x, from, x->rows)));
    /* how far a row is behind an entry's first one, which may wrap around for wrong offsets */
    struct value *distance = build_binary(b, OP_subtract, build_iota(b, matrix, 1),
                                          build_broadcast(b, to, matrix, 1, across));
    struct value *inside = build_binary(
        b, OP_and, build_compare(b, COMPARE_GE, distance, constant(x, distance, 0)),
        build_compare(b, COMPARE_LT, distance, build_broadcast(b, size, matrix, 1, across)));
    struct value *source =
        build_binary(b, OP_add, distance, build_broadcast(b, from, matrix, 1, across));
    source = build_binary(b, OP_add, source, constant(x, source, 1));
    source = build_select(b, inside, source, constant(x, source, 0));
    return build_reduce(b, source, build_scalar(b, DTYPE_S64, 0), OP_maximum, 1, across);
}

/* The rows `sources` of the operands of all members: [to_rows, width]. */
static struct value *gather_rows(struct exchange *x, const struct op *op, struct value *sources)
{
    struct builder *b = &x->b;
    struct arena *arena = b->module->arena;
    int64_t one[] = {1, x->rows, x->width}, flat[] = {x->members * x->rows, x->width},
            column[] = {x->to_rows, 1}, window[] = {1, x->width}, zero = 0, first = 1;
    struct value *mine = build_reshape(b, op->operands[OPERAND], 3, one);
    struct value *all = build_reshape(b, collective_member_gather(b, &x->groups, mine), 2, flat);
    struct value *index = build_binary(b, OP_subtract, sources, constant(x, sources, 1));
    index = build_binary(b, OP_maximum, index, constant(x, sources, 0));
    union attrs attrs = {
        .gather = {.offset_dims = {1, arena_copy(arena, &first, sizeof first)},
                   .collapsed_slice_dims = {1, arena_copy(arena, &zero, sizeof zero)},
                   .start_index_map = {1, arena_copy(arena, &zero, sizeof zero)},
                   .index_vector_dim = 1,
                   .slice_sizes = {2, arena_copy(arena, window, sizeof window)}}};
    return build_declared(
        b, OP_gather, 2, (struct value *[]){all, build_reshape(b, index, 2, column)}, NULL, &attrs);
}

struct error *ragged_exchange(struct module *module, struct op *op)
{
    struct exchange x;
    int64_t across[] = {0};
    TRY(read_call(module, op, &x));
    struct value *output = op->operands[OUTPUT];
    if (!x.rows || !x.to_rows || !x.width)
        return rewrite_with(module, op, output);
    struct value *sources = find_sources(&x, op), *rows = gather_rows(&x, op, sources);
    struct value *given = build_reshape(&x.b, output, 2, (int64_t[]){x.to_rows, x.width});
    struct value *is_sent = build_compare(&x.b, COMPARE_GT, sources, constant(&x, sources, 0));
    const struct type *mask =
        type_tensor(module->arena, DTYPE_PRED, 2, (int64_t[]){x.to_rows, x.width});
    struct value *result =
        build_select(&x.b, build_broadcast(&x.b, is_sent, mask, 1, across), rows, given);
    const struct shape *to = &op->results[0].type->shape;
    return rewrite_with(module, op, build_reshape(&x.b, result, to->rank, to->dims));
}
