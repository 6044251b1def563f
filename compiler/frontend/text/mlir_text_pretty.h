/* mlir_text_pretty.h: reads the pretty form in which MLIR prints StableHLO:
 * "stablehlo.add %0, %1 : type". */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_PRETTY_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_PRETTY_H

#include "compiler/frontend/text/mlir_text_op.h"

/* Reads an operation, starting with its name, and appends it to the block. op->code is the code of
 * the name; OP_INVALID_CODE for operations of Shardy and CHLO and for unsupported ones. */
struct error *mlir_text_pretty_read(struct mlir_parser *p, struct mlir_text_op *op,
                                    struct block *block, struct mlir_text_results *out);

#endif
