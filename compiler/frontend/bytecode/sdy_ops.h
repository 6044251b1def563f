/* sdy_ops.h: converts the operations of the Shardy dialect. They only annotate values: shardings
 * are added to the types of values, and results are replaced by operands. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_SDY_OPS_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_SDY_OPS_H

#include "compiler/frontend/bytecode/mlir_convert.h"

/* See struct mlir_dialect. UNIMPLEMENTED for operations that need more than one device. */
struct error *sdy_ops_convert(struct mlir_convert *c, struct mlir_op *op, struct block *block);

#endif
