/* manual_axes.h: shardings inside of manual computations. Values there are shards along the manual
 * axes already, so that no sharding inside may name these axes again. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_MANUAL_AXES_H
#define GANTRY_COMPILER_PASSES_SPMD_MANUAL_AXES_H

#include "compiler/passes/spmd/spmd_mesh.h"

/* INVALID_ARGUMENT, with the operation, the sharding and the axis, if the sharding (may be NULL)
 * that is given at `op` names one of the axes of the mesh in `manual`. */
struct error *manual_axes_check(struct arena *arena, const struct spmd_mesh *mesh,
                                const struct op *op, const struct sharding *sharding,
                                uint32_t manual);

#endif
