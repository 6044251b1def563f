/* chlo_ops.h: expands the operations of the CHLO dialect that JAX uses (mlir_chlo.h), except those
 * that broadcast their operands: these are UNIMPLEMENTED in bytecode. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_CHLO_OPS_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_CHLO_OPS_H

#include "compiler/frontend/bytecode/mlir_convert.h"

/* See struct mlir_dialect. */
struct error *chlo_ops_convert(struct mlir_convert *c, struct mlir_op *op, struct block *block);

#endif
