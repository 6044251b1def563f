/* mlir_text_dense.h: reads dense<...> : tensor<...> from MLIR text. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_DENSE_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_DENSE_H

#include "compiler/frontend/text/mlir_parser.h"

/* Reads, after the word `dense`, elements, a splat, or a string of hexadecimal digits, then the
 * type. Floats may be written as their bits (0x7F800000). */
struct error *mlir_text_dense_read(struct mlir_parser *p, const struct literal **out);

#endif
