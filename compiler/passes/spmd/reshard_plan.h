/* reshard_plan.h: the collectives that bring a value from one tiling to another: slices where a
 * partition has what it needs, else all-to-all, collective-permute, reduce-scatter or all-reduce,
 * and all-gather of as few axes as possible. The cost model compares partitionings by the bytes
 * that a device sends. All functions are pure and bounded by the number of axes. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_RESHARD_PLAN_H
#define GANTRY_COMPILER_PASSES_SPMD_RESHARD_PLAN_H

#include "compiler/passes/spmd/tiling.h"

enum reshard_kind {
    RESHARD_SLICE,          /* `axes` become the minor axes of `dim` */
    RESHARD_GATHER,         /* the minor axes `axes` leave `dim` */
    RESHARD_EXCHANGE,       /* all-to-all: the minor axes `axes` of `dim` move to `to_dim` */
    RESHARD_PERMUTE,        /* each partition receives its shard from another one */
    RESHARD_REDUCE,         /* all-reduce over `axes` */
    RESHARD_REDUCE_SCATTER, /* reduces over `axes`, which become the minor axes of `dim` */
    RESHARD_KEEP_FIRST,     /* unreduced over `axes`: the first partition keeps it, others get 0 */
    RESHARD_SURROUND /* the minor axes `axes` leave `dim`: each shard amid zeros, unreduced */
};

struct reshard_step {
    enum reshard_kind kind;
    int dim, to_dim;
    struct axis_list axes;
    const struct tiling *after;
};

enum { RESHARD_MAX_STEPS = 64 };
struct reshard_plan {
    int count;
    struct reshard_step steps[RESHARD_MAX_STEPS];
    double bytes; /* that a device sends, averaged */
};

/* Plans from -> to for a value of the global type. is_modeled: as an accelerator's partitioner,
 * which gathers a dimension whole before another one takes some of its axes, where these are not
 * its last. */
void reshard_plan(struct arena *arena, const struct device_grid *grid, bool is_modeled,
                  const struct type *type, const struct tiling *from, const struct tiling *to,
                  struct reshard_plan *plan);

#endif
