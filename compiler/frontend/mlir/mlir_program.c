#include "compiler/frontend/mlir/mlir_program.h"

struct error *mlir_program_count(const char *name, const struct mlir_attr *attr, int *out)
{
    *out = 1;
    if (!attr)
        return NULL;
    if (attr->kind != MLIR_INTEGER)
        return ERROR(INVALID_ARGUMENT, "%s of the module must be an integer", name);
    if (attr->integer < 1 || attr->integer > INT32_MAX)
        return ERROR(INVALID_ARGUMENT, "%s of the module is %lld; allowed are 1 to %d", name,
                     (long long)attr->integer, INT32_MAX);
    *out = (int)attr->integer;
    return NULL;
}

void mlir_program_begin(struct mlir_program *program, struct arena *arena, const char *name,
                        struct map *meshes)
{
    *program = (struct mlir_program){.arena = arena,
                                     .module = ir_module(arena, name),
                                     .funcs = map_create(arena),
                                     .groups = map_create(arena)};
    program->module->num_replicas = program->module->num_partitions = 1;
    program->module->meshes = meshes;
}

void mlir_program_attributes(struct mlir_program *program, const struct mlir_attr *attributes)
{
    struct mlir_attr *frontend = mlir_attr_lookup(attributes, "mhlo.frontend_attributes");
    if (frontend && frontend->kind == MLIR_DICT)
        program->module->frontend_attributes = mlir_attr_raw(program->arena, frontend)->dict;
}
