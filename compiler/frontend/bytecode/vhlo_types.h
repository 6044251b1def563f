/* vhlo_types.h: reads the VHLO dialect's types from bytecode. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_VHLO_TYPES_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_VHLO_TYPES_H

#include "compiler/frontend/bytecode/mlir_entry.h"

/* See struct mlir_dialect. */
struct error *vhlo_types_read(struct mlir_file *file, struct bytes *in, uint64_t code,
                              struct mlir_type *out);

#endif
