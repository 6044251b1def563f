/* mlir_program.h: a program that is being read from MLIR, by either syntax: its module, functions
 * by name and meshes. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_PROGRAM_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_PROGRAM_H

#include "compiler/frontend/mlir/mlir_attr.h"

struct mlir_program {
    struct arena *arena;
    struct module *module;
    struct map *funcs; /* struct func by name */
};

/* Starts with an empty module; `meshes` (borrowed for the arena's life) holds struct mesh by
 * name. */
void mlir_program_begin(struct mlir_program *program, struct arena *arena, const char *name,
                        struct map *meshes);

#endif
