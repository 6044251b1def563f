#include "compiler/passes/spmd/partition.h"

#include "base/map.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/passes/spmd/partition_op.h"
#include "compiler/passes/spmd/partition_values.h"
#include "compiler/passes/spmd/reshard.h"
#include "compiler/passes/spmd/spmd_collective.h"
#include "compiler/passes/spmd/spmd_mesh.h"

/* ---- identities ------------------------------------------------------------------------------ */
static void replace(struct partitioner *p, struct op *op, struct value *value)
{
    ir_replace_uses(p->module, &op->results[0], value);
    ir_remove(op);
}

static void partition_constraint(struct partitioner *p, struct op *op)
{
    struct builder b = rewrite_before(p->module, op);
    const struct tiling *wanted = spmd_mesh_tiling(p->arena, p->mesh, op->attrs.sharding.sharding,
                                                   op->results[0].type->shape.rank);
    replace(p, op, reshard(p, &b, op->operands[0], wanted));
}

/* The tiling of a full value whose shards along manual axes have the tiling `local`: the manual
 * axes of its sharding, then those of `local`. */
static struct tiling *full_tiling(struct partitioner *p, const struct sharding *sharding,
                                  const struct tiling *local)
{
    struct arena *arena = p->arena;
    const struct tiling *full = spmd_mesh_tiling(arena, p->mesh, sharding, local->rank);
    uint32_t manual = spmd_mesh_manual_axes(p->mesh, sharding);
    struct tiling *tiling = tiling_replicated(arena, full->rank);
    tiling->unreduced = (full->unreduced & manual) | local->unreduced;
    for (int dim = 0; dim < full->rank; dim++) {
        struct axis_list *list = &tiling->dims[dim];
        for (int i = 0; i < full->dims[dim].count; i++)
            if (manual >> full->dims[dim].at[i] & 1)
                list->at[list->count++] = full->dims[dim].at[i];
        for (int i = 0; i < local->dims[dim].count; i++)
            if (!((manual | tiling_axes(tiling)) >> local->dims[dim].at[i] & 1))
                list->at[list->count++] = local->dims[dim].at[i];
    }
    return tiling;
}

/* The axes of the list that are not in `axes`. */
static struct axis_list without(const struct axis_list *list, uint32_t axes)
{
    struct axis_list left = {0};
    for (int i = 0; i < list->count; i++)
        if (!(axes >> list->at[i] & 1))
            left.at[left.count++] = list->at[i];
    return left;
}

/* The tiling of a shard of a manual computation, without the manual axes, which a value may have
 * that was outside of the computation, and without the axes that do not divide its dimensions that
 * manual axes shard, too: padding would be amid the full value. */
static const struct tiling *even_tiling(struct partitioner *p, const struct sharding *sharding,
                                        const struct type *shard, const struct tiling *local)
{
    uint32_t manual = spmd_mesh_manual_axes(p->mesh, sharding);
    struct tiling *even = tiling_copy(p->arena, local);
    even->unreduced &= ~manual;
    for (int dim = 0; dim < even->rank; dim++) {
        even->dims[dim] = without(&even->dims[dim], manual);
        if (sharding_manual_size(sharding, dim) > 1 &&
            shard->shape.dims[dim] % axis_list_size(p->grid, &even->dims[dim]))
            even->dims[dim].count = 0;
    }
    return even;
}

/* The operation stays as an identity of shards until the end, as the value has another global type
 * on each side of it. */
static void partition_full_to_shard(struct partitioner *p, struct op *op)
{
    const struct sharding *sharding = op->attrs.manual.sharding;
    const struct type *shard = op->results[0].type;
    const struct tiling *local = even_tiling(p, sharding, shard, partitioner_wanted(p, shard));
    partition_operand(p, op, 0, full_tiling(p, sharding, local));
    partition_result(p, &op->results[0], local);
}

static void partition_shard_to_full(struct partitioner *p, struct op *op)
{
    const struct sharding *sharding = op->attrs.manual.sharding;
    const struct shard *shard = shard_of(op->operands[0]);
    struct value *result = &op->results[0];
    const struct tiling *wanted = partitioner_wanted(p, result->type);
    partition_operand(p, op, 0, even_tiling(p, sharding, shard->global, shard->tiling));
    struct tiling *full = full_tiling(p, sharding, shard_of(op->operands[0])->tiling);
    partition_result(p, result, full);
    if (!full->unreduced)
        return;
    struct builder b = {p->module, op->block, op->next, op->location};
    partitioner_replace(p, result, reshard(p, &b, result, wanted));
}

static void partition_identities(struct partitioner *p, struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (shard_of(op->operands[i]))
            partition_result(p, &op->results[i], shard_of(op->operands[i])->tiling);
}

/* ---- control flow ---------------------------------------------------------------------------- */
static void partition_block(struct partitioner *p, struct block *block,
                            const struct tiling *const *results);

static const struct tiling **wanted_results(struct partitioner *p, const struct op *op)
{
    const struct tiling **wanted =
        ARENA_ARRAY(p->arena, const struct tiling *, (size_t)op->result_count);
    for (int i = 0; i < op->result_count; i++)
        wanted[i] = partitioner_wanted(p, op->results[i].type);
    return wanted;
}

static void partition_arguments(struct partitioner *p, struct block *block,
                                const struct tiling *const *tilings)
{
    for (int i = 0; i < block->argument_count; i++)
        partition_result(p, &block->arguments[i], tilings[i]);
}

static void partition_while(struct partitioner *p, struct op *op)
{
    const struct tiling **wanted = wanted_results(p, op);
    const struct tiling *condition = tiling_replicated(p->arena, 0);
    for (int i = 0; i < op->operand_count; i++) {
        partition_operand(p, op, i, wanted[i]);
        partition_result(p, &op->results[i], wanted[i]);
    }
    partition_arguments(p, op->regions[0], wanted);
    partition_arguments(p, op->regions[1], wanted);
    partition_block(p, op->regions[0], &condition);
    partition_block(p, op->regions[1], wanted);
}

static void partition_branches(struct partitioner *p, struct op *op)
{
    const struct tiling **wanted = wanted_results(p, op);
    for (int i = 0; i < op->result_count; i++)
        partition_result(p, &op->results[i], wanted[i]);
    for (int r = 0; r < op->region_count; r++)
        partition_block(p, op->regions[r], wanted);
}

/* ---- blocks ---------------------------------------------------------------------------------- */
static void partition_return(struct partitioner *p, struct op *op,
                             const struct tiling *const *results)
{
    for (int i = 0; i < op->operand_count; i++)
        partition_operand(p, op, i, results[i]);
}

static void partition_one(struct partitioner *p, struct op *op, const struct tiling *const *results)
{
    switch (op->code) {
    case OP_return: partition_return(p, op, results); break;
    case OP_sharding_constraint: partition_constraint(p, op); break;
    case OP_full_to_shard: partition_full_to_shard(p, op); break;
    case OP_shard_to_full: partition_shard_to_full(p, op); break;
    case OP_sharding_group:
    case OP_optimization_barrier: partition_identities(p, op); break;
    case OP_while: partition_while(p, op); break;
    case OP_if:
    case OP_case: partition_branches(p, op); break;
    default: partition_op(p, op);
    }
}

static void partition_from(struct partitioner *p, struct op *first,
                           const struct tiling *const *results)
{
    for (struct op *op = first, *next; op; op = next) {
        next = op->next;
        partition_one(p, op, results);
    }
}

static void partition_block(struct partitioner *p, struct block *block,
                            const struct tiling *const *results)
{
    partition_from(p, block->first, results);
}

/* Finds the rules of all operations while their operands still have global types. */
static void prepare_notes(struct partitioner *p, struct block *block, bool control)
{
    for (int i = 0; i < block->argument_count; i++)
        block->arguments[i].note = NULL;
    for (struct op *op = block->first; op; op = op->next) {
        bool inside = control && op_info(op->code)->traits & OP_CONTROL;
        op->note = control ? partition_rule(p, op) : NULL;
        for (int i = 0; i < op->result_count; i++)
            op->results[i].note = NULL;
        for (int r = 0; r < op->region_count; r++)
            prepare_notes(p, op->regions[r], inside);
    }
}

/* ---- the entry function ---------------------------------------------------------------------- */
/* The declared type of a shard: with the sharding and layout of the whole. */
static const struct type *declared_shard(struct partitioner *p, const struct type *whole)
{
    struct arena *arena = p->module->arena;
    const struct type *local =
        tiling_local_type(arena, p->grid, partitioner_wanted(p, whole), whole);
    struct type *declared = arena_copy(arena, whole, sizeof *whole);
    declared->shape.dims = local->shape.dims;
    return declared;
}

static const struct type *without_sharding(struct partitioner *p, const struct type *type)
{
    return type_with_sharding(p->module->arena, type, NULL);
}

/* Moves the shards of a value from the order of devices of its sharding to the grid's, or back. */
static struct value *move_shards(struct partitioner *p, struct builder *b, struct value *value,
                                 const struct sharding *sharding, bool enters)
{
    const int64_t *moves = spmd_mesh_moves(p->mesh, sharding);
    const struct shard *shard = shard_of(value);
    if (!moves || tiling_is_replicated(shard->tiling))
        return value;
    int64_t count = p->grid->device_count;
    int64_t *pairs = ARENA_ARRAY(p->module->arena, int64_t, 2 * (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        pairs[2 * i] = enters ? moves[i] : i;
        pairs[2 * i + 1] = enters ? i : moves[i];
    }
    struct value *moved = collective_permute(p, b, value, count, pairs);
    shard_set(p, moved, shard->global, shard->tiling);
    return moved;
}

/* `types`: of the arguments as the client sees them. */
static void move_arguments(struct partitioner *p, struct func *func,
                           const struct type *const *types)
{
    struct builder b = rewrite_before(p->module, func->body->first);
    for (int i = 0; i < func->body->argument_count; i++) {
        struct value *argument = &func->body->arguments[i];
        struct use *use = argument->uses, *next;
        struct value *moved = move_shards(p, &b, argument, types[i]->sharding, true);
        for (; use && moved != argument; use = next) {
            next = use->next;
            if (use->user != moved->def)
                ir_set_operand(p->module, use->user, use->operand, moved);
        }
    }
}

static void move_results(struct partitioner *p, struct func *func)
{
    struct op *end = func->body->last;
    struct builder b = rewrite_before(p->module, end);
    for (int i = 0; i < func->result_count; i++) {
        struct value *result = end->operands[i];
        struct value *moved =
            shard_of(result) ? move_shards(p, &b, result, func->result_types[i]->sharding, false)
                             : result;
        if (moved != result)
            ir_set_operand(p->module, end, i, moved);
    }
}

static void partition_entry(struct partitioner *p)
{
    struct func *func = p->module->entry;
    struct block *body = func->body;
    struct op *first = body->first;
    size_t arguments = (size_t)body->argument_count, results = (size_t)func->result_count;
    const struct type **types = ARENA_ARRAY(p->module->arena, const struct type *, arguments);
    const struct tiling **given = ARENA_ARRAY(p->arena, const struct tiling *, arguments);
    const struct tiling **wanted = ARENA_ARRAY(p->arena, const struct tiling *, results);
    for (size_t i = 0; i < arguments; i++) {
        types[i] = declared_shard(p, body->arguments[i].type);
        given[i] = partitioner_wanted(p, body->arguments[i].type);
    }
    for (size_t i = 0; i < results; i++) {
        wanted[i] = partitioner_wanted(p, func->result_types[i]);
        func->result_types[i] = declared_shard(p, func->result_types[i]);
    }
    prepare_notes(p, body, true);
    partition_arguments(p, body, given);
    for (size_t i = 0; i < arguments; i++)
        body->arguments[i].type = without_sharding(p, types[i]);
    move_arguments(p, func, types);
    partition_from(p, first, wanted);
    move_results(p, func);
    func->argument_types = types;
}

/* ---- what is left ---------------------------------------------------------------------------- */
static bool is_identity(const struct op *op)
{
    return op->code == OP_sharding_constraint || op->code == OP_full_to_shard ||
           op->code == OP_shard_to_full || op->code == OP_sharding_group;
}

static void remove_identities(struct partitioner *p, struct block *block)
{
    for (struct op *op = block->first, *next; op; op = next) {
        next = op->next;
        for (int r = 0; r < op->region_count; r++)
            remove_identities(p, op->regions[r]);
        if (is_identity(op))
            replace(p, op, op->operands[0]);
    }
}

struct error *spmd_partition_run(struct module *module, const struct target *target)
{
    struct arena *arena = arena_scratch(module->arena);
    struct partitioner p = {.module = module,
                            .arena = arena,
                            .is_modeled = target && target->accelerator,
                            .agrees_first = target && target->accelerator &&
                                            target->accelerator->agrees_before_partitioning,
                            .groups = map_create(arena),
                            .offsets = map_create(arena),
                            .moves = map_create(arena)};
    if (module->num_partitions > 1) {
        TRY(spmd_mesh_create(module, &p.mesh));
        p.grid = spmd_mesh_grid(p.mesh);
        partition_entry(&p);
    }
    remove_identities(&p, module->entry->body);
    return NULL;
}
