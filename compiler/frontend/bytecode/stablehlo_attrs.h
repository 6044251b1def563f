/* stablehlo_attrs.h: reads the StableHLO dialect's attributes from bytecode. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_STABLEHLO_ATTRS_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_STABLEHLO_ATTRS_H

#include "compiler/frontend/bytecode/mlir_entry.h"

/* See struct mlir_dialect. Source: the codes of StablehloBytecode.cpp. */
struct error *stablehlo_attrs_read(struct mlir_file *file, struct bytes *in, uint64_t code,
                                   struct mlir_attr *out);

#endif
