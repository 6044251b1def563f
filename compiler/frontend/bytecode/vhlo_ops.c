#include "compiler/frontend/bytecode/vhlo_ops.h"

#include "compiler/frontend/bytecode/mlir_convert_op.h"
#include "compiler/frontend/mlir/mlir_fields.h"
#include "compiler/frontend/mlir/mlir_ops.h"

/* The operation's schema, looked up once for each name of the file. */
static struct error *schema_of(struct mlir_convert *c, const struct mlir_op *op,
                               const struct mlir_op_schema **out)
{
    if (!op->name->schema)
        op->name->schema = mlir_ops_vhlo(c->program.arena, op->name->name);
    *out = op->name->schema;
    return *out ? NULL
                : ERROR(UNIMPLEMENTED, "%s: this operation is unsupported",
                        mlir_op_where(c->file, op));
}

static struct error *set_attributes(struct mlir_convert *c, const struct mlir_op *from,
                                    const struct mlir_op_schema *schema, struct op *op)
{
    struct mlir_attr *attrs[MLIR_OPS_MAX_ATTRIBUTES], *backend_config = NULL;
    TRY(mlir_op_properties(c->file, from, schema->count, schema->names, NULL, attrs));
    for (int i = 0; i < schema->count; i++) {
        if (!schema->fields[i])
            continue;
        struct error *error = mlir_fields_set(&c->program, schema->fields[i], attrs[i], &op->attrs);
        if (error)
            return mlir_op_with_location(c->file, from,
                                         error_prefix(error, "attribute %s", schema->names[i]));
        if (schema->fields[i]->kind == ATTR_STRING && attrs[i]->kind == MLIR_DICT)
            backend_config = attrs[i];
    }
    return mlir_convert_op_attributes(c, from, schema->count, schema->names, backend_config, op);
}

struct error *vhlo_ops_convert(struct mlir_convert *c, struct mlir_op *from, struct block *block)
{
    const struct mlir_op_schema *schema;
    struct op *op;
    TRY(schema_of(c, from, &schema));
    TRY(mlir_convert_op(c, from, schema->code, block, &op));
    TRY(set_attributes(c, from, schema, op));
    return mlir_convert_op_regions(c, from, op);
}
