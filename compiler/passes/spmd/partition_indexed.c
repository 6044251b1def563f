#include "compiler/passes/spmd/partition_indexed.h"

#include "compiler/ir/along_dim.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/passes/spmd/partition_partial.h"
#include "compiler/passes/spmd/partition_request.h"
#include "compiler/passes/spmd/partition_values.h"
#include "compiler/passes/spmd/reshard.h"
#include "compiler/passes/spmd/spmd_collective.h"

struct indexed {
    struct op *op;
    int dim;       /* of the operand: sharded, and one element at a time is selected */
    int component; /* of an index vector: the index along `dim` */
    int index_dim; /* of the indices: holds the vectors; their rank when they are scalars */
    struct axis_list axes;
};

/* ---- recognizing ----------------------------------------------------------------------------- */
static bool selects_one(const struct op *op, int64_t dim)
{
    return op->code == OP_gather ? op->attrs.gather.slice_sizes.at[dim] == 1
                                 : dims_contain(op->attrs.scatter.inserted_window_dims, dim);
}

/* An accelerator's partitioner makes the constant that a scatter begins with in the parts that the
 * result has. */
static const struct tiling *tiling_of_operand(struct partitioner *p, const struct op *op)
{
    const struct op *def = op->operands[0]->def;
    if (p->is_modeled && op->code == OP_scatter && def && def->code == OP_constant)
        return partitioner_wanted(p, op->results[0].type);
    return shard_of(op->operands[0])->tiling;
}

static bool find(struct partitioner *p, struct op *op, struct indexed *found)
{
    bool gathers = op->code == OP_gather;
    if (!gathers && (op->code != OP_scatter || op->result_count != 1))
        return false;
    struct dims map =
        gathers ? op->attrs.gather.start_index_map : op->attrs.scatter.scatter_dims_to_operand_dims;
    const struct tiling *tiling = tiling_of_operand(p, op);
    *found = (struct indexed){.op = op, .dim = -1};
    found->index_dim =
        (int)(gathers ? op->attrs.gather.index_vector_dim : op->attrs.scatter.index_vector_dim);
    for (int64_t i = 0; i < map.count; i++) {
        const struct axis_list *axes = &tiling->dims[map.at[i]];
        if (!axes->count)
            continue;
        if (found->dim >= 0 || !selects_one(op, map.at[i]))
            return false;
        found->dim = (int)map.at[i], found->component = (int)i, found->axes = *axes;
    }
    return found->dim >= 0;
}

/* The bytes of operand or result `type` on a participant, in the tiling of `dims`. */
static double local_bytes(struct partitioner *p, const struct factor_axes *axes,
                          const struct factor_dims *dims, const struct type *type)
{
    struct arena *arena = p->module->arena;
    const struct tiling *tiling = factor_axes_tiling(arena, axes, dims);
    return (double)type_bytes(tiling_local_type(arena, p->grid, tiling, type));
}

/* Compares the sum of the results with gathering the operand; an accelerator's partitioner compares
 * what a participant has afterwards: the whole operand, or a gather's results or a scatter's
 * updates. */
static bool is_cheaper(struct partitioner *p, const struct indexed *x,
                       const struct factor_axes *axes)
{
    const struct op *op = x->op;
    const struct sharding_rule *rule = axes->rule;
    const struct type *operand = shard_of(op->operands[0])->global;
    double n = (double)axis_list_size(p->grid, &x->axes);
    if (p->is_modeled && op->code == OP_scatter)
        return local_bytes(p, axes, &rule->operands[2], shard_of(op->operands[2])->global) <
               (double)type_bytes(operand);
    if (op->code == OP_scatter)
        return true;
    double result = local_bytes(p, axes, &rule->results[0], op->results[0].type);
    double part = (double)type_bytes(op->operands[0]->type);
    return p->is_modeled ? result < n * part : 2 / n * result < part;
}

/* ---- indices --------------------------------------------------------------------------------- */
static struct value *offset_of(struct partitioner *p, struct builder *b, const struct indexed *x)
{
    const struct value *operand = x->op->operands[0];
    return reshard_offset(p, b, shard_of(operand)->tiling, x->dim,
                          operand->type->shape.dims[x->dim]);
}

/* `at` for the component along the sharded dimension, `rest` for others: a value like `wide`. */
static struct value *by_component(struct builder *b, const struct indexed *x, struct value *wide,
                                  struct value *at, int64_t rest)
{
    struct value *selected = rewrite_broadcast_scalar(b, at, wide->type);
    if (x->index_dim >= wide->type->shape.rank)
        return selected;
    struct value *component = build_iota(b, wide->type, x->index_dim);
    struct value *is_selected =
        build_compare(b, COMPARE_EQ, component, build_splat(b, wide->type, (double)x->component));
    return build_select(b, is_selected, selected, build_splat(b, wide->type, (double)rest));
}

/* The indices with the one along the sharded dimension relative to the shard, as s64. A gather's
 * end at the last element, where the last shard is padded. */
static struct value *relative(struct partitioner *p, struct builder *b, const struct indexed *x,
                              struct value *indices, struct value *offset)
{
    const struct shard *shard = shard_of(indices);
    int64_t whole = shard_of(x->op->operands[0])->global->shape.dims[x->dim];
    struct value *wide = build_convert(b, indices, DTYPE_S64);
    if (x->op->code == OP_gather && whole % axis_list_size(p->grid, &x->axes)) {
        struct value *last = build_scalar(b, DTYPE_S64, (double)(whole - 1));
        wide = build_binary(b, OP_minimum, wide, by_component(b, x, wide, last, INT64_C(1) << 53));
    }
    wide = build_binary(b, OP_subtract, wide, by_component(b, x, wide, offset, 0));
    shard_set(p, wide, type_with_dtype(p->module->arena, shard->global, DTYPE_S64), shard->tiling);
    return wide;
}

/* The indices along the sharded dimension: the index vectors' component without their dimension. */
static struct value *component_of(struct builder *b, const struct indexed *x, struct value *indices)
{
    return x->index_dim >= indices->type->shape.rank
               ? indices
               : along_dim_element(b, indices, (int)x->index_dim, x->component);
}

/* Whether each index, clamped to the whole dimension as the operation does, is in the shard. */
static struct value *is_inside(struct builder *b, const struct indexed *x, struct value *indices,
                               struct value *offset)
{
    const struct shard *operand = shard_of(x->op->operands[0]);
    int64_t whole = operand->global->shape.dims[x->dim];
    int64_t local = x->op->operands[0]->type->shape.dims[x->dim];
    struct value *index = build_convert(b, component_of(b, x, indices), DTYPE_S64);
    const struct type *type = index->type;
    index = build_binary(b, OP_maximum, index, build_splat(b, type, 0));
    index = build_binary(b, OP_minimum, index, build_splat(b, type, (double)(whole - 1)));
    index = build_binary(b, OP_subtract, index, rewrite_broadcast_scalar(b, offset, type));
    struct value *low = build_compare(b, COMPARE_GE, index, build_splat(b, type, 0));
    struct value *high = build_compare(b, COMPARE_LT, index, build_splat(b, type, (double)local));
    return build_binary(b, OP_and, low, high);
}

/* ---- results --------------------------------------------------------------------------------- */
/* Zeros where the index is in another shard. */
static struct value *masked(struct partitioner *p, struct builder *b, const struct indexed *x,
                            struct value *inside)
{
    struct value *result = &x->op->results[0];
    const struct type *mask = type_with_dtype(p->module->arena, result->type, DTYPE_PRED);
    int64_t batch[SHAPE_MAX_RANK];
    int count = 0;
    for (int i = 0; i < result->type->shape.rank; i++)
        if (!dims_contain(x->op->attrs.gather.offset_dims, i))
            batch[count++] = i;
    struct value *wide = build_broadcast(b, inside, mask, count, batch);
    struct value *zeros = build_splat(b, result->type, 0);
    struct value *value = build_select(b, wide, result, zeros);
    shard_set(p, value, shard_of(result)->global, shard_of(result)->tiling);
    partition_set_unreduced(p, value, &x->axes);
    return value;
}

static void sum_results(struct partitioner *p, const struct indexed *x, struct value *inside,
                        const struct tiling *wanted)
{
    struct op *op = x->op;
    struct builder b = {p->module, op->block, op->next, op->location};
    struct value *partial = masked(p, &b, x, inside);
    partitioner_replace(p, &op->results[0], reshard(p, &b, partial, wanted));
}

static void partition_values(struct partitioner *p, const struct indexed *x,
                             const struct factor_axes *axes)
{
    struct arena *arena = p->arena;
    for (int i = 0; i < x->op->operand_count; i++) {
        struct tiling *tiling = factor_axes_tiling(arena, axes, &axes->rule->operands[i]);
        if (i == 0)
            tiling->dims[x->dim] = x->axes;
        partition_operand(p, x->op, i, tiling);
    }
    struct tiling *tiling = factor_axes_tiling(arena, axes, &axes->rule->results[0]);
    if (x->op->code == OP_scatter)
        tiling->dims[x->dim] = x->axes;
    partition_result(p, &x->op->results[0], tiling);
}

bool partition_indexed(struct partitioner *p, struct op *op, const struct sharding_rule *rule)
{
    struct indexed x;
    if (!find(p, op, &x))
        return false;
    struct factor_axes axes = partition_choose(p, op, rule, x.dim, &x.axes);
    if (!is_cheaper(p, &x, &axes))
        return false;
    const struct type *global = op->results[0].type;
    struct builder b = rewrite_before(p->module, op);
    partition_values(p, &x, &axes);
    const struct tiling *wanted =
        global->sharding ? partitioner_wanted(p, global) : shard_of(&op->results[0])->tiling;
    struct value *indices = op->operands[1], *offset = offset_of(p, &b, &x);
    struct value *inside = op->code == OP_gather ? is_inside(&b, &x, indices, offset) : NULL;
    ir_set_operand(p->module, op, 1, relative(p, &b, &x, indices, offset));
    partition_attributes(p, op);
    if (inside)
        sum_results(p, &x, inside, wanted);
    else
        partition_complete(p, op, &axes, &wanted);
    return true;
}
