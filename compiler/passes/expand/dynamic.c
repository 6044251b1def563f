#include "compiler/passes/expand/dynamic.h"

#include <inttypes.h>

#include "compiler/analysis/constants.h"
#include "compiler/ir/along_dim.h"
#include "compiler/ir/infer.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"

static struct error *not_constant(struct module *module, const struct op *op, int operand)
{
    return ERROR(UNIMPLEMENTED, "%s: operand %d has sizes or indices; it must be a constant",
                 ir_where(module->arena, op), operand);
}

/* Reads operand i, a constant list of `count` integers. */
static struct error *list_of(struct module *module, const struct op *op, int i, int64_t count,
                             struct dims *out)
{
    out->at = constants_integers(module, op->operands[i], &out->count);
    if (!out->at)
        return not_constant(module, op, i);
    if (out->count != count)
        return ERROR(INVALID_ARGUMENT,
                     "%s: operand %d has %" PRId64 " elements; it must have %" PRId64,
                     ir_where(module->arena, op), i, out->count, count);
    return NULL;
}

/* The declared type of a result with the sizes of `type`. INVALID_ARGUMENT when it has others. */
static struct error *declare(struct module *module, struct op *op, const struct type *type)
{
    const struct type *declared = op->results[0].type;
    bool fits = type->shape.rank == declared->shape.rank;
    for (int i = 0; fits && i < type->shape.rank; i++)
        fits = declared->shape.dims[i] == SHAPE_DYNAMIC ||
               declared->shape.dims[i] == type->shape.dims[i];
    if (!fits)
        return ERROR(INVALID_ARGUMENT, "%s: the result is declared as %s, but has the type %s",
                     ir_where(module->arena, op), type_text(module->arena, declared),
                     type_text(module->arena, type));
    op->results[0].type = type_with_sizes(module->arena, declared, type->shape.dims);
    return NULL;
}

/* Replaces op by a static operation with op's first operands and result type. */
static struct error *replace(struct module *module, struct op *op, enum op_code code,
                             int operand_count, const union attrs *attrs)
{
    const struct type *type = op->results[0].type;
    bool infers = type_is_dynamic(type);
    type = infers ? NULL : type;
    struct op *made = ir_op(module, code, operand_count, op->operands, 1, &type, 0);
    if (attrs)
        made->attrs = *attrs;
    made->location = op->location;
    made->discardable = op->discardable;
    ir_insert_before(op, made);
    TRY(infer_op(module->arena, made));
    if (infers) {
        TRY(declare(module, op, made->results[0].type));
        made->results[0].type = op->results[0].type;
    }
    return rewrite_with(module, op, &made->results[0]);
}

/* Sizes that the type leaves open are those of operand i, a constant. */
static struct error *set_sizes(struct module *module, struct op *op, struct dims sizes)
{
    for (int64_t k = 0; k < sizes.count; k++)
        if (sizes.at[k] < 0)
            return ERROR(INVALID_ARGUMENT, "%s: the size of dimension %" PRId64 " is %" PRId64,
                         ir_where(module->arena, op), k, sizes.at[k]);
    const struct type *type = op->results[0].type;
    return declare(module, op, type_with_dims(module->arena, type, (int)sizes.count, sizes.at));
}

/* Constant sizes must match the declared type; others are ignored. */
static struct error *check_sizes(struct module *module, struct op *op, int i)
{
    const struct type *type = op->results[0].type;
    struct dims sizes;
    if (!type_is_dynamic(type) && !constants_integers(module, op->operands[i], NULL))
        return NULL;
    TRY(list_of(module, op, i, type->shape.rank, &sizes));
    if (type_is_dynamic(type))
        return set_sizes(module, op, sizes);
    for (int k = 0; k < type->shape.rank; k++)
        if (sizes.at[k] != type->shape.dims[k])
            return ERROR(INVALID_ARGUMENT,
                         "%s: operand %d sets the size of dimension %d to %" PRId64
                         ", which does not match the result %s",
                         ir_where(module->arena, op), i, k, sizes.at[k],
                         type_text(module->arena, type));
    return NULL;
}

static struct error *make_broadcast(struct module *module, struct op *op)
{
    union attrs attrs = {
        .broadcast_in_dim = {0, op->attrs.dynamic_broadcast_in_dim.broadcast_dimensions}};
    TRY(check_sizes(module, op, 1));
    return replace(module, op, OP_broadcast_in_dim, 1, &attrs);
}

static struct error *make_reshape(struct module *module, struct op *op)
{
    TRY(check_sizes(module, op, 1));
    return replace(module, op, OP_reshape, 1, NULL);
}

static struct error *make_iota(struct module *module, struct op *op)
{
    TRY(check_sizes(module, op, 0));
    return replace(module, op, OP_iota, 0, &op->attrs);
}

static struct error *make_pad(struct module *module, struct op *op)
{
    union attrs attrs = {0};
    int64_t rank = op->operands[0]->type->shape.rank;
    TRY(list_of(module, op, 2, rank, &attrs.pad.edge_padding_low));
    TRY(list_of(module, op, 3, rank, &attrs.pad.edge_padding_high));
    TRY(list_of(module, op, 4, rank, &attrs.pad.interior_padding));
    return replace(module, op, OP_pad, 2, &attrs);
}

static struct error *make_gather(struct module *module, struct op *op)
{
    union attrs attrs = op->attrs;
    TRY(list_of(module, op, 2, op->operands[0]->type->shape.rank, &attrs.gather.slice_sizes));
    return replace(module, op, OP_gather, 2, &attrs);
}

/* The sizes of a slice whose limit is computed as its start plus constant sizes. */
static struct error *set_moving_sizes(struct module *module, struct op *op)
{
    const struct op *limit = op->operands[2]->def;
    struct dims sizes = {0};
    for (int i = 0; limit && limit->code == OP_add && i < 2 && !sizes.at; i++)
        if (limit->operands[i] == op->operands[1])
            sizes.at = constants_integers(module, limit->operands[1 - i], &sizes.count);
    if (!sizes.at || sizes.count != op->results[0].type->shape.rank)
        return not_constant(module, op, 2);
    return set_sizes(module, op, sizes);
}

/* A slice with strides of 1 may have a dynamic start, since the result's type has its sizes. */
static struct error *make_moving_slice(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    if (type_is_dynamic(op->results[0].type))
        TRY(set_moving_sizes(module, op));
    const struct type *type = op->results[0].type, *starts = op->operands[1]->type;
    struct value *at[SHAPE_MAX_RANK];
    if (starts->shape.rank != 1 || starts->shape.dims[0] != type->shape.rank ||
        type->shape.rank != op->operands[0]->type->shape.rank)
        return ERROR(INVALID_ARGUMENT, "%s: the start is %s; it must be a vector of %d elements",
                     ir_where(module->arena, op), type_text(module->arena, starts),
                     type->shape.rank);
    for (int i = 0; i < type->shape.rank; i++)
        at[i] = along_dim_element(&b, op->operands[1], 0, i);
    return rewrite_with(module, op, build_dynamic_slice(&b, op->operands[0], at, type->shape.dims));
}

static struct error *make_slice(struct module *module, struct op *op)
{
    union attrs attrs = {0};
    int64_t rank = op->operands[0]->type->shape.rank, ones = 0;
    TRY(list_of(module, op, 3, rank, &attrs.slice.strides));
    while (ones < rank && attrs.slice.strides.at[ones] == 1)
        ones++;
    if (ones == rank && (!constants_integers(module, op->operands[1], NULL) ||
                         !constants_integers(module, op->operands[2], NULL)))
        return make_moving_slice(module, op);
    TRY(list_of(module, op, 1, rank, &attrs.slice.start_indices));
    TRY(list_of(module, op, 2, rank, &attrs.slice.limit_indices));
    return replace(module, op, OP_slice, 1, &attrs);
}

static struct error *make_convolution(struct module *module, struct op *op)
{
    union attrs attrs = op->attrs;
    struct dims padding;
    int64_t spatial = op->operands[0]->type->shape.rank - 2;
    TRY(list_of(module, op, 2, 2 * spatial, &padding));
    attrs.convolution.padding = (struct pairs){spatial, 2, padding.at};
    return replace(module, op, OP_convolution, 2, &attrs);
}

static struct error *make_size_constant(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    int64_t size = op->operands[0]->type->shape.dims[op->attrs.dimension.dimension];
    if (size > INT32_MAX)
        return ERROR(INVALID_ARGUMENT, "%s: the size %" PRId64 " does not fit 32 bits",
                     ir_where(module->arena, op), size);
    return rewrite_with(module, op, build_scalar(&b, DTYPE_S32, (double)size));
}

struct error *dynamic_make_static(struct module *module, struct op *op, const struct target *target)
{
    (void)target;
    switch (op->code) {
    case OP_dynamic_broadcast_in_dim: return make_broadcast(module, op);
    case OP_dynamic_reshape: return make_reshape(module, op);
    case OP_dynamic_iota: return make_iota(module, op);
    case OP_dynamic_pad: return make_pad(module, op);
    case OP_dynamic_gather: return make_gather(module, op);
    case OP_real_dynamic_slice: return make_slice(module, op);
    case OP_dynamic_conv: return make_convolution(module, op);
    case OP_get_dimension_size: return make_size_constant(module, op);
    default: return NULL;
    }
}

struct error *dynamic_run(struct module *module, const struct target *target)
{
    return each_op(module, target, dynamic_make_static);
}
