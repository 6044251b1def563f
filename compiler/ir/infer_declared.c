/* infer_declared.c: checks of operations whose result types must be declared: calls, ids, random
 * numbers and the dynamic operations (which passes/dynamic.c rewrites to static ones). */
#include <inttypes.h>

#include "compiler/ir/infer.h"
#include "compiler/ir/infer_check.h"

static struct error *check_call(struct arena *arena, struct op *op, const struct func *callee)
{
    if (!callee || !callee->body)
        return infer_check_bad(arena, op, "the called function %s has no body",
                               callee ? callee->name : "(unknown)");
    if (callee->body->argument_count != op->operand_count ||
        callee->result_count != op->result_count)
        return infer_check_bad(arena, op,
                               "passes %d values to %s and expects %d results; the function has %d"
                               " arguments and %d results",
                               op->operand_count, callee->name, op->result_count,
                               callee->body->argument_count, callee->result_count);
    for (int i = 0; i < op->operand_count; i++)
        if (!type_same(infer_check_type(op, i), callee->body->arguments[i].type))
            return infer_check_bad(arena, op, "argument %d of %s is %s; it must be %s", i,
                                   callee->name, type_text(arena, infer_check_type(op, i)),
                                   type_text(arena, callee->body->arguments[i].type));
    for (int i = 0; i < op->result_count; i++)
        TRY(infer_check_result(arena, op, i, callee->result_types[i]));
    return NULL;
}

static struct error *check_iota(struct arena *arena, struct op *op)
{
    TRY(infer_check_declared(arena, op, 0));
    const struct type *type = op->results[0].type;
    if (infer_check_class(type->shape.dtype) == INFER_PRED)
        return infer_check_bad(arena, op, "the result is %s; its elements must be numbers",
                               type_text(arena, type));
    return infer_check_range(arena, op, "iota_dimension", op->attrs.iota.iota_dimension, 0,
                             type->shape.rank - 1);
}

/* New dimensions precede the operand's. */
static struct error *check_broadcast(struct arena *arena, struct op *op)
{
    TRY(infer_check_tensor(arena, op, 0));
    const struct type *type = infer_check_type(op, 0);
    struct dims sizes = op->attrs.broadcast.broadcast_sizes;
    int64_t dims[2 * SHAPE_MAX_RANK];
    TRY(infer_check_range(arena, op, "rank of the result", sizes.count + type->shape.rank, 0,
                          SHAPE_MAX_RANK));
    for (int64_t i = 0; i < sizes.count; i++)
        dims[i] = sizes.at[i];
    for (int i = 0; i < type->shape.rank; i++)
        dims[sizes.count + i] = type->shape.dims[i];
    return infer_check_result_dims(arena, op, 0, type->shape.dtype,
                                   (int)sizes.count + type->shape.rank, dims);
}

static struct error *check_map(struct arena *arena, struct op *op)
{
    if (op->operand_count < 1 || op->result_count != 1)
        return infer_check_bad(arena, op,
                               "has %d operands and %d results; it must have operands and 1 result",
                               op->operand_count, op->result_count);
    TRY(infer_check_regions(arena, op, 1));
    TRY(infer_check_scalar_arguments(arena, op, 0, op->operand_count));
    TRY(infer_check_tensor(arena, op, 0));
    struct dims dimensions = op->attrs.dimensions.dimensions;
    TRY(infer_check_list(arena, op, "dimensions", dimensions, infer_check_type(op, 0)->shape.rank,
                         0, SHAPE_MAX_RANK));
    for (int64_t i = 0; i < dimensions.count; i++)
        TRY(infer_check_range(arena, op, "dimensions", dimensions.at[i], i, i));
    for (int i = 0; i < op->operand_count; i++) {
        TRY(infer_check_tensor(arena, op, i));
        TRY(infer_check_same_shape(arena, op, 0, i));
        if (infer_check_type(op, i)->shape.dtype != op->regions[0]->arguments[i].type->shape.dtype)
            return infer_check_bad(arena, op, "argument %d of the region must be %s", i,
                                   dtype_name(infer_check_type(op, i)->shape.dtype));
    }
    const struct op *ret = infer_check_return(op, 0);
    const struct type *type = infer_check_type(op, 0);
    if (ret->operand_count != 1 || infer_check_type(ret, 0)->shape.rank != 0)
        return infer_check_bad(arena, op, "the region must return one scalar");
    return infer_check_result_dims(arena, op, 0, infer_check_type(ret, 0)->shape.dtype,
                                   type->shape.rank, type->shape.dims);
}

static struct error *check_rng(struct arena *arena, struct op *op)
{
    TRY(infer_check_declared(arena, op, 0));
    TRY(infer_check_scalar(arena, op, 0, INFER_PRED | INFER_INTEGER | INFER_FLOAT));
    TRY(infer_check_scalar(arena, op, 1, INFER_PRED | INFER_INTEGER | INFER_FLOAT));
    TRY(infer_check_same_dtype(arena, op, 0, 1));
    TRY(infer_check_classes(arena, op, 2, INFER_INTEGER));
    TRY(infer_check_range(arena, op, "rng_distribution", op->attrs.rng.rng_distribution,
                          RNG_UNIFORM, RNG_NORMAL));
    const struct type *shape = infer_check_type(op, 2), *type = op->results[0].type;
    if (shape->shape.rank != 1 || shape->shape.dims[0] != type->shape.rank ||
        type->shape.dtype != infer_check_type(op, 0)->shape.dtype)
        return infer_check_bad(arena, op,
                               "the shape operand %s and bounds %s do not match the result %s",
                               type_text(arena, shape), type_text(arena, infer_check_type(op, 0)),
                               type_text(arena, type));
    return NULL;
}

static struct error *check_rng_bit_generator(struct arena *arena, struct op *op)
{
    TRY(infer_check_classes(arena, op, 0, INFER_INTEGER));
    TRY(infer_check_declared(arena, op, 1));
    const struct type *state = infer_check_type(op, 0);
    TRY(infer_check_range(arena, op, "rng_algorithm", op->attrs.rng_bit_generator.rng_algorithm,
                          RNG_DEFAULT, RNG_PHILOX));
    if (state->shape.rank != 1 || state->shape.dtype != DTYPE_U64 ||
        (state->shape.dims[0] != 2 && state->shape.dims[0] != 3))
        return infer_check_bad(arena, op,
                               "the state is %s; it must be tensor<2xui64> or tensor<3xui64>",
                               type_text(arena, state));
    if (!(infer_check_class(op->results[1].type->shape.dtype) & (INFER_INTEGER | INFER_FLOAT)))
        return infer_check_bad(arena, op, "result 1 is %s; it must be integer or float",
                               type_text(arena, op->results[1].type));
    const struct dtype_info *info = dtype_info(op->results[1].type->shape.dtype);
    if (info->class == CLASS_FLOAT && info->bits < 32)
        return ERROR(UNIMPLEMENTED,
                     "%s: random bits of type %s are unsupported; generate integers of the same "
                     "width and use bitcast_convert",
                     ir_where(arena, op), info->mlir);
    return infer_check_result(arena, op, 0, state);
}

static struct error *check_id(struct arena *arena, struct op *op)
{
    return infer_check_result_dims(arena, op, 0, DTYPE_U32, 0, NULL);
}

/* Tensors as operands and a declared result. (passes/canonicalize parses einsum_config.) */
static struct error *check_plain(struct arena *arena, struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        TRY(infer_check_tensor(arena, op, i));
    return infer_check_declared(arena, op, 0);
}

/* The layout of a tensor lists each dimension once, minor to major. Values of other kinds have an
 * empty layout. */
static struct error *check_layout(struct arena *arena, const struct op *op, const char *name,
                                  const struct type *type, struct dims layout)
{
    int rank = type->kind == TYPE_TENSOR ? type->shape.rank : 0;
    if (layout.count != rank)
        return infer_check_bad(arena, op, "%s has %" PRId64 " dimensions for %s; it must have %d",
                               name, layout.count, type_text(arena, type), rank);
    return infer_check_distinct(arena, op, name, layout, rank);
}

/* If any operand (or result) has a layout, all have one. The layouts of a tuple are those of its
 * elements. */
static struct error *check_custom_call(struct arena *arena, struct op *op)
{
    struct layouts in = op->attrs.custom_call.operand_layouts;
    struct layouts out = op->attrs.custom_call.result_layouts;
    const struct type *first = op->result_count == 1 ? op->results[0].type : NULL;
    bool tuple = first && first->kind == TYPE_TUPLE;
    int results = tuple ? first->element_count : op->result_count;
    if (op->attrs.custom_call.laid_out)
        return NULL;
    if ((in.count && in.count != op->operand_count) || (out.count && out.count != results))
        return infer_check_bad(arena, op,
                               "has %" PRId64 " operand_layouts for %d operands and %" PRId64
                               " result_layouts for %d results",
                               in.count, op->operand_count, out.count, results);
    for (int64_t i = 0; i < in.count; i++)
        TRY(check_layout(arena, op, "operand_layouts", infer_check_type(op, (int)i), in.at[i]));
    for (int64_t i = 0; i < out.count; i++)
        TRY(check_layout(arena, op, "result_layouts",
                         tuple ? first->elements[i] : op->results[i].type, out.at[i]));
    return NULL;
}

struct error *infer_declared(struct arena *arena, struct op *op)
{
    for (int i = 0; i < op->result_count; i++)
        if (!op->results[i].type && op->code != OP_call && op->code != OP_broadcast &&
            op->code != OP_map && op->code != OP_partition_id && op->code != OP_replica_id)
            return infer_check_bad(arena, op, "result %d has no type; it must be declared", i);
    switch (op->code) {
    case OP_call: return check_call(arena, op, op->attrs.call.callee);
    case OP_composite: return check_call(arena, op, op->attrs.composite.decomposition);
    case OP_iota: return check_iota(arena, op);
    case OP_broadcast: return check_broadcast(arena, op);
    case OP_map: return check_map(arena, op);
    case OP_rng: return check_rng(arena, op);
    case OP_rng_bit_generator: return check_rng_bit_generator(arena, op);
    case OP_partition_id:
    case OP_replica_id: return check_id(arena, op);
    case OP_custom_call: return check_custom_call(arena, op);
    case OP_infeed: return NULL; /* results of any type */
    default: return check_plain(arena, op);
    }
}
