/* mlir_text_chlo.h: reads operations of CHLO from MLIR text; mlir_chlo.h expands them. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_CHLO_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_CHLO_H

#include "compiler/frontend/text/mlir_text_op.h"

/* Reads the pretty form, after the name: "%a, %b : types", "(%a, k = 2) : type -> (types)". */
struct error *mlir_text_chlo_read(struct mlir_parser *p, struct string name,
                                  struct mlir_text_op *op, struct block *block,
                                  struct mlir_text_results *out);

/* Expands an operation whose operands, attributes and result types have been read. */
struct error *mlir_text_chlo_finish(struct mlir_parser *p, struct string name,
                                    struct mlir_text_op *op, struct block *block,
                                    struct mlir_text_results *out);

#endif
