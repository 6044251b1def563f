/* vhlo_ops.h: converts the operations of the VHLO dialect, versions 0.9.0 to 1.22.0. mlir_ops.h
 * describes their attributes. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_VHLO_OPS_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_VHLO_OPS_H

#include "compiler/frontend/bytecode/mlir_convert.h"

/* See struct mlir_dialect. */
struct error *vhlo_ops_convert(struct mlir_convert *c, struct mlir_op *op, struct block *block);

#endif
