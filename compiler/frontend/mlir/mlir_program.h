/* mlir_program.h: a program that is being read from MLIR text or bytecode: its module, and its
 * functions by name. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_PROGRAM_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_PROGRAM_H

#include "compiler/frontend/mlir/mlir_attr.h"

struct mlir_program {
    struct arena *arena;
    struct module *module;
    struct map *funcs;  /* struct func by name */
    struct map *groups; /* struct pairs by mesh and axes: mlir_groups.c */
    int64_t group_work; /* of mlir_groups_set() so far */
};

/* Initializes *program with an empty module; `meshes` (struct mesh by name) is borrowed for the
 * arena's lifetime. */
void mlir_program_begin(struct mlir_program *program, struct arena *arena, const char *name,
                        struct map *meshes);

/* Keeps what the module's attributes (a DICT) say to frontends: mhlo.frontend_attributes. */
void mlir_program_attributes(struct mlir_program *program, const struct mlir_attr *attributes);

/* A count that the module's attributes may have, such as mhlo.num_replicas; 1 where `attr` is NULL.
 * INVALID_ARGUMENT when it is no integer, or below 1 or above INT32_MAX. */
struct error *mlir_program_count(const char *name, const struct mlir_attr *attr, int *out);

#endif
