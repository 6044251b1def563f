/* mlir_text_compound.h: StableHLO's own attributes, #stablehlo.kind<...>. Dimension numbers,
 * channel handles and the like become the fields of attrs.def, which are flat in a set. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_COMPOUND_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_COMPOUND_H

#include "compiler/frontend/text/mlir_parser.h"

/* #alias, #dialect.kind<...> and #dialect<...>: from the current token. */
struct error *mlir_text_compound_read(struct mlir_parser *p, struct mlir_attr **out);

/* "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]" into the flat fields of a convolution. */
struct error *mlir_text_compound_conv(struct mlir_parser *p, struct mlir_attr_set *flat);

/* "<name = value, ...>" of dot_algorithm. */
struct error *mlir_text_compound_algorithm(struct mlir_parser *p, struct mlir_attr_set *flat);

#endif
