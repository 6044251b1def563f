/* mlir_program.h: a program that is being read from MLIR, by either syntax: its module, functions by
 * name and meshes. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_PROGRAM_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_PROGRAM_H

#include "compiler/frontend/mlir/mlir_attr.h"

struct mlir_program {
    struct arena *arena;
    struct module *module;
    struct map *funcs; /* struct func by name */
};

struct mlir_boundary { /* an argument or a result of a function */
    const struct type *type;
    const struct mlir_attr *attributes; /* a DICT, or NULL */
};

struct mlir_signature {
    struct string name;
    bool is_public;
    size_t argument_count, result_count;
    struct mlir_boundary *arguments, *results;
};

/* Starts with an empty module; `meshes` (borrowed for the arena's life) holds struct mesh by
 * name. */
void mlir_program_begin(struct mlir_program *program, struct arena *arena, const char *name,
                        struct map *meshes);

/* Adds a function with the block of its body, which is empty; @main becomes the entry. Layout,
 * memory kind and sharding become part of the types of its arguments and results.
 * INVALID_ARGUMENT for a name that is taken. */
struct error *mlir_program_func(struct mlir_program *program, struct mlir_signature *signature,
                                struct func **out);

#endif
