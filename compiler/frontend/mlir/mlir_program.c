#include "compiler/frontend/mlir/mlir_program.h"

#include <string.h>

#include "compiler/frontend/mlir/mlir_fields.h"

void mlir_program_begin(struct mlir_program *program, struct arena *arena, const char *name,
                        struct map *meshes)
{
    *program = (struct mlir_program){
        .arena = arena, .module = ir_module(arena, name), .funcs = map_create(arena)};
    program->module->num_replicas = program->module->num_partitions = 1;
    program->module->meshes = meshes;
}

/* The types of arguments or results, with what their attributes say. */
static struct error *take_boundary(struct mlir_program *program, size_t count,
                                   struct mlir_boundary *values, const struct type ***types,
                                   struct argument_info **infos)
{
    *types = ARENA_ARRAY(program->arena, const struct type *, count);
    *infos = ARENA_ARRAY(program->arena, struct argument_info, count);
    for (size_t i = 0; i < count; i++) {
        (*types)[i] = values[i].type;
        TRY(mlir_fields_argument(program, values[i].attributes, &(*types)[i], &(*infos)[i]));
    }
    return NULL;
}

struct error *mlir_program_func(struct mlir_program *program, struct mlir_signature *signature,
                                struct func **out)
{
    const struct type **types;
    const char *name = arena_string(program->arena, signature->name.data, signature->name.size);
    struct func *func = *out = ir_func(program->module, name);
    if (map_put(program->funcs, signature->name.data, signature->name.size, func))
        return ERROR(INVALID_ARGUMENT, "a second function @%s", name);
    func->is_public = signature->is_public;
    TRY(take_boundary(program, signature->argument_count, signature->arguments, &types,
                      &func->argument_infos));
    func->body = ir_block(program->module, func, NULL, (int)signature->argument_count, types);
    TRY(take_boundary(program, signature->result_count, signature->results, &func->result_types,
                      &func->result_infos));
    func->result_count = (int)signature->result_count;
    if (strcmp(name, "main") == 0)
        program->module->entry = func;
    return NULL;
}
