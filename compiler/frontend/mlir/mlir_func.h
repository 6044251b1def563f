/* mlir_func.h: creates functions from their signatures. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_FUNC_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_FUNC_H

#include "compiler/frontend/mlir/mlir_program.h"

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

/* Adds a function whose body is an empty block; @main becomes the entry. Layout, memory kind and
 * sharding become part of the types of its arguments and results. INVALID_ARGUMENT for a name that
 * is already defined. */
struct error *mlir_func_make(struct mlir_program *program, const struct mlir_signature *signature,
                             struct func **out);

#endif
