#include "compiler/frontend/mlir/mlir_program.h"

void mlir_program_begin(struct mlir_program *program, struct arena *arena, const char *name,
                        struct map *meshes)
{
    *program = (struct mlir_program){
        .arena = arena, .module = ir_module(arena, name), .funcs = map_create(arena)};
    program->module->num_replicas = program->module->num_partitions = 1;
    program->module->meshes = meshes;
}
