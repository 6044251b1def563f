#include "compiler/passes/spmd/partition_call.h"

#include <string.h>

#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/passes/spmd/partition_values.h"
#include "compiler/passes/spmd/spmd_collective.h"

/* Callbacks of JAX with partitioned=True: its name of the call, and that of our Python package. */
static bool is_for_each_shard(const struct op *op)
{
    static const char *const names[] = {"xla_ffi_partitioned_python_cpu_callback",
                                        "gantry_python_callback_per_shard"};
    struct string target = op->attrs.custom_call.call_target_name;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == target.size && !memcmp(target.data, names[i], target.size))
            return !op->result_count;
    return false;
}

/* ---- on one device --------------------------------------------------------------------------- */
static struct value *is_on_device(struct builder *b, int64_t device)
{
    const struct type *u32 = type_scalar(b->module->arena, DTYPE_U32);
    struct value *id = build_declared(b, OP_partition_id, 0, NULL, u32, NULL);
    return build_compare(b, COMPARE_EQ, id, build_scalar(b, DTYPE_U32, (double)device));
}

/* The device on which an operation with effects is; -1: it has none, or is on all. */
static int64_t device_of(const struct op *op)
{
    bool is_pure = op->code == OP_custom_call && !op->attrs.custom_call.has_side_effect;
    return is_pure ? -1 : ir_device(op);
}

static void make_whole(struct partitioner *p, struct op *op)
{
    struct arena *arena = p->arena;
    for (int i = 0; i < op->operand_count; i++)
        if (shard_of(op->operands[i]))
            partition_operand(p, op, i,
                              tiling_replicated(arena, op->operands[i]->type->shape.rank));
    for (int i = 0; i < op->result_count; i++)
        partition_result(p, &op->results[i],
                         tiling_replicated(arena, op->results[i].type->shape.rank));
}

/* The call itself, and what it returns. */
static void fill_region(struct partitioner *p, struct block *block, const struct op *op)
{
    struct builder b = {p->module, block, NULL, op->location};
    struct value **values = ARENA_ARRAY(p->module->arena, struct value *, op->result_count + 1);
    struct op *call = ir_clone(p->module, op, map_create(p->module->arena));
    ir_append(block, call);
    for (int i = 0; i < op->result_count; i++)
        values[i] = &call->results[i];
    build_return(&b, op->result_count, values);
}

/* Zeros, and a new token for each token. */
static void fill_other_region(struct partitioner *p, struct block *block, const struct op *op)
{
    struct builder b = {p->module, block, NULL, op->location};
    struct value **values = ARENA_ARRAY(p->module->arena, struct value *, op->result_count + 1);
    for (int i = 0; i < op->result_count; i++) {
        const struct type *type = op->results[i].type;
        values[i] = type->kind == TYPE_TENSOR
                        ? build_splat(&b, type, 0)
                        : build_declared(&b, OP_after_all, 0, NULL, type, NULL);
    }
    build_return(&b, op->result_count, values);
}

static struct op *make_branch(struct partitioner *p, struct op *op)
{
    struct builder b = rewrite_before(p->module, op);
    struct value *condition = is_on_device(&b, device_of(op));
    const struct type **types =
        ARENA_ARRAY(p->module->arena, const struct type *, op->result_count + 1);
    for (int i = 0; i < op->result_count; i++)
        types[i] = op->results[i].type;
    struct op *branch = ir_op(p->module, OP_if, 1, &condition, op->result_count, types, 2);
    branch->location = op->location;
    for (int r = 0; r < 2; r++)
        branch->regions[r] = ir_block(p->module, op->block->func, branch, 0, NULL);
    fill_region(p, branch->regions[0], op);
    fill_other_region(p, branch->regions[1], op);
    ir_insert_before(op, branch);
    return branch;
}

static struct axis_list all_axes(const struct partitioner *p)
{
    struct axis_list list = {0};
    while (list.count < p->grid->axis_count)
        list.at[list.count] = list.count, list.count++;
    return list;
}

/* All devices get the result of the one that has it; the others have zeros. */
static void send_result(struct partitioner *p, struct op *op, int i, struct value *from)
{
    struct builder b = rewrite_before(p->module, op);
    const struct shard *shard = shard_of(&op->results[i]);
    struct axis_list axes = all_axes(p);
    if (shard) {
        bool is_pred = from->type->shape.dtype == DTYPE_PRED;
        from = collective_all_reduce(p, &b, from, &axes, is_pred ? OP_or : OP_add);
        shard_set(p, from, shard->global, shard->tiling);
    }
    ir_replace_uses(p->module, &op->results[i], from);
}

bool partition_call(struct partitioner *p, struct op *op)
{
    int64_t device = device_of(op);
    if (op->code == OP_custom_call && is_for_each_shard(op))
        return true;
    if (device < 0 || device >= p->grid->device_count)
        return false;
    make_whole(p, op);
    struct op *branch = make_branch(p, op);
    for (int i = 0; i < op->result_count; i++)
        send_result(p, op, i, &branch->results[i]);
    ir_remove(op);
    return true;
}
