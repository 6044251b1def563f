/* mlir_text_control.h: reads the pretty forms of operations with regions: reduce and while. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_CONTROL_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_CONTROL_H

#include "compiler/frontend/text/mlir_text_op.h"

/* Reads, after the name, "(%x init: %c), ... applies stablehlo.add across dimensions = [1] :
 * types", or the form without "applies" that has "reducer(...) {...}" after the types. */
struct error *mlir_text_control_reduce(struct mlir_parser *p, struct mlir_text_op *op);

/* Reads, after the name, "(%i = %x, ...) : types cond {...} do {...}". */
struct error *mlir_text_control_while(struct mlir_parser *p, struct mlir_text_op *op);

#endif
