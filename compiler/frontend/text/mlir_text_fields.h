/* mlir_text_fields.h: converts the attributes of an operation in text to the IR's fields, with
 * StableHLO's defaults for absent ones. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_FIELDS_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_FIELDS_H

#include "compiler/frontend/text/mlir_text_op.h"

/* Sets op->attrs and op->discardable. mlir_text_fields_link() resolves references to functions. */
struct error *mlir_text_fields_set(struct mlir_parser *p, const struct mlir_text_op *from,
                                   struct op *op);

/* Resolves references to functions after all functions have been read. */
struct error *mlir_text_fields_link(struct mlir_parser *p);

#endif
