#include "compiler/passes/spmd/partition_op.h"

#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/passes/spmd/partition_call.h"
#include "compiler/passes/spmd/partition_indexed.h"
#include "compiler/passes/spmd/partition_moved.h"
#include "compiler/passes/spmd/partition_partial.h"
#include "compiler/passes/spmd/partition_request.h"
#include "compiler/passes/spmd/partition_rotate.h"
#include "compiler/passes/spmd/partition_scan.h"
#include "compiler/passes/spmd/partition_update.h"
#include "compiler/passes/spmd/partition_values.h"
#include "compiler/passes/spmd/reshard.h"

/* ---- without a rule -------------------------------------------------------------------------- */
static void replicate(struct partitioner *p, struct op *op)
{
    struct arena *arena = p->arena;
    for (int i = 0; i < op->operand_count; i++)
        partition_operand(p, op, i, tiling_replicated(arena, op->operands[i]->type->shape.rank));
    for (int i = 0; i < op->result_count; i++)
        partition_result(p, &op->results[i],
                         tiling_replicated(arena, op->results[i].type->shape.rank));
}

/* ---- values that depend on the shard --------------------------------------------------------- */
/* The groups of a shard: they are a factor of their own, the major one of the kernel's output
 * features, and divided exactly. */
static void localize_groups(struct partitioner *p, struct op *op, const struct factor_axes *axes)
{
    struct attrs_convolution *at = &op->attrs.convolution;
    const struct factor_dim *features =
        &axes->rule->operands[1].dims[at->kernel_output_feature_dimension];
    int64_t *groups =
        at->feature_group_count > 1 ? &at->feature_group_count : &at->batch_group_count;
    if (*groups > 1)
        *groups /= axis_list_size(p->grid, &axes->factors[features->at[0]]);
}

/* Adds where the shard begins. */
static void offset_iota(struct partitioner *p, struct op *op)
{
    int dim = (int)op->attrs.iota.iota_dimension;
    struct value *local = &op->results[0];
    const struct shard *shard = shard_of(local);
    struct builder b = {p->module, op->block, op->next, op->location};
    if (!shard->tiling->dims[dim].count)
        return;
    struct value *offset = reshard_offset(p, &b, shard->tiling, dim, local->type->shape.dims[dim]);
    offset = build_convert(&b, offset, local->type->shape.dtype);
    struct value *whole =
        build_binary(&b, OP_add, local, rewrite_broadcast_scalar(&b, offset, local->type));
    shard_set(p, whole, shard->global, shard->tiling);
    partitioner_replace(p, local, whole);
}

/* ---- by rule --------------------------------------------------------------------------------- */
/* Brings operands to tilings or ranges. Returns the result if it is made in another way, else
 * NULL. */
static struct value *partition_operands(struct partitioner *p, struct op *op,
                                        const struct factor_request *request,
                                        const struct factor_axes *axes)
{
    struct operand_ranges ranges = {0};
    if (operand_ranges_possible(request))
        ranges = operand_ranges_of(p->arena, p->grid, request, axes);
    return partition_moved(p, op, &ranges, axes);
}

/* The result of `op`, which is removed, is `value`. */
static void replace_op(struct partitioner *p, struct op *op, struct value *value)
{
    const struct shard *shard = shard_of(&op->results[0]);
    shard_set(p, value, shard->global, shard->tiling);
    ir_replace_uses(p->module, &op->results[0], value);
    ir_remove(op);
}

static void partition_by_rule(struct partitioner *p, struct op *op,
                              const struct sharding_rule *rule)
{
    struct arena *arena = p->arena;
    struct factor_request request = partition_request(p, op, rule);
    struct factor_axes axes = factor_axes_choose(arena, p->grid, &request);
    const struct tiling **wanted =
        ARENA_ARRAY(arena, const struct tiling *, (size_t)op->result_count);
    const struct shard_slice *slice = partition_moved_slice(p, op);
    struct value *made = partition_operands(p, op, &request, &axes);
    for (int i = 0; i < op->result_count; i++) {
        const struct tiling *tiling = factor_axes_tiling(arena, &axes, &rule->results[i]);
        wanted[i] = request.results[i]->rank == tiling->rank ? request.results[i] : tiling;
        partition_result(p, &op->results[i], tiling);
    }
    if (made) {
        replace_op(p, op, made);
        return;
    }
    if (slice)
        shard_of(&op->results[0])->slice = slice;
    partition_attributes(p, op);
    if (op->code == OP_iota)
        offset_iota(p, op);
    if (op->code == OP_convolution)
        localize_groups(p, op, &axes);
    partition_complete(p, op, &axes, wanted);
}

/* A constant stays whole; where a shard of it is wanted, it is sliced, or made in that size. */
void *partition_rule(struct partitioner *p, const struct op *op)
{
    return op->code == OP_constant ? NULL : (void *)sharding_rule_of(p->arena, op);
}

void partition_op(struct partitioner *p, struct op *op)
{
    const struct sharding_rule *rule = op->note;
    partition_captures(p, op);
    if (partition_call(p, op) || partition_rotate(p, op) || partition_scan(p, op))
        return;
    if (rule && (partition_indexed(p, op, rule) || partition_update(p, op, rule)))
        return;
    if (rule)
        partition_by_rule(p, op, rule);
    else
        replicate(p, op);
}
