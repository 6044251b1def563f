#include "compiler/frontend/mosaic/mosaic_bytecode.h"

#include <string.h>

#include "compiler/frontend/bytecode/builtin_dialect.h"
#include "compiler/frontend/bytecode/mlir_op.h"
#include "compiler/frontend/mosaic/mosaic_locations.h"
#include "compiler/frontend/mosaic/mosaic_type.h"

struct reader {
    struct mosaic_module *module;
    struct mlir_file *file;
    struct mosaic_types types;
};

/* ---- values ---------------------------------------------------------------------------------- */
static struct error *define(struct reader *r, struct mlir_value *from, struct kernel_value *out)
{
    TRY(mosaic_type_get(&r->types, from->type, &out->type));
    out->id = r->module->value_count++;
    from->kernel = out;
    return NULL;
}

static struct error *define_all(struct reader *r, struct mlir_value *from, size_t count,
                                struct kernel_value **out)
{
    *out = ARENA_ARRAY(r->module->arena, struct kernel_value, count);
    for (size_t i = 0; i < count; i++)
        TRY(define(r, &from[i], &(*out)[i]));
    return NULL;
}

static struct error *read_operands(struct reader *r, const struct mlir_op *op,
                                   struct kernel_op *out)
{
    out->operand_count = (int)op->operand_count;
    out->operands = ARENA_ARRAY(r->module->arena, const struct kernel_value *, op->operand_count);
    for (size_t i = 0; i < op->operand_count; i++) {
        out->operands[i] = op->operands[i]->kernel;
        if (!out->operands[i])
            return ERROR(INVALID_ARGUMENT, "operand %zu is used before its definition", i);
    }
    return NULL;
}

/* ---- operations ------------------------------------------------------------------------------ */
/* Codes are cached in the file's table of names: the address of the code's row. */
static struct error *find_code(struct reader *r, struct mlir_op *op, enum kernel_code *out)
{
    const struct kernel_op_info *rows = kernel_op_info((enum kernel_code)0);
    if (!op->name->schema) {
        enum kernel_code code = mosaic_op_code(op->name->dialect_name, op->name->name);
        if (code == KERNEL_CODE_COUNT)
            return ERROR(UNIMPLEMENTED, "%s: this operation of a Pallas kernel is unsupported",
                         mlir_op_where(r->file, op));
        op->name->schema = &rows[code];
    }
    *out = (enum kernel_code)((const struct kernel_op_info *)op->name->schema - rows);
    return NULL;
}

static struct error *read_block(struct reader *r, const struct mlir_region *region,
                                struct kernel_block *out);

static struct error *read_parts(struct reader *r, struct mlir_op *op, struct kernel_op *out)
{
    struct mlir_attr *dict;
    TRY(mosaic_op_counts(out->code, op->operand_count, op->result_count, op->region_count));
    TRY(read_operands(r, op, out));
    TRY(mlir_op_attributes(r->file, op, &dict));
    out->result_count = (int)op->result_count;
    out->region_count = (int)op->region_count;
    TRY(define_all(r, op->results, op->result_count, &out->results));
    return mosaic_op_complete(r->module, dict, out);
}

static struct error *read_op(struct reader *r, struct mlir_op *op, struct kernel_op **out)
{
    struct kernel_op *made = ARENA_NEW(r->module->arena, struct kernel_op);
    made->location = mlir_op_location(r->file, op);
    TRY(find_code(r, op, &made->code));
    TRY(mlir_op_with_location(r->file, op, read_parts(r, op, made)));
    made->regions = ARENA_ARRAY(r->module->arena, struct kernel_block, op->region_count);
    for (size_t i = 0; i < op->region_count; i++)
        TRY(read_block(r, &op->regions[i], &made->regions[i]));
    *out = made;
    return NULL;
}

static struct error *read_block(struct reader *r, const struct mlir_region *region,
                                struct kernel_block *out)
{
    if (region->argument_count > INT16_MAX)
        return ERROR(INVALID_ARGUMENT, "Mosaic kernel: a block has %zu arguments; the limit is %d",
                     region->argument_count, INT16_MAX);
    out->argument_count = (int)region->argument_count;
    TRY(define_all(r, region->arguments, region->argument_count, &out->arguments));
    struct kernel_op **tail = &out->first;
    for (struct mlir_op *op = region->first; op; op = op->next) {
        TRY(read_op(r, op, tail));
        tail = &(*tail)->next;
    }
    return NULL;
}

/* ---- the module ------------------------------------------------------------------------------ */
static struct error *read_function(struct reader *r, const struct mlir_op *op)
{
    struct mosaic_function *out = ARENA_NEW(r->module->arena, struct mosaic_function);
    if (strcmp(op->name->name.data, "func.func") != 0 || op->region_count != 1)
        return ERROR(UNIMPLEMENTED, "%s: a kernel's module has functions only",
                     mlir_op_where(r->file, op));
    TRY(mlir_op_attributes(r->file, op, &out->dict));
    out->function.location = mlir_op_location(r->file, op);
    r->module->value_count = 0;
    TRY(read_block(r, &op->regions[0], &out->function.body));
    out->function.value_count = r->module->value_count;
    VEC_PUSH(r->module->arena, &r->module->functions, out);
    return NULL;
}

struct error *mosaic_bytecode_read(const struct mosaic_source *source, struct mosaic_module *module)
{
    static const struct mlir_dialect dialects[] = {
        {.name = "builtin", .attr = builtin_dialect_attr, .type = mosaic_type_builtin},
        {.name = NULL}};
    struct reader r = {.module = module};
    struct mlir_op *top;
    struct mlir_attr *dict;
    TRY(mlir_file_read(module->arena, source->bytes, source->size, dialects, &r.file));
    TRY(mlir_op_read(r.file, &top));
    if (source->locations)
        TRY(mosaic_locations_apply(module->arena, source->locations, source->locations_size, top));
    mosaic_type_start(r.file, &r.types);
    TRY(mlir_op_attributes(r.file, top, &dict));
    TRY(mosaic_op_version(module, dict));
    if (top->region_count != 1)
        return ERROR(INVALID_ARGUMENT, "Mosaic kernel: the module has %zu regions; expected 1",
                     top->region_count);
    for (const struct mlir_op *op = top->regions[0].first; op; op = op->next)
        TRY(read_function(&r, op));
    return NULL;
}
