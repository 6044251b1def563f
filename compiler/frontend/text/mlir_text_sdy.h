/* mlir_text_sdy.h: the Shardy dialect in MLIR text: attributes, meshes and operations. What they
 * become is the same as from bytecode (sdy.h). */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_SDY_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_SDY_H

#include "compiler/frontend/text/mlir_parser.h"

/* #sdy.<kind>, or #sdy with an empty kind: from the '<'. */
struct error *mlir_text_sdy_attr(struct mlir_parser *p, const char *kind, struct mlir_attr **out);

/* sdy.mesh @name = <...>: from behind the word. */
struct error *mlir_text_sdy_mesh(struct mlir_parser *p);

/* A mesh with the name it shall have in the module. */
struct error *mlir_text_sdy_add_mesh(struct mlir_parser *p, struct string name,
                                     const struct mlir_attr *mesh);

/* "<@mesh, [{"x"}, {}]>" with the angles. */
struct error *mlir_text_sdy_sharding(struct mlir_parser *p, struct mlir_attr **out);

/* "[<@mesh, [...]>, ...]" with the brackets. */
struct error *mlir_text_sdy_per_value(struct mlir_parser *p, struct mlir_attr **out);

/* "{"x", "y"}" as an array of strings. */
struct error *mlir_text_sdy_axes(struct mlir_parser *p, struct mlir_attr **out);

/* INVALID_ARGUMENT or UNIMPLEMENTED unless each axis has one device. `offset`: what the error
 * shows. */
struct error *mlir_text_sdy_manual(struct mlir_parser *p, const struct mlir_attr *in,
                                   const struct mlir_attr *out, const struct mlir_attr *axes,
                                   size_t offset);

#endif
