/* mlir_text_chlo.h: operations of CHLO in MLIR text. What they mean is mlir_chlo.h's. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_CHLO_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_CHLO_H

#include "compiler/frontend/text/mlir_text_op.h"

/* The short form, after the name: "%a, %b : types", "(%a, k = 2) : type -> (types)". */
struct error *mlir_text_chlo_read(struct mlir_parser *p, struct string name,
                                  struct mlir_text_op *op, struct block *block,
                                  struct mlir_text_results *out);

/* Makes it of what was read: operands, attributes and result types. */
struct error *mlir_text_chlo_finish(struct mlir_parser *p, struct string name,
                                    struct mlir_text_op *op, struct block *block,
                                    struct mlir_text_results *out);

#endif
