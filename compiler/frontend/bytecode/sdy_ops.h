/* sdy_ops.h: the operations of the Shardy dialect. They only annotate: a value's sharding goes on
 * its type, and an operation that computes nothing becomes the values that it passes on. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_SDY_OPS_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_SDY_OPS_H

#include "compiler/frontend/bytecode/mlir_convert.h"

/* See struct mlir_dialect. UNIMPLEMENTED for what needs more than one device. */
struct error *sdy_ops_convert(struct mlir_convert *c, struct mlir_op *op, struct block *block);

#endif
