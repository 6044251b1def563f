/* spmd_mesh.h: the one mesh on which a module is partitioned. Programs come with several meshes,
 * views of a mesh and parts of axes; all of them number the same partitions. The module's mesh is
 * their common refinement: axes major to minor over the partitions, so that each axis or part of an
 * axis of the program is a run of consecutive axes of the mesh. The partitions are in the order of
 * the manual computations; without any, in the order of their ids, or in that of the first mesh
 * whose axes do not describe its order of devices.
 *
 * The shardings of arguments and results may be over meshes of yet other orders: shard i is at the
 * device that is i-th in them. Inside of the program it is where the grid's order has it, so
 * arguments and results are moved (spmd_mesh_moves). */
#ifndef GANTRY_COMPILER_PASSES_SPMD_SPMD_MESH_H
#define GANTRY_COMPILER_PASSES_SPMD_SPMD_MESH_H

#include "compiler/ir/ir.h"
#include "compiler/ir/sharding.h"
#include "compiler/passes/spmd/tiling.h"

struct spmd_mesh; /* in the module's arena */

/* Makes the mesh of the shardings of the entry function's types and operations. Linear in the
 * module. INVALID_ARGUMENT for a mesh whose devices are not the module's partitions; UNIMPLEMENTED
 * for meshes without a common refinement (2x3 beside 3x2), or manual computations on devices of
 * different orders; INTERNAL for a sharding of another rank than its value, which the verifier
 * rejects. */
struct error *spmd_mesh_create(struct module *module, const struct spmd_mesh **out);

/* Axes have prime sizes. */
const struct device_grid *spmd_mesh_grid(const struct spmd_mesh *mesh);
/* Axes that no axis or part of an axis of the program separates have the same number. */
int spmd_mesh_group(const struct spmd_mesh *mesh, int axis);

/* For a sharding over a mesh of another order: the grid's position of the device that is i-th in
 * the mesh; device_count of them. NULL for all others. */
const int64_t *spmd_mesh_moves(const struct spmd_mesh *mesh, const struct sharding *sharding);

/* Conversions. The sharding must be one that spmd_mesh_create() saw, or one that
 * spmd_mesh_sharding() made: it has the rank of its value, `rank`. A maximal sharding, which has
 * no rank of its own, is taken as replicated. Priorities and the axes
 * that open dimensions must not use are not part of a tiling. */
struct tiling *spmd_mesh_tiling(struct arena *arena, const struct spmd_mesh *mesh,
                                const struct sharding *sharding, int rank);
const struct sharding *spmd_mesh_sharding(struct arena *arena, const struct spmd_mesh *mesh,
                                          const struct tiling *tiling);
/* A bit for each axis of the mesh. */
uint32_t spmd_mesh_manual_axes(const struct spmd_mesh *mesh, const struct sharding *sharding);
uint32_t spmd_mesh_axes(const struct spmd_mesh *mesh, const struct sharding *sharding,
                        struct axis_refs axes);

#endif
