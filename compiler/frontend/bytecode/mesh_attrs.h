/* mesh_attrs.h: decodes the attributes of meshes, of their axes, and of replica groups along axes,
 * which Shardy, StableHLO and VHLO encode each in their own way. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_MESH_ATTRS_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_MESH_ATTRS_H

#include "compiler/frontend/bytecode/mlir_entry.h"

enum mesh_attrs_dialect { MESH_ATTRS_SDY, MESH_ATTRS_STABLEHLO, MESH_ATTRS_VHLO };

/* Read a SUB_AXIS, the AXIS_SIZE of a mesh, and an AXIS that is referred to, into *out. */
void mesh_attrs_sub_axis(struct mlir_file *file, struct bytes *in, struct mlir_attr *out);
struct error *mesh_attrs_axis_size(struct mlir_file *file, struct bytes *in,
                                   enum mesh_attrs_dialect dialect, struct mlir_attr *out);
struct error *mesh_attrs_axis(struct mlir_file *file, struct bytes *in,
                              enum mesh_attrs_dialect dialect, struct mlir_attr *out);

/* Read a MESH and GROUPS of StableHLO or VHLO into *out. */
struct error *mesh_attrs_mesh(struct mlir_file *file, struct bytes *in,
                              enum mesh_attrs_dialect dialect, struct mlir_attr *out);
struct error *mesh_attrs_groups(struct mlir_file *file, struct bytes *in,
                                enum mesh_attrs_dialect dialect, struct mlir_attr *out);

#endif
