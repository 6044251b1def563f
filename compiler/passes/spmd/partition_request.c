#include "compiler/passes/spmd/partition_request.h"

#include "compiler/passes/spmd/spmd_mesh.h"

static const struct tiling *operand_tiling(struct partitioner *p, const struct value *value)
{
    return shard_of(value) ? shard_of(value)->tiling : tiling_replicated(p->arena, 0);
}

/* How the only user of a result wants it, where that is all that is done with it and bytes are
 * compared; otherwise as its own type says; without dimensions if its type has no sharding. */
static const struct tiling *wanted_result(struct partitioner *p, const struct sharding_rule *rule,
                                          const struct value *result)
{
    const struct use *use = factor_axes_weighs(rule) && !p->is_modeled ? result->uses : NULL;
    const struct type *type = result->type;
    if (use && !use->next && use->user->code == OP_sharding_constraint)
        return spmd_mesh_tiling(p->arena, p->mesh, use->user->attrs.sharding.sharding,
                                type->shape.rank);
    if (use && !use->next && use->user->code == OP_return &&
        use->user->block == p->module->entry->body)
        type = p->module->entry->result_types[use->operand];
    return type->sharding ? partitioner_wanted(p, type) : tiling_replicated(p->arena, 0);
}

/* The tilings of the copies that an operation of the block can use. */
static struct tiling_list copies_in(struct partitioner *p, const struct shard *shard,
                                    const struct block *block)
{
    struct tiling_list list = {0};
    int count = 0;
    for (const struct shard_copy *c = shard ? shard->copies : NULL; c; c = c->next)
        count++;
    list.at = ARENA_ARRAY(p->arena, const struct tiling *, (size_t)count);
    for (const struct shard_copy *c = shard ? shard->copies : NULL; c; c = c->next)
        if (c->value->def && c->value->def->block == block)
            list.at[list.count++] = shard_of(c->value)->tiling;
    return list;
}

struct factor_request partition_request(struct partitioner *p, const struct op *op,
                                        const struct sharding_rule *rule)
{
    struct arena *arena = p->arena;
    size_t operands = (size_t)op->operand_count, results = (size_t)op->result_count;
    const struct type **operand_types = ARENA_ARRAY(arena, const struct type *, operands);
    const struct type **result_types = ARENA_ARRAY(arena, const struct type *, results);
    const struct tiling **at = ARENA_ARRAY(arena, const struct tiling *, operands);
    const struct tiling **wanted = ARENA_ARRAY(arena, const struct tiling *, results);
    struct tiling_list *copies = ARENA_ARRAY(arena, struct tiling_list, operands);
    for (size_t i = 0; i < operands; i++) {
        const struct shard *shard = shard_of(op->operands[i]);
        copies[i] = copies_in(p, shard, op->block);
        operand_types[i] = shard ? shard->global : op->operands[i]->type;
        at[i] = operand_tiling(p, op->operands[i]);
    }
    for (size_t i = 0; i < results; i++) {
        result_types[i] = op->results[i].type;
        wanted[i] = wanted_result(p, rule, &op->results[i]);
    }
    return (struct factor_request){.op = op,
                                   .rule = rule,
                                   .operand_types = operand_types,
                                   .operands = at,
                                   .copies = copies,
                                   .result_types = result_types,
                                   .results = wanted,
                                   .is_modeled = p->is_modeled,
                                   .agrees_first = p->agrees_first};
}

struct factor_axes partition_choose(struct partitioner *p, const struct op *op,
                                    const struct sharding_rule *rule, int dim,
                                    const struct axis_list *given)
{
    struct factor_request request = partition_request(p, op, rule);
    request.given = given, request.given_dim = dim;
    return factor_axes_choose(p->arena, p->grid, &request);
}
