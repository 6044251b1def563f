#include "compiler/ir/infer.h"

#include "compiler/ir/infer_check.h"
#include "compiler/ir/sharding.h"

static struct error *check_sharding(struct arena *arena, const struct op *op,
                                    const struct type *type)
{
    struct error *error = sharding_check_type(type);
    return error ? error_prefix(error, "%s", ir_where(arena, op)) : NULL;
}

/* Ranks are in range; sizes are static and do not overflow. The functions of ops.def rely on it. */
static struct error *check_type(struct arena *arena, const struct op *op, const struct type *type,
                                int depth)
{
    if (!type)
        return infer_check_bad(arena, op, "a value has no type");
    if (depth > SHAPE_MAX_RANK)
        return infer_check_bad(arena, op, "tuples are nested deeper than %d", SHAPE_MAX_RANK);
    TRY(check_sharding(arena, op, type));
    for (int i = 0; type->kind == TYPE_TUPLE && i < type->element_count; i++)
        TRY(check_type(arena, op, type->elements[i], depth + 1));
    if (type->kind == TYPE_TUPLE || type->kind == TYPE_TOKEN)
        return NULL;
    TRY(infer_check_range(arena, op, "rank", type->shape.rank, 0, SHAPE_MAX_RANK));
    for (int i = 0; i < type->shape.rank; i++) {
        if (type->shape.dims[i] == SHAPE_DYNAMIC)
            return ERROR(UNIMPLEMENTED,
                         "%s: the type %s has a dynamic dimension; only static shapes are "
                         "supported",
                         ir_where(arena, op), type_text(arena, type));
        TRY(infer_check_range(arena, op, "size", type->shape.dims[i], 0, INT64_MAX));
    }
    if (type->quantization)
        return ERROR(UNIMPLEMENTED, "%s: quantized types such as %s are unsupported",
                     ir_where(arena, op), type_text(arena, type));
    if (type_bytes(type) < 0)
        return infer_check_bad(arena, op, "the size of %s overflows", type_text(arena, type));
    return NULL;
}

static struct error *check_counts(struct arena *arena, const struct op *op)
{
    const struct op_info *info = op_info(op->code);
    if (op->code <= OP_INVALID_CODE || op->code >= OP_CODE_COUNT)
        return ERROR(INTERNAL, "operation code %d does not exist", (int)op->code);
    if (info->operand_count >= 0 && info->operand_count != op->operand_count)
        return infer_check_bad(arena, op, "has %d operands; it must have %d", op->operand_count,
                               info->operand_count);
    if (info->result_count >= 0 && info->result_count != op->result_count)
        return infer_check_bad(arena, op, "has %d results; it must have %d", op->result_count,
                               info->result_count);
    for (int i = 0; i < op->region_count; i++)
        for (int k = 0; op->regions[i] && k < op->regions[i]->argument_count; k++)
            TRY(check_type(arena, op, op->regions[i]->arguments[k].type, 0));
    return NULL;
}

struct error *infer_op(struct arena *arena, struct op *op)
{
    TRY(check_counts(arena, op));
    for (int i = 0; i < op->operand_count; i++) {
        if (!op->operands[i])
            return infer_check_bad(arena, op, "operand %d is missing", i);
        TRY(check_type(arena, op, op->operands[i]->type, 0));
    }
    for (int i = 0; i < op->result_count; i++)
        if (op->results[i].type)
            TRY(check_type(arena, op, op->results[i].type, 0));
    TRY(op_info(op->code)->infer(arena, op));
    for (int i = 0; i < op->result_count; i++)
        TRY(check_type(arena, op, op->results[i].type, 0));
    return NULL;
}
