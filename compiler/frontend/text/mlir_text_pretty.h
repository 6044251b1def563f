/* mlir_text_pretty.h: the short forms in which MLIR prints StableHLO: "stablehlo.add %0, %1 :
 * type". */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_PRETTY_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_PRETTY_H

#include "compiler/frontend/text/mlir_text_op.h"

/* Reads an operation from its name on (the current token) and appends it to the block. op->code
 * is that of the name, OP_INVALID_CODE for those of Shardy and those that are unsupported. */
struct error *mlir_text_pretty_read(struct mlir_parser *p, struct mlir_text_op *op,
                                    struct block *block, struct mlir_text_results *out);

#endif
