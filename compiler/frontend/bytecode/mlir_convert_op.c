#include "compiler/frontend/bytecode/mlir_convert_op.h"

#include "compiler/frontend/bytecode/mlir_location.h"
#include "compiler/frontend/mlir/mlir_fields.h"

struct error *mlir_convert_op_values(struct mlir_convert *c, const struct mlir_op *from,
                                     struct value ***operands, const struct type ***types)
{
    *operands = ARENA_ARRAY(c->program.arena, struct value *, from->operand_count);
    *types = ARENA_ARRAY(c->program.arena, const struct type *, from->result_count);
    for (size_t i = 0; i < from->operand_count; i++)
        TRY(mlir_convert_operand(c, from, i, &(*operands)[i]));
    for (size_t i = 0; i < from->result_count; i++)
        TRY(mlir_op_with_location(c->file, from,
                                  mlir_op_value_type(c->file, &from->results[i], &(*types)[i])));
    return NULL;
}

struct error *mlir_convert_op(struct mlir_convert *c, struct mlir_op *from, enum op_code code,
                              struct block *block, struct op **out)
{
    struct value **operands;
    const struct type **types;
    TRY(mlir_convert_op_values(c, from, &operands, &types));
    size_t regions =
        code == OP_composite ? 0 : from->region_count; /* a composite calls its decomposition */
    struct op *op = ir_op(c->program.module, code, (int)from->operand_count, operands,
                          (int)from->result_count, types, (int)regions);
    op->location = mlir_location_get(c->file, from->location);
    ir_append(block, op);
    for (size_t i = 0; i < from->result_count; i++)
        from->results[i].value = &op->results[i];
    *out = op;
    return NULL;
}

static struct error *append_region(struct mlir_convert *c, const struct mlir_op *from,
                                   const struct mlir_region *region, struct op *op,
                                   struct block **out)
{
    const struct type **types =
        ARENA_ARRAY(c->program.arena, const struct type *, region->argument_count);
    if (!region->first)
        return ERROR(INVALID_ARGUMENT, "%s: has an empty region; regions must have a block",
                     mlir_op_where(c->file, from));
    for (size_t i = 0; i < region->argument_count; i++)
        TRY(mlir_op_with_location(c->file, from,
                                  mlir_op_value_type(c->file, &region->arguments[i], &types[i])));
    *out = ir_block(c->program.module, op->block->func, op, (int)region->argument_count, types);
    for (size_t i = 0; i < region->argument_count; i++)
        region->arguments[i].value = &(*out)->arguments[i];
    return mlir_convert_region(c, region, *out);
}

struct error *mlir_convert_op_regions(struct mlir_convert *c, const struct mlir_op *from,
                                      struct op *op)
{
    for (int i = 0; i < op->region_count; i++)
        TRY(append_region(c, from, &from->regions[i], op, &op->regions[i]));
    return NULL;
}

struct error *mlir_convert_op_attributes(struct mlir_convert *c, const struct mlir_op *from,
                                         int known_count, const char *const *known,
                                         struct mlir_attr *backend_config, struct op *op)
{
    struct mlir_attr *discardable;
    TRY(mlir_op_attributes(c->file, from, &discardable));
    bool mixed = c->file->version < 5; /* `discardable` also contains the inherent attributes */
    struct error *error = mlir_fields_discardable(&c->program, discardable, mixed ? known_count : 0,
                                                  known, backend_config, &op->discardable);
    if (error)
        return mlir_op_with_location(c->file, from, error);
    if (op->code == OP_custom_call && mlir_attr_lookup(discardable, "mhlo.backend_config") &&
        op->attrs.custom_call.backend_config.size == 0)
        op->attrs.custom_call.backend_config.data = NULL; /* the dictionary takes precedence */
    return mlir_op_with_location(c->file, from, mlir_fields_annotate(&c->program, discardable, op));
}
