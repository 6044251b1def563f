/* fold_positions.c: see fold_positions.h. */
#include "compiler/passes/fold/fold_positions.h"

#include "compiler/analysis/constants.h"
#include "compiler/passes/fold/fold_eval.h"

enum {
    MOST_ELEMENTS = 4096, /* which are read faster than computed */
    MOST_OPERATIONS = 64, /* visited; those with several users count for each */
    MOST_OPERANDS = 4
};

static bool has_positions(enum dtype dtype)
{
    return dtype == DTYPE_S32 || dtype == DTYPE_U32 || dtype == DTYPE_S64 || dtype == DTYPE_U64 ||
           dtype == DTYPE_F32 || dtype == DTYPE_F64;
}

static const struct literal *iota_literal(struct arena *arena, const struct op *op)
{
    const struct type *type = op->results[0].type;
    int64_t dim = op->attrs.iota.iota_dimension, inner = 1;
    int bytes = dtype_bytes(type->shape.dtype);
    if (!has_positions(type->shape.dtype))
        return NULL;
    for (int i = type->shape.rank - 1; i > dim; i--)
        inner *= type->shape.dims[i];
    int64_t count = type_elements(type);
    char *elements = arena_alloc(arena, (size_t)(count * bytes));
    for (int64_t i = 0; i < count; i++)
        dtype_from_double(type->shape.dtype, (double)(i / inner % type->shape.dims[dim]),
                          elements + i * bytes);
    return literal_dense(arena, type, elements);
}

static const struct literal *evaluate(struct arena *arena, const struct value *value, int *left)
{
    const struct literal *literal = constants_literal(value), *operands[MOST_OPERANDS];
    const struct op *op = value->def;
    if (literal)
        return literal;
    if (!op || op->result_count != 1 || op->region_count || op->operand_count > MOST_OPERANDS ||
        value->type->kind != TYPE_TENSOR || type_elements(value->type) < 1 ||
        type_elements(value->type) > MOST_ELEMENTS || --*left < 0)
        return NULL;
    if (op->code == OP_iota)
        return iota_literal(arena, op);
    for (int i = 0; i < op->operand_count; i++)
        if (!(operands[i] = evaluate(arena, op->operands[i], left)))
            return NULL;
    return fold_eval_op(arena, op, operands);
}

const struct literal *fold_positions(struct arena *arena, const struct value *value)
{
    int left = MOST_OPERATIONS;
    return constants_literal(value) ? NULL : evaluate(arena, value, &left);
}
