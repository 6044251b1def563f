/* mlir_text_compound.h: reads StableHLO's attributes, #stablehlo.kind<...>. Dimension numbers and
 * channel handles become fields of attrs.def, the flat attributes of a set. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_COMPOUND_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_COMPOUND_H

#include "compiler/frontend/text/mlir_parser.h"

/* Reads #alias, #dialect.kind<...> or #dialect<...>. */
struct error *mlir_text_compound_read(struct mlir_parser *p, struct mlir_attr **out);

/* Reads "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]" into the flat attributes of a convolution. */
struct error *mlir_text_compound_conv(struct mlir_parser *p, struct mlir_attr_set *flat);

/* Reads "<name = value, ...>" of dot_algorithm. */
struct error *mlir_text_compound_algorithm(struct mlir_parser *p, struct mlir_attr_set *flat);

#endif
