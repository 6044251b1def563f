/* mlir_groups.h: replica groups by axes of a mesh, #stablehlo.replica_group_mesh_axes: read into a
 * generic attribute, and converted to lists of devices once the meshes of the module are known.
 * compiler/ir/mesh_groups.h has their meaning. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_GROUPS_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_GROUPS_H

#include "compiler/frontend/mlir/mlir_program.h"

/* The work that the groups of a program may take, in devices: one for each device of the mesh and
 * operation, and MLIR_GROUPS_NEW for each device when the operation's groups are the first of their
 * kind. Short attributes can name groups of many devices. */
#define MLIR_GROUPS_MAX_WORK (1 << 25)
#define MLIR_GROUPS_NEW 8

/* Makes *out a MESH of an ARRAY of axes with sizes; `ids` (NULL: none) is a tensor. Sets kind and
 * value only. INVALID_ARGUMENT for other kinds of attributes and whatever mlir_sdy_mesh() rejects.
 */
struct error *mlir_groups_mesh(struct arena *arena, const struct mlir_attr *axes,
                               struct mlir_attr *ids, struct mlir_attr *out);

/* Makes *out the GROUPS along an ARRAY of axes of a mesh: a MESH, or the name of one of the module.
 * Sets kind and value only. INVALID_ARGUMENT for other kinds of attributes. */
struct error *mlir_groups_make(struct arena *arena, const struct mlir_attr *mesh,
                               const struct mlir_attr *axes, struct mlir_attr *out);

/* The devices of GROUPS, one row for each group. INVALID_ARGUMENT for unknown meshes and axes and
 * whatever mesh_groups() rejects; RESOURCE_EXHAUSTED beyond MLIR_GROUPS_MAX_WORK. */
struct error *mlir_groups_set(struct mlir_program *program, const struct mlir_attr *attr,
                              struct pairs *out);

#endif
