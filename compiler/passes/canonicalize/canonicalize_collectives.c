/* canonicalize_collectives.c: see canonicalize_collectives.h. */
#include "compiler/passes/canonicalize/canonicalize_collectives.h"

#include "compiler/analysis/collective.h"
#include "compiler/ir/along_dim.h"
#include "compiler/passes/canonicalize/collective_member.h"
#include "compiler/passes/canonicalize/collective_roots.h"
#include "compiler/passes/rewrite/rewrite.h"

/* ---- sizes ----------------------------------------------------------------------------------- */
/* Result i must be operand i with `times` times the elements in dimension `dim`. */
static struct error *check_size(const struct module *module, const struct op *op, int64_t dim,
                                int64_t operand_times, int64_t result_times)
{
    for (int i = 0; i < op->operand_count; i++) {
        int64_t from = op->operands[i]->type->shape.dims[dim],
                to = op->results[i].type->shape.dims[dim], whole;
        if (__builtin_mul_overflow(from, operand_times, &whole) || whole != to * result_times)
            return ERROR(INVALID_ARGUMENT,
                         "%s: dimension %lld is %lld in operand %d and %lld in its result, but the "
                         "replica_groups have %lld members",
                         ir_where(module->arena, op), (long long)dim, (long long)from, i,
                         (long long)to, (long long)(operand_times * result_times));
    }
    return NULL;
}

/* Operations whose types depend on the size of the groups need equally large ones. */
static struct error *check_types(const struct module *module, const struct op *op,
                                 const struct program_groups *groups)
{
    int size = collective_group_size(groups);
    if (op->code != OP_all_gather && op->code != OP_reduce_scatter && op->code != OP_all_to_all)
        return NULL;
    if (!size)
        return ERROR(INVALID_ARGUMENT, "%s: its replica_groups must have the same size",
                     ir_where(module->arena, op));
    if (op->code == OP_all_gather)
        return check_size(module, op, op->attrs.all_gather.all_gather_dim, size, 1);
    if (op->code == OP_reduce_scatter)
        return check_size(module, op, op->attrs.reduce_scatter.scatter_dimension, 1, size);
    const struct attrs_all_to_all *at = &op->attrs.all_to_all;
    if (at->split_count != size)
        return ERROR(INVALID_ARGUMENT, "%s: split_count is %lld, but its groups have %d members",
                     ir_where(module->arena, op), (long long)at->split_count, size);
    if (at->split_dimension == at->concat_dimension)
        return check_size(module, op, at->split_dimension, 1, 1);
    TRY(check_size(module, op, at->split_dimension, 1, size));
    return check_size(module, op, at->concat_dimension, size, 1);
}

/* ---- one participant ------------------------------------------------------------------------- */
/* Whether all participants receive their own data, and no other. */
static bool is_alone(const struct module *module, const struct program_groups *groups)
{
    if (groups->member_count != module->num_replicas * module->num_partitions ||
        groups->group_count != groups->member_count)
        return false;
    for (int i = 0; i < groups->member_count; i++)
        if (groups->sources[i] != 0)
            return false;
    return true;
}

static struct error *replace_by_operands(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    struct value **values = ARENA_ARRAY(module->arena, struct value *, (size_t)op->operand_count);
    for (int i = 0; i < op->result_count; i++) {
        enum dtype dtype = op->results[i].type->shape.dtype; /* the reducer's may be wider */
        bool widens = op->operands[i]->type->shape.dtype != dtype;
        values[i] = widens ? build_convert(&b, op->operands[i], dtype) : op->operands[i];
    }
    return rewrite_replace(module, op, values);
}

static struct error *replace_by_zeros(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    struct value **values = ARENA_ARRAY(module->arena, struct value *, (size_t)op->operand_count);
    for (int i = 0; i < op->result_count; i++)
        values[i] = build_splat(&b, op->results[i].type, 0);
    return rewrite_replace(module, op, values);
}

/* ---- building collectives -------------------------------------------------------------------- */
/* A collective before `op`, with its location. */
static struct op *insert_collective(struct module *module, struct op *op, enum op_code code,
                                    int count, struct value *const *operands,
                                    const struct type *const *types, const union attrs *attrs)
{
    bool reduces = code == OP_all_reduce || code == OP_reduce_scatter;
    struct op *made = ir_op(module, code, count, operands, count, types, reduces);
    made->attrs = *attrs;
    made->location = op->location;
    ir_insert_before(op, made);
    return made;
}

/* Gives the operation a region that applies a binary operation to two scalars. */
static void set_region(struct module *module, struct op *op, enum op_code code)
{
    const struct type *scalar = type_scalar(module->arena, op->results[0].type->shape.dtype);
    struct block *body =
        ir_block(module, op->block->func, op, 2, (const struct type *[]){scalar, scalar});
    struct builder inner = {module, body, NULL, op->location};
    op->regions[0] = body;
    struct value *both = build_binary(&inner, code, &body->arguments[0], &body->arguments[1]);
    build_return(&inner, 1, &both);
}

static struct error *rule_cross_replica_sum(struct module *module, struct op *op)
{
    union attrs attrs = {.all_reduce = {.replica_groups = op->attrs.collective.replica_groups}};
    struct op *sum =
        insert_collective(module, op, OP_all_reduce, 1, op->operands, &op->results[0].type, &attrs);
    set_region(module, sum, OP_add);
    return rewrite_with(module, op, &sum->results[0]);
}

/* ---- reducers that the runtime does not know ------------------------------------------------- */
/* Applies the reducer of `op` to the elements of two arrays. */
static struct error *apply(struct module *module, struct op *op, struct value *left,
                           struct value *right, struct value **out)
{
    const struct block *region = op->regions[0];
    struct value *operands[] = {left, right};
    struct op *map = ir_op(module, OP_map, 2, operands, 1, &left->type, 1);
    const struct type *scalar = region->arguments[0].type;
    map->attrs.dimensions.dimensions = rewrite_range(module, 0, left->type->shape.rank);
    map->location = op->location;
    ir_insert_before(op, map);
    struct block *body =
        ir_block(module, op->block->func, map, 2, (const struct type *[]){scalar, scalar});
    map->regions[0] = body;
    struct builder inner = {module, body, NULL, op->location};
    struct value *arguments[] = {&body->arguments[0], &body->arguments[1]}, *result;
    struct op *end = build_return(&inner, 1, arguments);
    TRY(ir_inline_block(module, region, 2, arguments, end, 1, &result));
    ir_set_operand(module, end, 0, result);
    *out = &map->results[0];
    return NULL;
}

/* Reduces dimension 1 of `all`, [outer, size, inner], in the order of its elements. */
static struct error *reduce_parts(struct module *module, struct op *op, struct value *all,
                                  struct value **out)
{
    struct builder b = rewrite_before(module, op);
    for (int64_t i = 0; i < all->type->shape.dims[1]; i++) {
        struct value *part = along_dim_slice(&b, all, 1, i, 1);
        if (i)
            TRY(apply(module, op, *out, part, &part));
        *out = part;
    }
    return NULL;
}

/* The parts of operand i that this participant reduces, as [outer, size, inner]: all of them for an
 * all_reduce, its own for a reduce_scatter. */
static struct value *fetch_parts(struct module *module, struct op *op, int i,
                                 const struct program_groups *groups)
{
    struct builder b = rewrite_before(module, op);
    const struct shape *from = &op->operands[i]->type->shape;
    int64_t size = collective_group_size(groups), elements = type_elements(op->operands[i]->type);
    union attrs attrs = {
        .all_gather = {.all_gather_dim = 1,
                       .replica_groups = collective_member_groups(module->arena, groups),
                       .channel_id = 1,
                       .use_global_device_ids = true}};
    int64_t dims[] = {1, 1, elements}, all[] = {1, size, elements};
    if (op->code == OP_reduce_scatter) {
        for (int64_t d = 0; d < op->attrs.reduce_scatter.scatter_dimension; d++)
            dims[0] *= from->dims[d];
        dims[1] = all[1] = size;
        dims[2] = all[2] = dims[0] ? elements / dims[0] / size : 0;
        all[0] = dims[0];
        attrs = (union attrs){
            .all_to_all = {.split_dimension = 1,
                           .concat_dimension = 1,
                           .split_count = size,
                           .replica_groups = collective_member_groups(module->arena, groups),
                           .channel_id = module->num_replicas == 1}};
    }
    enum op_code code = op->code == OP_reduce_scatter ? OP_all_to_all : OP_all_gather;
    struct value *flat = build_reshape(&b, op->operands[i], 3, dims);
    const struct type *type = type_tensor(module->arena, from->dtype, 3, all);
    return &insert_collective(module, op, code, 1, &flat, &type, &attrs)->results[0];
}

/* Any reducer: the parts are moved here and combined by the program itself. */
static struct error *reduce_here(struct module *module, struct op *op,
                                 const struct program_groups *groups)
{
    struct builder b = rewrite_before(module, op);
    struct value **values = ARENA_ARRAY(module->arena, struct value *, (size_t)op->operand_count);
    bool scatters = op->code == OP_reduce_scatter;
    if (!collective_group_size(groups) ||
        (scatters && module->num_replicas > 1 && module->num_partitions > 1))
        return ERROR(UNIMPLEMENTED,
                     "%s: its reducer is unsupported among these groups; it must be one add, "
                     "multiply, minimum, maximum, and, or, or xor",
                     ir_where(module->arena, op));
    for (int i = 0; i < op->operand_count; i++) {
        const struct shape *to = &op->results[i].type->shape;
        struct value *all = fetch_parts(module, op, i, groups), *reduced = NULL;
        TRY(reduce_parts(module, op, all, &reduced));
        values[i] = build_reshape(&b, reduced, to->rank, to->dims);
    }
    return rewrite_replace(module, op, values);
}

/* ---- element types --------------------------------------------------------------------------- */
/* A type that the runtime reduces and that has all values of `dtype`. */
static enum dtype wide_type(enum dtype dtype)
{
    switch (dtype_info(dtype)->class) {
    case CLASS_SIGNED: return DTYPE_S8;
    case CLASS_UNSIGNED: return DTYPE_U8;
    default: return DTYPE_F32;
    }
}

/* Reduces in a wider type: integers wrap around equally, floats are rounded once. */
static struct error *reduce_wide(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    size_t count = (size_t)op->operand_count;
    struct value **values = ARENA_ARRAY(module->arena, struct value *, count);
    const struct type **types = ARENA_ARRAY(module->arena, const struct type *, count);
    enum dtype dtype = op->results[0].type->shape.dtype, wide = wide_type(dtype);
    for (int i = 0; i < op->operand_count; i++) {
        const struct shape *to = &op->results[i].type->shape;
        values[i] = build_convert(&b, op->operands[i], wide);
        types[i] = type_tensor(module->arena, wide, to->rank, to->dims);
    }
    struct op *made =
        insert_collective(module, op, op->code, op->operand_count, values, types, &op->attrs);
    set_region(module, made, op->regions[0]->first->code);
    for (int i = 0; i < op->operand_count; i++)
        values[i] = build_convert(&b, &made->results[i], dtype);
    return rewrite_replace(module, op, values);
}

/* Operands get the element type of the reducer, which is that of the results. */
static void convert_operands(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    for (int i = 0; i < op->operand_count; i++)
        ir_set_operand(module, op, i,
                       build_convert(&b, op->operands[i], op->results[i].type->shape.dtype));
}

static struct error *rule_reducer(struct module *module, struct op *op,
                                  const struct program_groups *groups)
{
    enum collective_reducer reducer;
    convert_operands(module, op);
    if (!op->operand_count)
        return NULL;
    if (!collective_reducer(op->regions[0], &reducer))
        return reduce_here(module, op, groups);
    return program_can_reduce(reducer, op->results[0].type->shape.dtype) ? NULL
                                                                         : reduce_wide(module, op);
}

struct error *canonicalize_collectives(struct module *module, struct op *op)
{
    struct program_groups groups;
    TRY(collective_groups(module, op, &groups));
    TRY(check_types(module, op, &groups));
    if (collective_roots_are_needed(op))
        return collective_roots(module, op, &groups);
    if (is_alone(module, &groups))
        return replace_by_operands(module, op);
    if (!groups.group_count)
        return replace_by_zeros(module, op);
    if (op->code == OP_cross_replica_sum)
        return rule_cross_replica_sum(module, op);
    return op->region_count ? rule_reducer(module, op, &groups) : NULL;
}

/* ---- ids ------------------------------------------------------------------------------------- */
/* The id at the start of the entry function: fusions and loops that use it take it as an operand.
 * */
static struct value *first_id(struct module *module, enum op_code code)
{
    struct block *body = module->entry->body;
    struct op *op = body->first;
    while (op->code == OP_partition_id || op->code == OP_replica_id) {
        if (op->code == code)
            return &op->results[0];
        op = op->next;
    }
    struct builder b = {module, body, body->first, body->first->location};
    const struct type *type = type_scalar(module->arena, DTYPE_U32);
    return build_declared(&b, code, 0, NULL, type, NULL);
}

struct error *canonicalize_collectives_id(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    int count = op->code == OP_partition_id ? module->num_partitions : module->num_replicas;
    if (count == 1)
        return rewrite_with(module, op, build_scalar(&b, DTYPE_U32, 0));
    if (op->block->func != module->entry)
        return NULL;
    struct value *id = first_id(module, op->code);
    return id->def == op ? NULL : rewrite_with(module, op, id);
}
