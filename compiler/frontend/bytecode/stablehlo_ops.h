/* stablehlo_ops.h: converts the operations of the StableHLO dialect itself, as a client that does
 * not write portable artifacts sends them. stablehlo_ops.def has their attributes. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_STABLEHLO_OPS_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_STABLEHLO_OPS_H

#include "compiler/frontend/bytecode/mlir_convert.h"

/* See struct mlir_dialect. */
struct error *stablehlo_ops_convert(struct mlir_convert *c, struct mlir_op *op,
                                    struct block *block);

#endif
