/* mlir_text_chlo.h: operations of CHLO in MLIR text, which JAX prints where StableHLO has no
 * operation of its own: the functions of functions.h, top_k, constant_like, and elementwise ones
 * that broadcast their operands first. erf is one of the
 * IR's. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_CHLO_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_CHLO_H

#include "compiler/frontend/text/mlir_text_op.h"

/* Is it "chlo." and a name that is served? */
bool mlir_text_chlo_is(struct string name);

/* The short form, from behind the name: "%a, %b : types", "(%a, k = 2) : type -> (types)". */
struct error *mlir_text_chlo_read(struct mlir_parser *p, struct string name,
                                  struct mlir_text_op *op, struct block *block,
                                  struct mlir_text_results *out);

/* Makes it of what was read: operands, attributes and result types. */
struct error *mlir_text_chlo_finish(struct mlir_parser *p, struct string name,
                                    struct mlir_text_op *op, struct block *block,
                                    struct mlir_text_results *out);

#endif
