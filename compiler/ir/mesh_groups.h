/* mesh_groups.h: groups of devices that are given as axes of a mesh, as lists of devices. A group
 * has the devices that differ along these axes only. The axes number the members of a group, major
 * to minor in the order in which they are listed; the other axes, and what sub-axes leave of
 * theirs, number the groups in the order of the mesh. The meaning is that of StableHLO's
 * specification (section "Replica groups") and of XLA's mesh-axes replica groups. Pure. */
#ifndef GANTRY_COMPILER_IR_MESH_GROUPS_H
#define GANTRY_COMPILER_IR_MESH_GROUPS_H

#include "compiler/ir/ir.h"
#include "compiler/ir/sharding.h"

/* Sets *out to one row for each group; the mesh's device_count numbers are in the arena.
 * INVALID_ARGUMENT for axes that the mesh does not have, sub-axes that do not divide their axes or
 * do not fit beside each other, and axes that are listed twice. */
struct error *mesh_groups(struct arena *arena, const struct mesh *mesh, struct axis_refs axes,
                          struct pairs *out);

#endif
