/* mlir_text_fields.h: from an operation's attributes in text to the IR's fields, with
 * StableHLO's defaults for those that are left out. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_FIELDS_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_FIELDS_H

#include "compiler/frontend/text/mlir_text_op.h"

/* Sets op->attrs and op->extra; functions named here are looked up by mlir_text_fields_link(). */
struct error *mlir_text_fields_set(struct mlir_parser *p, const struct mlir_text_op *from,
                                   struct op *op);

/* Resolves the functions that were named, once all are known. */
struct error *mlir_text_fields_link(struct mlir_parser *p);

#endif
