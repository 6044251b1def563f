/* mlir_text_mesh.h: reads StableHLO's attributes of meshes and of replica groups along their axes.
 */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_MESH_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_MESH_H

#include "compiler/frontend/text/mlir_parser.h"

/* True for "stablehlo.axis_ref", "stablehlo.mesh_axis", "stablehlo.mesh" and
 * "stablehlo.replica_group_mesh_axes". */
bool mlir_text_mesh_is(const char *kind);

/* Reads the attribute of this kind from its '<'. */
struct error *mlir_text_mesh_read(struct mlir_parser *p, const char *kind, struct mlir_attr **out);

#endif
