/* mlir_location.h: where the operations of a bytecode file come from. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_LOCATION_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_LOCATION_H

#include "compiler/frontend/bytecode/mlir_file.h"

/* A location by the index of its attribute: the outermost name and the first file position. NULL
 * when nothing is known; never fails, since an operation without a location is as good. */
const struct location *mlir_location_get(struct mlir_file *file, size_t index);

#endif
