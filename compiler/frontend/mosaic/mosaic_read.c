#include "compiler/frontend/mosaic/mosaic_read.h"

#include <string.h>

#include "compiler/frontend/mosaic/mosaic_bytecode.h"
#include "compiler/frontend/mosaic/mosaic_text.h"
#include "compiler/frontend/mosaic/mosaic_window.h"
#include "compiler/kernel_ir/kernel_align.h"
#include "compiler/kernel_ir/kernel_verify.h"

/* The kernel is the function with these attributes, or the first; the others are index maps. */
static bool is_main(const struct mlir_attr *dict)
{
    return mlir_attr_lookup(dict, "dimension_semantics") ||
           mlir_attr_lookup(dict, "tpu.core_type") || mlir_attr_lookup(dict, "window_params");
}

static struct error *name_function(struct arena *arena, const struct mlir_attr *dict,
                                   struct kernel_function *out)
{
    const struct mlir_attr *name = mlir_attr_lookup(dict, "sym_name");
    if (!name || name->kind != MLIR_STRING)
        return ERROR(INVALID_ARGUMENT, "Mosaic kernel: a function has no name");
    out->name = arena_string(arena, name->string.data, name->string.size);
    return NULL;
}

/* Copies the functions into the kernel; *main_dict are the attributes of the main one. */
static struct error *take_functions(const struct mosaic_module *module, struct kernel *kernel,
                                    struct mlir_attr **main_dict)
{
    size_t count = module->functions.count;
    if (count == 0)
        return ERROR(INVALID_ARGUMENT, "Mosaic kernel: the module has no function");
    kernel->functions = ARENA_ARRAY(module->arena, struct kernel_function, count);
    kernel->function_count = (int)count;
    for (size_t i = 0; i < count; i++) {
        const struct mosaic_function *from = module->functions.items[i];
        kernel->functions[i] = from->function;
        TRY(name_function(module->arena, from->dict, &kernel->functions[i]));
        if (i == 0 || (is_main(from->dict) && !is_main(*main_dict))) {
            kernel->main = &kernel->functions[i];
            *main_dict = from->dict;
        }
    }
    return NULL;
}

static struct error *assemble(const struct mosaic_module *module, struct kernel *kernel)
{
    struct mlir_attr *dict = NULL;
    kernel->version = module->version;
    TRY(take_functions(module, kernel, &dict));
    kernel->name = kernel->main->name;
    kernel->has_communication = module->has_communication;
    TRY(mosaic_window_read(module->arena, dict, kernel));
    TRY(kernel_verify(kernel));
    return kernel_align_check(module->arena, kernel);
}

/* The first bytes of MLIR bytecode. */
static bool is_bytecode(const void *bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "ML\xefR", 4) == 0;
}

struct error *mosaic_read_kernel(struct arena *arena, const struct mosaic_source *source,
                                 struct kernel **out)
{
    struct mosaic_module module = {.arena = arena};
    struct kernel *kernel = ARENA_NEW(arena, struct kernel);
    *out = NULL;
    TRY(is_bytecode(source->bytes, source->size)
            ? mosaic_bytecode_read(source, &module)
            : mosaic_text_read(source->bytes, source->size, &module));
    TRY(assemble(&module, kernel));
    *out = kernel;
    return NULL;
}
