/* mlir_text_sdy.h: the Shardy dialect in MLIR text: attributes, meshes and operations. What they
 * mean is mlir_sdy.h's. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_SDY_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_SDY_H

#include "compiler/frontend/text/mlir_parser.h"

/* #sdy.<kind>, or #sdy with an empty kind: from the '<'. */
struct error *mlir_text_sdy_attr(struct mlir_parser *p, const char *kind, struct mlir_attr **out);

/* sdy.mesh @name = <...>: after the word. */
struct error *mlir_text_sdy_mesh(struct mlir_parser *p);

/* "<@mesh, [{"x"}, {}]>" with the angles. */
struct error *mlir_text_sdy_sharding(struct mlir_parser *p, struct mlir_attr **out);

/* "[<@mesh, [...]>, ...]" with the brackets. */
struct error *mlir_text_sdy_per_value(struct mlir_parser *p, struct mlir_attr **out);

/* "{"x", "y"}" as an array of strings. */
struct error *mlir_text_sdy_axes(struct mlir_parser *p, struct mlir_attr **out);

#endif
