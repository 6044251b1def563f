/* mlir_location.h: the source locations of the operations of a bytecode file. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_LOCATION_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_LOCATION_H

#include "compiler/frontend/bytecode/mlir_file.h"

/* Reads a location by the index of its attribute: the outermost name and the first file position.
 * NULL when it is unknown or malformed, which is not an error, because locations are optional. */
const struct location *mlir_location_get(struct mlir_file *file, size_t index);

/* The locations of the array `name` of the dictionary attribute with this index; NULL where one is
 * unknown. INVALID_ARGUMENT if there is no such array. */
struct error *mlir_location_list(struct mlir_file *file, size_t dictionary, const char *name,
                                 size_t *count, const struct location ***out);

#endif
