/* partition_update.c: see partition_update.h. Each partition writes a slice of the update's size at
 * the place in its shard that is closest to the index; rows of it that are not the update's keep
 * what they hold. */
#include "compiler/passes/spmd/partition_update.h"

#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/ir/along_dim.h"
#include "compiler/passes/spmd/partition_request.h"
#include "compiler/passes/spmd/partition_values.h"
#include "compiler/passes/spmd/reshard.h"

enum { OPERAND, UPDATE, INDICES };

struct update {
    struct op *op;
    int dim; /* that is sharded, and of which the update is a part */
    struct axis_list axes;
    int64_t size, shard; /* of the update and of a shard along it */
};

/* ---- recognizing ----------------------------------------------------------------------------- */
static bool find(struct partitioner *p, struct op *op, struct update *found)
{
    *found = (struct update){.op = op, .dim = -1};
    if (op->code != OP_dynamic_update_slice)
        return false;
    const struct shard *operand = shard_of(op->operands[OPERAND]);
    const int64_t *whole = operand->global->shape.dims,
                  *part = shard_of(op->operands[UPDATE])->global->shape.dims;
    for (int d = 0; d < operand->global->shape.rank; d++) {
        const struct axis_list *axes = &operand->tiling->dims[d];
        if (!axes->count || whole[d] == part[d])
            continue;
        if (found->dim >= 0)
            return false;
        found->dim = d, found->axes = *axes, found->size = part[d];
        found->shard = tiling_local_size(p->grid, operand->tiling, d, whole[d]);
    }
    /* libtpu gathers the operand for larger updates */
    return found->dim >= 0 && found->size > 0 && found->size <= (p->is_modeled ? 1 : found->shard);
}

/* ---- indices --------------------------------------------------------------------------------- */
static struct value *number(struct builder *b, int64_t value)
{
    return build_scalar(b, DTYPE_S64, (double)value);
}

static struct value *clamped(struct builder *b, struct value *value, int64_t low, int64_t high)
{
    value = build_binary(b, OP_maximum, value, number(b, low));
    return build_binary(b, OP_minimum, value, number(b, high));
}

/* Where the update begins, relative to the shard. */
static struct value *relative(struct partitioner *p, struct builder *b, const struct update *u)
{
    const struct value *operand = u->op->operands[OPERAND];
    int64_t whole = shard_of(operand)->global->shape.dims[u->dim];
    struct value *index = u->op->operands[INDICES + u->dim];
    struct value *offset = reshard_offset(p, b, shard_of(operand)->tiling, u->dim, u->shard);
    index = clamped(b, build_convert(b, index, DTYPE_S64), 0, whole - u->size);
    return build_binary(b, OP_subtract, index, offset);
}

/* ---- rows ------------------------------------------------------------------------------------ */
/* What the slice at `start` holds. */
static struct value *present(struct builder *b, const struct update *u, struct value *start)
{
    const struct shape *shape = &u->op->operands[UPDATE]->type->shape;
    struct value *starts[SHAPE_MAX_RANK];
    for (int d = 0; d < shape->rank; d++)
        starts[d] = d == u->dim ? start : u->op->operands[INDICES + d];
    return build_dynamic_slice(b, u->op->operands[OPERAND], starts, shape->dims);
}

/* Row r of the result is row r + shift of the update, where it has one. */
static struct value *shifted(struct builder *b, const struct update *u, struct value *shift)
{
    struct value *update = u->op->operands[UPDATE];
    if (u->size == 1)
        return update;
    struct value *wide = along_dim_pad(b, update, u->dim, u->size, u->size, 0, NULL);
    struct value *start = build_binary(b, OP_add, shift, number(b, u->size));
    return along_dim_take(b, wide, u->dim, start, u->size);
}

/* Replaces update and index by what this partition writes, and where. */
static void localize(struct partitioner *p, struct builder *b, const struct update *u)
{
    struct op *op = u->op;
    const struct shard *update = shard_of(op->operands[UPDATE]);
    enum dtype dtype = op->operands[INDICES + u->dim]->type->shape.dtype;
    struct value *begin = relative(p, b, u), *start = clamped(b, begin, 0, u->shard - u->size);
    struct value *shift = build_binary(b, OP_subtract, start, begin);
    struct value *place = build_convert(b, start, dtype);
    struct value *old = present(b, u, place);
    struct value *is_new = along_dim_between(b, old->type, u->dim, shift, 0, u->size);
    struct value *row = build_select(b, is_new, shifted(b, u, shift), old);
    shard_set(p, row, update->global, update->tiling);
    shard_set(p, place, place->type, tiling_replicated(p->arena, 0));
    ir_set_operand(p->module, op, UPDATE, row);
    ir_set_operand(p->module, op, INDICES + u->dim, place);
}

bool partition_update(struct partitioner *p, struct op *op, const struct sharding_rule *rule)
{
    struct arena *arena = p->module->arena;
    struct update u;
    if (!find(p, op, &u))
        return false;
    struct factor_axes axes = partition_choose(p, op, rule, u.dim, &u.axes);
    struct builder b = rewrite_before(p->module, op);
    for (int i = 0; i < op->operand_count; i++) {
        struct tiling *tiling = factor_axes_tiling(arena, &axes, &rule->operands[i]);
        if (i == OPERAND)
            tiling->dims[u.dim] = u.axes;
        partition_operand(p, op, i, tiling);
    }
    struct tiling *tiling = factor_axes_tiling(arena, &axes, &rule->results[0]);
    tiling->dims[u.dim] = u.axes;
    localize(p, &b, &u);
    partition_result(p, &op->results[0], tiling);
    return true;
}
