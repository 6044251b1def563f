#include "compiler/frontend/bytecode/mlir_bytecode.h"

#include <string.h>

#include "compiler/frontend/bytecode/builtin_dialect.h"
#include "compiler/frontend/bytecode/chlo_ops.h"
#include "compiler/frontend/bytecode/func_dialect.h"
#include "compiler/frontend/bytecode/sdy_attrs.h"
#include "compiler/frontend/bytecode/sdy_ops.h"
#include "compiler/frontend/bytecode/stablehlo_attrs.h"
#include "compiler/frontend/bytecode/stablehlo_ops.h"
#include "compiler/frontend/bytecode/vhlo_attrs.h"
#include "compiler/frontend/bytecode/vhlo_ops.h"
#include "compiler/frontend/bytecode/vhlo_types.h"

static const struct mlir_dialect dialects[] = {
    {"builtin", builtin_dialect_attr, builtin_dialect_type, builtin_dialect_op},
    {"vhlo", vhlo_attrs_read, vhlo_types_read, vhlo_ops_convert},
    {"chlo", NULL, NULL, chlo_ops_convert},
    {"func", NULL, NULL, func_dialect_op},
    {"stablehlo", stablehlo_attrs_read, vhlo_types_read_stablehlo, stablehlo_ops_convert},
    {"sdy", sdy_attrs_read, NULL, sdy_ops_convert},
    {NULL, NULL, NULL, NULL},
};

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
    TRY(mlir_file_read(read->arena, read->bytes, read->size, dialects, &file));
    TRY(mlir_op_read(file, &module));
    return mlir_convert_module(file, module, &read->module);
}

struct error *mlir_bytecode_read(struct arena *arena, const void *bytes, size_t size,
                                 struct module **out)
{
    struct read read = {.arena = arena, .bytes = bytes, .size = size};
    const char *outer = arena_set_task(arena, "reading MLIR bytecode");
    struct error *error = arena_run(arena, read_body, &read);
    arena_set_task(arena, outer);
    *out = error ? NULL : read.module;
    return error;
}
