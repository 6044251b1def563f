/* partition_spec.h: shardings as users write them. A plugin reports a sharding as HLO text, like
 * {devices=[4,1,2]<=[8] last_tile_dim_replicate}; JAX wants the axes of the mesh that shard each
 * dimension, P('x', None). Pure functions. */
#ifndef GANTRY_TOOLS_PARTITION_SPEC_H
#define GANTRY_TOOLS_PARTITION_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum { PARTITION_SPEC_AXES = 6 };

struct partition_mesh { /* devices are numbered row-major; axes are called x, y, z, u, v, w */
    int axis_count;
    int64_t sizes[PARTITION_SPEC_AXES];
};

/* Reads "4x2". INVALID_ARGUMENT for other texts, more than PARTITION_SPEC_AXES axes, sizes below 1,
 * and more than 2^20 devices. */
struct error *partition_mesh_read(const char *text, struct partition_mesh *out);
int64_t partition_mesh_devices(const struct partition_mesh *mesh);

/* Adds the entries of the spec: 'x', None, ('x', 'y'); nothing for a replicated value. Returns
 * false and adds nothing if the text is not a sharding over whole axes of the mesh. */
bool partition_spec_print(const char *sharding, const struct partition_mesh *mesh,
                          struct text *out);

#endif
