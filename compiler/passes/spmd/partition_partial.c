#include "compiler/passes/spmd/partition_partial.h"

#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/passes/spmd/partition_values.h"
#include "compiler/passes/spmd/reshard.h"
#include "compiler/passes/spmd/spmd_collective.h"

struct combiner partition_combiner(const struct op *op)
{
    enum op_code code = op->region_count ? op->regions[0]->first->code : OP_add;
    bool repeatable = code == OP_maximum || code == OP_minimum || code == OP_and || code == OP_or;
    return (struct combiner){code, repeatable, code == OP_multiply};
}

static bool has_simple_combiner(const struct op *op)
{
    return !op->region_count || sharding_rules_is_combiner(op, 0);
}

/* Of operand i, which each partition's partial result would count again: the value itself on the
 * first participant, the identity on the others. */
static void count_once(struct partitioner *p, struct op *op, int i, struct combiner combiner,
                       const struct axis_list *axes)
{
    struct builder b = rewrite_before(p->module, op);
    struct value *value = op->operands[i];
    const struct op *def = value->def;
    if (combiner.repeatable || (def && def->code == OP_constant &&
                                literal_is_splat_of(def->attrs.constant.value, combiner.identity)))
        return;
    struct value *index = collective_shard_index(p, &b, axes);
    struct value *is_first = build_compare(&b, COMPARE_EQ, index, build_scalar(&b, DTYPE_S64, 0));
    struct value *identity = build_splat(&b, value->type, combiner.identity);
    const struct type *mask = type_with_dtype(p->module->arena, value->type, DTYPE_PRED);
    if (value->type->shape.rank)
        is_first = rewrite_broadcast_scalar(&b, is_first, mask);
    struct value *once = build_select(&b, is_first, value, identity);
    shard_set(p, once, shard_of(value)->global, shard_of(value)->tiling);
    ir_set_operand(p->module, op, i, once);
}

/* The operands that a partial result starts from: the initial values of a reduce, the inputs of a
 * scatter. */
static bool is_start(const struct op *op, int i)
{
    if (op->code == OP_reduce || op->code == OP_reduce_window)
        return i >= op->operand_count / 2;
    return op->code == OP_scatter && i < op->operand_count / 2;
}

static bool is_padded(struct partitioner *p, const struct value *value, int dim)
{
    const struct shard *shard = shard_of(value);
    return shard->global->shape.dims[dim] % axis_list_size(p->grid, &shard->tiling->dims[dim]);
}

/* What padding of operand i must be: the identity of the combiner or, where counting it again
 * makes no difference, the initial value. */
static struct value *padding_of(struct builder *b, const struct op *op, int i)
{
    struct combiner combiner = partition_combiner(op);
    if (op->code == OP_reduce && (!has_simple_combiner(op) || combiner.repeatable))
        return op->operands[op->operand_count / 2 + i];
    double identity = op->code == OP_reduce ? combiner.identity : 0;
    return build_scalar(b, op->operands[i]->type->shape.dtype, identity);
}

/* The indices of a scatter, as s64, so that -1 is no element: updates there are left out. */
static struct value *wide_indices(struct partitioner *p, struct builder *b, struct op *op,
                                  struct value *indices)
{
    const struct shard *shard = shard_of(indices);
    struct value *wide = build_convert(b, indices, DTYPE_S64);
    if (!shard_of(wide))
        shard_set(p, wide, type_with_dtype(p->module->arena, shard->global, DTYPE_S64),
                  shard->tiling);
    op->attrs.scatter.indices_are_sorted = false;
    return wide;
}

static bool is_scatter_index(const struct op *op, int i)
{
    return op->code == OP_scatter && i == op->operand_count / 2;
}

/* Makes padding harmless along the reduction factors of operand i. */
static void mask_operand(struct partitioner *p, struct op *op, int i,
                         const struct factor_axes *axes)
{
    const struct factor_dims *dims = &axes->rule->operands[i];
    struct builder b = rewrite_before(p->module, op);
    for (int dim = 0; dim < dims->rank; dim++) {
        if (dims->dims[dim].count != 1 || !is_padded(p, op->operands[i], dim) ||
            axes->rule->factors[dims->dims[dim].at[0]].kind != FACTOR_REDUCTION)
            continue;
        struct value *value = op->operands[i];
        if (is_scatter_index(op, i))
            value = wide_indices(p, &b, op, value);
        struct value *fill =
            is_scatter_index(op, i) ? build_scalar(&b, DTYPE_S64, -1) : padding_of(&b, op, i);
        ir_set_operand(p->module, op, i, reshard_mask(p, &b, value, dim, fill));
    }
}

static void prepare_partial(struct partitioner *p, struct op *op, const struct factor_axes *axes,
                            const struct axis_list *reduced)
{
    for (int i = 0; i < op->operand_count; i++) {
        if (is_start(op, i))
            continue;
        mask_operand(p, op, i, axes);
    }
    for (int i = 0; i < op->operand_count; i++)
        if (is_start(op, i) && has_simple_combiner(op))
            count_once(p, op, i, partition_combiner(op), reduced);
}

/* Whether the result is summed over all axes before the wanted part is cut out; products are
 * summed over the axes of the wanted part first. */
static bool sums_at_once(const struct partitioner *p, const struct op *op,
                         const struct axis_list *reduced)
{
    return p->is_modeled && reduced->count > 1 && (p->agrees_first || op->code != OP_dot_general);
}

/* Replaces the uses of a partial result by the complete one in the tiling that is wanted. */
static void complete(struct partitioner *p, struct op *op, int i, const struct axis_list *reduced,
                     const struct tiling *wanted)
{
    struct value *partial = &op->results[i], *whole;
    struct builder b = {p->module, op->block, op->next, op->location};
    const struct shard *shard = shard_of(partial);
    enum op_code code = partition_combiner(op).code;
    if (code == OP_add && !sums_at_once(p, op, reduced)) {
        partition_set_unreduced(p, partial, reduced);
        whole = reshard(p, &b, partial, wanted);
    } else {
        whole = collective_all_reduce(p, &b, partial, reduced, code);
        shard_set(p, whole, shard->global, shard->tiling);
    }
    partitioner_replace(p, partial, whole);
}

/* The partial results of all participants, along a new dimension. */
static struct value *gather_partial(struct partitioner *p, struct builder *b, struct value *partial,
                                    const struct axis_list *reduced, int dim)
{
    const struct shape *shape = &partial->type->shape;
    int64_t dims[SHAPE_MAX_RANK + 1];
    for (int i = 0; i <= shape->rank; i++)
        dims[i] = i == dim ? 1 : shape->dims[i - (i > dim)];
    struct value *row = build_reshape(b, partial, shape->rank + 1, dims);
    return collective_all_gather(p, b, row, reduced, dim);
}

/* The dimension along which partial results are gathered: the first, where they are contiguous;
 * libtpu's partitioner keeps the one that is reduced. */
static int gathered_dimension(const struct partitioner *p, const struct op *op)
{
    struct dims reduced = op->attrs.dimensions.dimensions;
    return p->is_modeled && reduced.count == 1 ? (int)reduced.at[0] : 0;
}

/* Completes the results of a reduce whose region is no single operation: gathers the partial ones
 * and reduces them again. */
static void reduce_again(struct partitioner *p, struct op *op, const struct axis_list *reduced)
{
    struct builder b = {p->module, op->block, op->next, op->location};
    struct op *again = ir_clone(p->module, op, map_create(p->module->arena));
    int64_t dim = gathered_dimension(p, op);
    for (int i = 0; i < op->result_count; i++)
        ir_set_operand(p->module, again, i,
                       gather_partial(p, &b, &op->results[i], reduced, (int)dim));
    again->attrs.dimensions.dimensions = rewrite_dims(p->module, &dim, 1);
    ir_insert_before(b.before, again);
    for (int i = 0; i < op->result_count; i++) {
        const struct shard *shard = shard_of(&op->results[i]);
        again->results[i].type = op->results[i].type;
        shard_set(p, &again->results[i], shard->global, shard->tiling);
        partitioner_replace(p, &op->results[i], &again->results[i]);
    }
}

void partition_complete(struct partitioner *p, struct op *op, const struct factor_axes *axes,
                        const struct tiling *const *wanted)
{
    struct axis_list reduced = factor_axes_reduced(axes);
    if (!reduced.count)
        return;
    prepare_partial(p, op, axes, &reduced);
    if (!has_simple_combiner(op)) {
        reduce_again(p, op, &reduced);
        return;
    }
    for (int i = 0; i < op->result_count; i++)
        complete(p, op, i, &reduced, wanted[i]);
}
