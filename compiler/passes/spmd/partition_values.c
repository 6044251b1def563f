#include "compiler/passes/spmd/partition_values.h"

#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/passes/spmd/reshard.h"

/* ---- operands and results -------------------------------------------------------------------- */
void partition_operand(struct partitioner *p, struct op *op, int i, const struct tiling *to)
{
    struct builder b = rewrite_before(p->module, op);
    if (shard_of(op->operands[i]))
        ir_set_operand(p->module, op, i, reshard(p, &b, op->operands[i], to));
}

void partition_result(struct partitioner *p, struct value *result, const struct tiling *tiling)
{
    const struct type *global = type_plain(p->module->arena, result->type);
    if (global->kind != TYPE_TENSOR)
        return;
    const struct type *local = tiling_local_type(p->module->arena, p->grid, tiling, global);
    result->type = type_with_memory(p->module->arena, local, result->type->shape.memory);
    shard_set(p, result, global, tiling);
}

static void replicate_inside(struct partitioner *p, struct builder *b, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        for (int i = 0; i < op->operand_count; i++) {
            struct value *value = op->operands[i];
            if (shard_of(value) && value->type->shape.rank)
                ir_set_operand(
                    p->module, op, i,
                    reshard(p, b, value, tiling_replicated(p->arena, value->type->shape.rank)));
        }
        for (int r = 0; r < op->region_count; r++)
            replicate_inside(p, b, op->regions[r]);
    }
}

void partition_captures(struct partitioner *p, struct op *op)
{
    struct builder b = rewrite_before(p->module, op);
    for (int r = 0; r < op->region_count; r++)
        replicate_inside(p, &b, op->regions[r]);
}

void partition_set_unreduced(struct partitioner *p, struct value *value,
                             const struct axis_list *axes)
{
    struct shard *shard = shard_of(value);
    struct tiling *tiling = tiling_copy(p->arena, shard->tiling);
    tiling->unreduced |= axis_list_set(axes);
    shard->tiling = tiling;
}

/* ---- attributes that hold sizes -------------------------------------------------------------- */
static struct dims sizes_of(struct partitioner *p, const struct value *value)
{
    return rewrite_dims(p->module, value->type->shape.dims, value->type->shape.rank);
}

/* The sizes that were those of the whole dimension become those of the shard. */
static struct dims localized(struct partitioner *p, struct dims sizes, const struct value *operand)
{
    const struct type *global = shard_of(operand)->global;
    int64_t *at = arena_copy(p->module->arena, sizes.at, (size_t)sizes.count * sizeof *at);
    for (int64_t i = 0; i < sizes.count; i++)
        if (at[i] == global->shape.dims[i])
            at[i] = operand->type->shape.dims[i];
    return (struct dims){sizes.count, at};
}

void partition_attributes(struct partitioner *p, struct op *op)
{
    switch (op->code) {
    case OP_slice:
        op->attrs.slice.limit_indices =
            localized(p, op->attrs.slice.limit_indices, op->operands[0]);
        break;
    case OP_dynamic_slice:
        op->attrs.dynamic_slice.slice_sizes = sizes_of(p, &op->results[0]);
        break;
    case OP_gather:
        op->attrs.gather.slice_sizes = localized(p, op->attrs.gather.slice_sizes, op->operands[0]);
        break;
    default: break;
    }
}
