#include "compiler/frontend/mosaic/mosaic_read.h"

#include <string.h>

#include "compiler/frontend/bytecode/builtin_dialect.h"
#include "compiler/frontend/bytecode/mlir_location.h"
#include "compiler/frontend/mosaic/mosaic_attr.h"
#include "compiler/frontend/mosaic/mosaic_op.h"
#include "compiler/frontend/mosaic/mosaic_window.h"
#include "compiler/kernel_ir/kernel_align.h"
#include "compiler/kernel_ir/kernel_verify.h"

/* ---- the version ----------------------------------------------------------------------------- */
static struct error *read_version(struct mosaic_reader *r, const struct mlir_op *module)
{
    struct mlir_attr *dict;
    TRY(mlir_op_attributes(r->file, module, &dict));
    const struct mlir_attr *version = mlir_attr_lookup(dict, "stable_mosaic.version");
    if (!version || version->kind != MLIR_INTEGER || version->integer < 1)
        return ERROR(INVALID_ARGUMENT,
                     "Mosaic kernel: the module has no attribute stable_mosaic.version");
    if (version->integer > MOSAIC_NEWEST)
        return ERROR(UNIMPLEMENTED,
                     "Mosaic kernel: version %lld of stable_mosaic is newer than what is "
                     "supported; supported are 1 to %d",
                     (long long)version->integer, MOSAIC_NEWEST);
    r->version = (int)version->integer;
    return NULL;
}

/* ---- functions ------------------------------------------------------------------------------- */
static struct error *read_function(struct mosaic_reader *r, const struct mlir_op *op,
                                   struct mlir_attr **dict, struct kernel_function *out)
{
    if (strcmp(op->name->name.data, "func.func") != 0 || op->region_count != 1)
        return ERROR(UNIMPLEMENTED, "%s: a kernel's module has functions only",
                     mlir_op_where(r->file, op));
    TRY(mlir_op_attributes(r->file, op, dict));
    const struct mlir_attr *name = mlir_attr_lookup(*dict, "sym_name");
    if (!name || name->kind != MLIR_STRING)
        return ERROR(INVALID_ARGUMENT, "%s: the function has no name", mlir_op_where(r->file, op));
    out->name = arena_string(r->arena, name->string.data, name->string.size);
    out->location = mlir_location_get(r->file, op->location);
    r->value_count = 0;
    TRY(mosaic_op_block(r, &op->regions[0], &out->body));
    out->value_count = r->value_count;
    return NULL;
}

/* The kernel is the function with these attributes, or the first; the others are index maps. */
static bool is_main(const struct mlir_attr *dict)
{
    return mlir_attr_lookup(dict, "dimension_semantics") ||
           mlir_attr_lookup(dict, "tpu.core_type") || mlir_attr_lookup(dict, "window_params");
}

static struct error *read_functions(struct mosaic_reader *r, const struct mlir_region *body,
                                    struct kernel *kernel, struct mlir_attr **main_dict)
{
    int count = 0;
    for (const struct mlir_op *op = body->first; op; op = op->next)
        count++;
    if (count == 0)
        return ERROR(INVALID_ARGUMENT, "Mosaic kernel: the module has no function");
    kernel->functions = ARENA_ARRAY(r->arena, struct kernel_function, (size_t)count);
    kernel->function_count = count;
    int i = 0;
    for (const struct mlir_op *op = body->first; op; op = op->next, i++) {
        struct mlir_attr *dict;
        TRY(read_function(r, op, &dict, &kernel->functions[i]));
        if (i == 0 || (is_main(dict) && !is_main(*main_dict))) {
            kernel->main = &kernel->functions[i];
            *main_dict = dict;
        }
    }
    return NULL;
}

/* ---- the module ------------------------------------------------------------------------------ */
static struct error *read_kernel(struct mosaic_reader *r, const struct mlir_op *module,
                                 struct kernel *kernel)
{
    struct mlir_attr *dict = NULL;
    TRY(read_version(r, module));
    if (module->region_count != 1)
        return ERROR(INVALID_ARGUMENT, "Mosaic kernel: the module has %zu regions; expected 1",
                     module->region_count);
    kernel->version = r->version;
    TRY(read_functions(r, &module->regions[0], kernel, &dict));
    kernel->name = kernel->main->name;
    kernel->has_communication = r->has_communication;
    TRY(mosaic_window_read(r->arena, dict, kernel));
    TRY(kernel_verify(kernel));
    return kernel_align_check(r->arena, kernel);
}

struct error *mosaic_read_kernel(struct arena *arena, const void *bytes, size_t size,
                                 struct kernel **out)
{
    static const struct mlir_dialect dialects[] = {
        {.name = "builtin", .attr = builtin_dialect_attr, .type = mosaic_type_builtin},
        {.name = NULL}};
    struct mosaic_reader r = {.arena = arena};
    struct mlir_op *module;
    *out = NULL;
    TRY(mlir_file_read(arena, bytes, size, dialects, &r.file));
    TRY(mlir_op_read(r.file, &module));
    mosaic_type_start(r.file, &r.types);
    struct kernel *kernel = ARENA_NEW(arena, struct kernel);
    TRY(read_kernel(&r, module, kernel));
    *out = kernel;
    return NULL;
}
