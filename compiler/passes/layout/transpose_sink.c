/* transpose_sink.c: see transpose_sink.h. */
#include "compiler/passes/layout/transpose_sink.h"

#include <string.h>

#include "compiler/passes/rewrite/rewrite.h"

/* ---- which transposes may move --------------------------------------------------------------- */
/* Whether reductions are all that use op, directly or through elementwise operations. Those users
 * come later in the block, so they have been marked. */
static bool is_only_reduced(const struct op *op)
{
    if (!ir_is_elementwise(op) || !op->results[0].uses)
        return false;
    for (const struct use *use = op->results[0].uses; use; use = use->next)
        if (use->user->block != op->block || !use->user->note ||
            (use->user->code == OP_reduce && use->operand >= use->user->operand_count / 2))
            return false;
    return true;
}

/* Sets op->note of reductions and of what only they use. */
static void mark(struct block *block)
{
    for (struct op *op = block->last; op; op = op->previous)
        op->note = op->code == OP_reduce || is_only_reduced(op) ? op : NULL;
}

/* The permutation of the first of `count` operands that is a transpose; empty if none is. */
static struct dims permutation_of(const struct op *op, int count)
{
    for (int i = 0; i < count; i++)
        if (op->operands[i]->def && op->operands[i]->def->code == OP_transpose)
            return op->operands[i]->def->attrs.transpose.permutation;
    return (struct dims){0, NULL};
}

static bool dims_same(struct dims a, struct dims b)
{
    return a.count == b.count && !memcmp(a.at, b.at, (size_t)a.count * sizeof *a.at);
}

/* Whether a broadcast still reads its operand in order when its dimensions are permuted. */
static bool keeps_order(const struct op *broadcast, struct dims permutation)
{
    struct dims to = broadcast->attrs.broadcast_in_dim.broadcast_dimensions;
    int64_t last = -1;
    for (int64_t i = 0; i < to.count; i++) {
        if (broadcast->operands[0]->type->shape.dims[i] == 1)
            continue;
        if (permutation.at[to.at[i]] < last)
            return false;
        last = permutation.at[to.at[i]];
    }
    return true;
}

/* Whether `value`, which has the dimensions of a transpose by `permutation`, can be had without
 * that transpose at no cost. */
static bool is_movable(const struct value *value, struct dims permutation)
{
    const struct op *def = value->def;
    if (value->type->shape.rank == 0)
        return true;
    if (!def || value->type->shape.rank != permutation.count)
        return false;
    switch (def->code) {
    case OP_transpose: return dims_same(def->attrs.transpose.permutation, permutation);
    case OP_constant: return def->attrs.constant.value->splat;
    case OP_broadcast_in_dim: return keeps_order(def, permutation);
    case OP_iota: return true;
    default: return false;
    }
}

static bool all_movable(const struct op *op, int count, struct dims permutation)
{
    for (int i = 0; i < count; i++)
        if (!is_movable(op->operands[i], permutation))
            return false;
    return permutation.count > 0;
}

/* ---- moving them ----------------------------------------------------------------------------- */
/* The type of what a transpose to `type` reads. */
static const struct type *untransposed(struct module *module, const struct type *type,
                                       struct dims permutation)
{
    int64_t dims[SHAPE_MAX_RANK];
    for (int64_t i = 0; i < permutation.count; i++)
        dims[permutation.at[i]] = type->shape.dims[i];
    return type_with_dims(module->arena, type, type->shape.rank, dims);
}

static struct value *moved_broadcast(struct builder *b, const struct op *op,
                                     const struct type *type, struct dims permutation)
{
    struct dims to = op->attrs.broadcast_in_dim.broadcast_dimensions;
    int64_t dims[SHAPE_MAX_RANK];
    for (int64_t i = 0; i < to.count; i++)
        dims[i] = permutation.at[to.at[i]];
    return build_broadcast(b, op->operands[0], type, (int)to.count, dims);
}

static struct value *moved(struct builder *b, struct value *value, struct dims permutation)
{
    struct op *def = value->def;
    if (value->type->shape.rank == 0)
        return value;
    const struct type *type = untransposed(b->module, value->type, permutation);
    union attrs attrs = def->attrs;
    switch (def->code) {
    case OP_transpose: return def->operands[0];
    case OP_constant:
        return build_constant(
            b, literal_splat(b->module->arena, type, def->attrs.constant.value->bytes));
    case OP_broadcast_in_dim: return moved_broadcast(b, def, type, permutation);
    default: /* iota */
        attrs.iota.iota_dimension = permutation.at[attrs.iota.iota_dimension];
        return build_declared(b, OP_iota, 0, NULL, type, &attrs);
    }
}

static void move_operands(struct module *module, struct op *op, int count, struct dims permutation)
{
    struct builder b = rewrite_before(module, op);
    for (int i = 0; i < count; i++)
        ir_set_operand(module, op, i, moved(&b, op->operands[i], permutation));
}

/* Gives a result the type that a transpose to its present one reads, and users that transpose. */
static void transpose_result(struct module *module, struct op *op, struct value *result,
                             struct dims permutation)
{
    struct builder b = {module, op->block, op->next, op->location};
    result->type = untransposed(module, result->type, permutation);
    struct value *transposed = build_transpose(&b, result, permutation.at);
    ir_replace_uses(module, result, transposed);
    ir_set_operand(module, transposed->def, 0, result);
}

static void sink_below(struct module *module, struct op *op)
{
    struct dims permutation = permutation_of(op, op->operand_count);
    if (!all_movable(op, op->operand_count, permutation))
        return;
    move_operands(module, op, op->operand_count, permutation);
    transpose_result(module, op, &op->results[0], permutation);
}

/* The permutation of a reduction's result: dimension i of `reduced` operands that were transposed
 * by `permutation` is the kept[i]-th of those that are left without the transpose. */
static struct dims kept_permutation(struct module *module, struct dims reduced,
                                    struct dims permutation)
{
    int64_t position[SHAPE_MAX_RANK], kept[SHAPE_MAX_RANK], count = 0;
    bool gone[SHAPE_MAX_RANK] = {false};
    for (int64_t i = 0; i < reduced.count; i++)
        gone[permutation.at[reduced.at[i]]] = true;
    for (int64_t i = 0; i < permutation.count; i++)
        if (!gone[i])
            position[i] = count++;
    count = 0;
    for (int64_t i = 0; i < permutation.count; i++)
        if (!gone[permutation.at[i]])
            kept[count++] = position[permutation.at[i]];
    return rewrite_dims(module, kept, count);
}

/* The reduced dimensions without the transpose, in ascending order. */
static struct dims moved_dims(struct module *module, struct dims reduced, struct dims permutation)
{
    bool gone[SHAPE_MAX_RANK] = {false};
    int64_t dims[SHAPE_MAX_RANK], count = 0;
    for (int64_t i = 0; i < reduced.count; i++)
        gone[permutation.at[reduced.at[i]]] = true;
    for (int64_t i = 0; i < permutation.count; i++)
        if (gone[i])
            dims[count++] = i;
    return rewrite_dims(module, dims, count);
}

static void sink_into(struct module *module, struct op *reduce)
{
    int count = reduce->operand_count / 2;
    struct dims permutation = permutation_of(reduce, count);
    struct dims *dims = &reduce->attrs.dimensions.dimensions;
    if (!all_movable(reduce, count, permutation))
        return;
    struct dims kept = kept_permutation(module, *dims, permutation);
    move_operands(module, reduce, count, permutation);
    *dims = moved_dims(module, *dims, permutation);
    for (int i = 0; i < reduce->result_count && !rewrite_is_range(kept); i++)
        transpose_result(module, reduce, &reduce->results[i], kept);
}

static void sink_in_block(struct module *module, struct block *block)
{
    mark(block);
    for (struct op *op = block->first; op; op = op->next) {
        for (int i = 0; i < op->region_count; i++)
            sink_in_block(module, op->regions[i]);
        if (op->note && op->code == OP_reduce)
            sink_into(module, op);
        else if (op->note)
            sink_below(module, op);
    }
}

struct error *transpose_sink_run(struct module *module, const struct target *target)
{
    (void)target;
    for (struct func *func = module->first; func; func = func->next)
        sink_in_block(module, func->body);
    return NULL;
}
