/* mlir_text_sdy.h: reads attributes and meshes of the Shardy dialect from MLIR text. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_SDY_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_SDY_H

#include "compiler/frontend/text/mlir_parser.h"

/* Reads the "<...>" of #sdy.<kind>, or of #sdy (an empty kind). */
struct error *mlir_text_sdy_attr(struct mlir_parser *p, const char *kind, struct mlir_attr **out);

/* Reads "@name = <...>" of sdy.mesh. */
struct error *mlir_text_sdy_mesh(struct mlir_parser *p);

/* Reads "<@mesh, [{"x"}, {}]>". */
struct error *mlir_text_sdy_sharding(struct mlir_parser *p, struct mlir_attr **out);

/* Reads "[<@mesh, [...]>, ...]". */
struct error *mlir_text_sdy_per_value(struct mlir_parser *p, struct mlir_attr **out);

/* Reads "{"x", "y"}" as an array of strings. */
struct error *mlir_text_sdy_axes(struct mlir_parser *p, struct mlir_attr **out);

#endif
