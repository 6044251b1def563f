/* sdy_attrs.h: reads the Shardy dialect's attributes from bytecode. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_SDY_ATTRS_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_SDY_ATTRS_H

#include "compiler/frontend/bytecode/mlir_entry.h"

/* See struct mlir_dialect. A sharding refers to a mesh that was read before, or contains one. */
struct error *sdy_attrs_read(struct mlir_file *file, struct bytes *in, uint64_t code,
                             struct mlir_attr *out);

#endif
