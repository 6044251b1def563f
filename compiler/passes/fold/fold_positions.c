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

struct walk {
    struct arena *arena;
    int left;       /* operations that may still be visited */
    bool is_affine; /* all visited are those that code generation follows (computed_index.h) */
};

static bool may_be_affine(const struct op *op)
{
    switch (op->code) {
    case OP_iota:
    case OP_convert:
    case OP_broadcast_in_dim:
    case OP_reshape:
    case OP_add:
    case OP_subtract:
    case OP_multiply:
    case OP_compare:
    case OP_select: return !dtype_is_float(op->results[0].type->shape.dtype);
    default: return false;
    }
}

static const struct literal *evaluate(struct walk *walk, const struct value *value)
{
    const struct literal *literal = constants_literal(value), *operands[MOST_OPERANDS];
    const struct op *op = value->def;
    if (literal)
        return literal;
    if (!op || op->result_count != 1 || op->region_count || op->operand_count > MOST_OPERANDS ||
        value->type->kind != TYPE_TENSOR || type_elements(value->type) < 1 ||
        type_elements(value->type) > MOST_ELEMENTS || --walk->left < 0)
        return NULL;
    walk->is_affine &= may_be_affine(op);
    if (op->code == OP_iota)
        return iota_literal(walk->arena, op);
    for (int i = 0; i < op->operand_count; i++)
        if (!(operands[i] = evaluate(walk, op->operands[i])))
            return NULL;
    return fold_eval_op(walk->arena, op, operands);
}

const struct literal *fold_positions(struct arena *arena, const struct value *value)
{
    struct walk walk = {arena, MOST_OPERATIONS, true};
    if (constants_literal(value))
        return NULL;
    const struct literal *literal = evaluate(&walk, value);
    return walk.is_affine ? NULL : literal;
}
