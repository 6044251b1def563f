/* tiling.h: how a value is partitioned, as the passes of this folder compute with it: for each
 * dimension the axes of the module's mesh (spmd_mesh.h) that shard it. Axes that occur nowhere
 * replicate. A struct sharding with names, sub-axes and priorities is converted once, to and from
 * this form. All functions are pure; what they return is in the arena. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_TILING_H
#define GANTRY_COMPILER_PASSES_SPMD_TILING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "compiler/ir/type.h"

enum { TILING_MAX_AXES = 20 }; /* 2^20 devices, and axes have at least 2 */

/* The mesh as the passes see it: axes major to minor over the positions 0 .. device_count - 1. The
 * coordinate of position p on axis a is p / strides[a] % sizes[a]. */
struct device_grid {
    int axis_count; /* at most TILING_MAX_AXES */
    int64_t sizes[TILING_MAX_AXES], strides[TILING_MAX_AXES];
    int64_t device_count;
    const int64_t *partitions; /* the partition id at each position; NULL: 0, 1, 2 ... */
};

struct axis_list { /* axes of the grid, major to minor */
    uint8_t count;
    uint8_t at[TILING_MAX_AXES];
};

struct tiling {
    int rank;
    struct axis_list *dims; /* an axis occurs at most once in all of them */
    uint32_t open;          /* a bit for each dimension that propagation may shard further */
    uint32_t unreduced;     /* a bit for each axis over which the value is still to be summed */
};

/* The number of shards that the axes make. */
int64_t axis_list_size(const struct device_grid *grid, const struct axis_list *list);
bool axis_list_equal(const struct axis_list *a, const struct axis_list *b);
/* A bit for each axis of the list. */
uint32_t axis_list_set(const struct axis_list *list);
/* The number of leading axes that both have. */
int axis_list_common(const struct axis_list *a, const struct axis_list *b);

/* Replicated, with closed dimensions. */
struct tiling *tiling_replicated(struct arena *arena, int rank);
struct tiling *tiling_copy(struct arena *arena, const struct tiling *tiling);
/* A copy to be changed, in `room`: for tilings that are only tried. */
struct tiling_room {
    struct tiling tiling;
    struct axis_list dims[SHAPE_MAX_RANK];
};
struct tiling *tiling_edit(struct tiling_room *room, const struct tiling *tiling);
/* Dimensions and unreduced axes; open dimensions are not compared. */
bool tiling_equal(const struct tiling *a, const struct tiling *b);
/* A bit for each axis that shards a dimension. */
uint32_t tiling_axes(const struct tiling *tiling);
bool tiling_is_replicated(const struct tiling *tiling); /* neither sharded nor unreduced */

/* The size of a shard: the last shards are padded where the division is not exact. */
int64_t tiling_local_size(const struct device_grid *grid, const struct tiling *tiling, int dim,
                          int64_t size);
/* The type of a shard. It has no sharding; the layout is that of `type` when all sizes are equal,
 * else row-major. */
const struct type *tiling_local_type(struct arena *arena, const struct device_grid *grid,
                                     const struct tiling *tiling, const struct type *type);

#endif
