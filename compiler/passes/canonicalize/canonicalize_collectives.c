/* canonicalize_collectives.c: see canonicalize_collectives.h. */
#include "compiler/passes/canonicalize/canonicalize_collectives.h"

#include "compiler/analysis/collective.h"
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

struct error *canonicalize_collectives(struct module *module, struct op *op)
{
    struct program_groups groups;
    TRY(collective_groups(module, op, &groups));
    TRY(check_types(module, op, &groups));
    if (is_alone(module, &groups))
        return replace_by_operands(module, op);
    if (!groups.group_count)
        return replace_by_zeros(module, op);
    return NULL;
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
