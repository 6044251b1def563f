#include "compiler/frontend/mlir/mlir_func.h"

#include <string.h>

#include "compiler/frontend/mlir/mlir_fields.h"

/* Reads the types and attributes of arguments or results. */
static struct error *read_boundary(struct mlir_program *program, const char *name, const char *what,
                                   size_t count, const struct mlir_boundary *values,
                                   const struct type ***types, struct argument_info **infos)
{
    *types = ARENA_ARRAY(program->arena, const struct type *, count);
    *infos = ARENA_ARRAY(program->arena, struct argument_info, count);
    for (size_t i = 0; i < count; i++) {
        (*types)[i] = values[i].type;
        struct error *error =
            mlir_fields_argument(program, values[i].attributes, &(*types)[i], &(*infos)[i]);
        if (error)
            return error_prefix(error, "%s %zu of @%s", what, i, name);
    }
    return NULL;
}

struct error *mlir_func_make(struct mlir_program *program, const struct mlir_signature *signature,
                             struct func **out)
{
    const struct type **types;
    const char *name = arena_string(program->arena, signature->name.data, signature->name.size);
    struct func *func = *out = ir_func(program->module, name);
    if (map_put(program->funcs, signature->name.data, signature->name.size, func))
        return ERROR(INVALID_ARGUMENT, "the function @%s is already defined", name);
    func->is_public = signature->is_public;
    TRY(read_boundary(program, name, "argument", signature->argument_count, signature->arguments,
                      &types, &func->argument_infos));
    func->body = ir_block(program->module, func, NULL, (int)signature->argument_count, types);
    TRY(read_boundary(program, name, "result", signature->result_count, signature->results,
                      &func->result_types, &func->result_infos));
    func->result_count = (int)signature->result_count;
    if (strcmp(name, "main") == 0)
        program->module->entry = func;
    return NULL;
}
