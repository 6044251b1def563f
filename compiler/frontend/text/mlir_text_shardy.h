/* mlir_text_shardy.h: reads operations of the Shardy dialect from MLIR text. Constraints and groups
 * become operations of the IR; a computation is replaced by its body. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_SHARDY_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_SHARDY_H

#include "compiler/frontend/text/mlir_text_op.h"

/* Reads the rest of the operation `name`, "sdy.reshard", after "(operands) <{attributes}>", whose
 * operands and attributes *op has. */
struct error *mlir_text_shardy_generic(struct mlir_parser *p, struct string name,
                                       struct mlir_text_op *op, struct block *block,
                                       struct mlir_text_results *out);

/* Reads the rest of the operation after its name, in the pretty form. */
struct error *mlir_text_shardy_pretty(struct mlir_parser *p, struct string name,
                                      struct mlir_text_op *op, struct block *block,
                                      struct mlir_text_results *out);

#endif
