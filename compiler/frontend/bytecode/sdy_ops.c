#include "compiler/frontend/bytecode/sdy_ops.h"

#include <string.h>

#include "compiler/frontend/mlir/mlir_sdy.h"

static struct error *invalid(struct mlir_convert *c, const struct mlir_op *op, const char *what)
{
    return ERROR(INVALID_ARGUMENT, "%s: %s", mlir_op_where(c->file, op), what);
}

/* The results are the operands. */
static struct error *forward_operands(struct mlir_convert *c, const struct mlir_op *op)
{
    if (op->operand_count != op->result_count)
        return invalid(c, op, "must have as many results as operands");
    for (size_t i = 0; i < op->result_count; i++)
        TRY(mlir_convert_operand(c, op, i, &op->results[i].value));
    return NULL;
}

static struct error *constraint(struct mlir_convert *c, const struct mlir_op *op)
{
    static const char *const names[] = {"sharding"};
    struct mlir_attr *sharding;
    TRY(mlir_op_properties(c->file, op, 1, names, NULL, &sharding));
    if (sharding->kind != MLIR_SHARDING || op->result_count != 1)
        return invalid(c, op, "must have one result and a sharding");
    TRY(forward_operands(c, op));
    mlir_sdy_annotate(c->program.arena, op->results[0].value, sharding->sharding);
    return NULL;
}

/* Replaces the operation by the operations of its body. */
static struct error *inline_body(struct mlir_convert *c, const struct mlir_op *op,
                                 struct block *block)
{
    if (op->region_count != 1 || op->regions[0].argument_count != op->operand_count)
        return invalid(c, op, "must have a body with as many arguments as operands");
    const struct mlir_region *body = &op->regions[0];
    for (size_t i = 0; i < op->operand_count; i++)
        TRY(mlir_convert_operand(c, op, i, &body->arguments[i].value));
    TRY(mlir_convert_region(c, body, block));
    const struct mlir_op *last = body->first;
    while (last && last->next)
        last = last->next;
    if (!last || strcmp(last->name->name.data, "return") != 0 ||
        last->operand_count != op->result_count)
        return invalid(c, op, "its body must return as many values as the operation has results");
    for (size_t i = 0; i < op->result_count; i++)
        TRY(mlir_convert_operand(c, last, i, &op->results[i].value));
    return NULL;
}

static struct error *manual(struct mlir_convert *c, const struct mlir_op *op, struct block *block)
{
    static const char *const names[] = {"in_shardings", "manual_axes", "out_shardings"};
    struct mlir_attr *attrs[3];
    TRY(mlir_op_properties(c->file, op, 3, names, NULL, attrs));
    TRY(mlir_op_with_location(c->file, op, mlir_sdy_check_manual(attrs[0], attrs[2], attrs[1])));
    return inline_body(c, op, block);
}

struct error *sdy_ops_convert(struct mlir_convert *c, struct mlir_op *op, struct block *block)
{
    switch (mlir_sdy_op(op->name->name)) {
    case MLIR_SDY_CONSTRAINT: return constraint(c, op);
    case MLIR_SDY_IDENTITY: return forward_operands(c, op);
    case MLIR_SDY_MANUAL: return manual(c, op, block);
    case MLIR_SDY_NAMED: return inline_body(c, op, block);
    case MLIR_SDY_RETURN: /* handled by inline_body() */
    case MLIR_SDY_GROUP: return NULL;
    case MLIR_SDY_MESH: return invalid(c, op, "is in a function; meshes must be in the module");
    case MLIR_SDY_UNKNOWN: break;
    }
    return ERROR(UNIMPLEMENTED, "%s: this operation is unsupported", mlir_op_where(c->file, op));
}
