/* func_dialect.h: reads the functions of programs that are in the dialect func, calls of them, and
 * their ends. Portable artifacts have those of VHLO instead. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_FUNC_DIALECT_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_FUNC_DIALECT_H

#include "compiler/frontend/bytecode/mlir_convert.h"

/* See struct mlir_dialect. */
struct error *func_dialect_op(struct mlir_convert *c, struct mlir_op *op, struct block *block);

#endif
