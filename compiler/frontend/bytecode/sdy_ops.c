#include "compiler/frontend/bytecode/sdy_ops.h"

#include <string.h>

#include "compiler/frontend/bytecode/mlir_location.h"
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

static struct mlir_sdy_place place_of(struct mlir_convert *c, const struct mlir_op *op,
                                      struct block *block)
{
    return (struct mlir_sdy_place){&c->program, block, NULL,
                                   mlir_location_get(c->file, op->location)};
}

static struct error *constraint(struct mlir_convert *c, const struct mlir_op *op,
                                struct block *block)
{
    static const char *const names[] = {"sharding"};
    struct mlir_attr *sharding;
    TRY(mlir_op_properties(c->file, op, 1, names, NULL, &sharding));
    if (sharding->kind != MLIR_SHARDING || op->result_count != 1)
        return invalid(c, op, "must have one result and a sharding");
    TRY(forward_operands(c, op));
    struct mlir_sdy_place place = place_of(c, op, block);
    op->results[0].value = mlir_sdy_constrain(&place, op->results[0].value, sharding->sharding);
    return NULL;
}

static struct error *group(struct mlir_convert *c, const struct mlir_op *op, struct block *block)
{
    static const char *const names[] = {"group_id"};
    struct mlir_attr *id;
    struct value *value;
    TRY(mlir_op_properties(c->file, op, 1, names, NULL, &id));
    if (id->kind != MLIR_INTEGER || op->operand_count != 1)
        return invalid(c, op, "must have one operand and a number");
    TRY(mlir_convert_operand(c, op, 0, &value));
    struct mlir_sdy_place place = place_of(c, op, block);
    mlir_sdy_join(&place, value, id->integer);
    return NULL;
}

/* The body's arguments stand for the operands. */
static struct error *enter(struct mlir_convert *c, const struct mlir_op *op, struct block *block,
                           const struct mlir_sdy_region *region)
{
    struct mlir_sdy_place place = place_of(c, op, block);
    for (size_t i = 0; i < op->operand_count; i++) {
        struct mlir_value *argument = &op->regions[0].arguments[i];
        const struct type *type;
        struct value *operand;
        TRY(mlir_convert_operand(c, op, i, &operand));
        TRY(mlir_op_value_type(c->file, argument, &type));
        TRY(mlir_op_with_location(
            c->file, op, mlir_sdy_enter(&place, region, i, operand, type, &argument->value)));
    }
    return NULL;
}

/* Replaces the operation by the operations of its body. */
static struct error *inline_body(struct mlir_convert *c, const struct mlir_op *op,
                                 struct block *block, const struct mlir_sdy_region *region)
{
    if (op->region_count != 1 || op->regions[0].argument_count != op->operand_count)
        return invalid(c, op, "must have a body with as many arguments as operands");
    TRY(enter(c, op, block, region));
    TRY(mlir_convert_region(c, &op->regions[0], block));
    const struct mlir_op *last = op->regions[0].first;
    while (last && last->next)
        last = last->next;
    if (!last || strcmp(last->name->name.data, "return") != 0 ||
        last->operand_count != op->result_count)
        return invalid(c, op, "its body must return as many values as the operation has results");
    struct mlir_sdy_place place = place_of(c, op, block);
    for (size_t i = 0; i < op->result_count; i++) {
        const struct type *type;
        struct value *value;
        TRY(mlir_convert_operand(c, last, i, &value));
        TRY(mlir_op_value_type(c->file, &op->results[i], &type));
        TRY(mlir_op_with_location(
            c->file, op, mlir_sdy_leave(&place, region, i, value, type, &op->results[i].value)));
    }
    return NULL;
}

static struct error *manual(struct mlir_convert *c, const struct mlir_op *op, struct block *block)
{
    static const char *const names[] = {"in_shardings", "manual_axes", "out_shardings"};
    struct mlir_attr *attrs[3];
    TRY(mlir_op_properties(c->file, op, 3, names, NULL, attrs));
    struct mlir_sdy_region region = {true, attrs[0], attrs[2], attrs[1]};
    return inline_body(c, op, block, &region);
}

static struct error *named(struct mlir_convert *c, const struct mlir_op *op, struct block *block)
{
    static const char *const names[] = {"in_shardings", "name", "out_shardings"};
    static const bool optional[] = {true, false, true};
    struct mlir_attr *attrs[3];
    TRY(mlir_op_properties(c->file, op, 3, names, optional, attrs));
    struct mlir_sdy_region region = {false, attrs[0], attrs[2], NULL};
    return inline_body(c, op, block, &region);
}

struct error *sdy_ops_convert(struct mlir_convert *c, struct mlir_op *op, struct block *block)
{
    switch (mlir_sdy_op(op->name->name)) {
    case MLIR_SDY_CONSTRAINT: return constraint(c, op, block);
    case MLIR_SDY_IDENTITY: return forward_operands(c, op);
    case MLIR_SDY_MANUAL: return manual(c, op, block);
    case MLIR_SDY_NAMED: return named(c, op, block);
    case MLIR_SDY_GROUP: return group(c, op, block);
    case MLIR_SDY_RETURN: return NULL; /* handled by inline_body() */
    case MLIR_SDY_MESH: return invalid(c, op, "is in a function; meshes must be in the module");
    case MLIR_SDY_UNKNOWN: break;
    }
    return ERROR(UNIMPLEMENTED, "%s: this operation is unsupported", mlir_op_where(c->file, op));
}
