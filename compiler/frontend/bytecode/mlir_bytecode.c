#include "compiler/frontend/bytecode/mlir_bytecode.h"

#include <string.h>

#include "compiler/frontend/bytecode/vhlo.h"

bool mlir_bytecode_is(const void *bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "ML\xefR", 4) == 0;
}

struct read {
    struct arena *arena;
    const void *bytes;
    size_t size;
    struct module *module;
};

static struct error *read_body(void *context)
{
    struct read *read = context;
    struct mlir_file *file;
    struct mlir_op *module;
    TRY(mlir_file_read(read->arena, read->bytes, read->size, &file));
    TRY(mlir_op_read(file, &module));
    return vhlo_module(file, module, &read->module);
}

struct error *mlir_bytecode_read(struct arena *arena, const void *bytes, size_t size,
                                 struct module **out)
{
    struct read read = {.arena = arena, .bytes = bytes, .size = size};
    struct error *error = arena_run(arena, read_body, &read);
    *out = error ? NULL : read.module;
    return error;
}
