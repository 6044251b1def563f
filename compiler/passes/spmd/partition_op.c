#include "compiler/passes/spmd/partition_op.h"

#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/passes/spmd/partition_call.h"
#include "compiler/passes/spmd/partition_indexed.h"
#include "compiler/passes/spmd/partition_moved.h"
#include "compiler/passes/spmd/partition_rotate.h"
#include "compiler/passes/spmd/partition_scan.h"
#include "compiler/passes/spmd/partition_update.h"
#include "compiler/passes/spmd/reshard.h"
#include "compiler/passes/spmd/spmd_collective.h"
#include "compiler/passes/spmd/spmd_mesh.h"

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

/* ---- choosing -------------------------------------------------------------------------------- */
static const struct tiling *operand_tiling(struct partitioner *p, const struct value *value)
{
    return shard_of(value) ? shard_of(value)->tiling : tiling_replicated(p->arena, 0);
}

/* How the only user of a result wants it, where that is all that is done with it and bytes are
 * compared; otherwise as its own type says; without dimensions if nobody wants anything. */
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

static struct factor_request make_request(struct partitioner *p, const struct op *op,
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
    struct factor_request request = make_request(p, op, rule);
    request.given = given, request.given_dim = dim;
    return factor_axes_choose(p->arena, p->grid, &request);
}

/* ---- partial results ------------------------------------------------------------------------- */
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

void partition_set_unreduced(struct partitioner *p, struct value *value,
                             const struct axis_list *axes)
{
    struct shard *shard = shard_of(value);
    struct tiling *tiling = tiling_copy(p->arena, shard->tiling);
    tiling->unreduced |= axis_list_set(axes);
    shard->tiling = tiling;
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

/* ---- iota ------------------------------------------------------------------------------------ */
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

static void partition_by_rule(struct partitioner *p, struct op *op,
                              const struct sharding_rule *rule)
{
    struct arena *arena = p->arena;
    struct factor_request request = make_request(p, op, rule);
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
