/* halo_plan.h: plans a halo exchange: along one dimension, a value is sharded in equal blocks (the
 * last ones padded), and each partition needs a range of its elements, most of which its own block
 * may hold. Whatever else it needs comes in collective-permutes of slices of blocks, each as long
 * as the longest that a partition needs of another one, or in broadcasts where all need the same;
 * where that would send more than gathering the dimension, the dimension is gathered.
 *
 * Participants are the partitions that differ on the axes of `from` and `to` only, numbered by
 * their coordinates on halo_plan.axes, major to minor. All functions are pure. Time and memory are
 * linear in participants times blocks that one needs, both bounded. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_HALO_PLAN_H
#define GANTRY_COMPILER_PASSES_SPMD_HALO_PLAN_H

#include "compiler/passes/spmd/tiling.h"

enum { HALO_MAX_PARTICIPANTS = 256, HALO_MAX_STEPS = 32, HALO_MAX_BROADCASTS = 4 };

/* What is needed. Range r is that of the partitions with coordinates r on the axes `to`. */
struct halo {
    struct axis_list from, to; /* that shard the dimension; that number the ranges */
    int64_t whole;             /* size of the dimension */
    int64_t begin, end;        /* within 0 .. whole: other elements are ignored */
    int64_t size;              /* of a range, at least 1 */
    const int64_t *starts; /* the first element of each range; may be outside of the dimension */
    const int64_t *counts; /* how many elements of each range matter, at most `size` */
};

enum halo_kind {
    HALO_FIXED,   /* the pieces have the same places in all ranges: they are concatenated */
    HALO_SHIFTED, /* places differ between partitions: each piece is written at its own */
    HALO_SHARED,  /* `to` is empty: each piece is broadcast, and they are concatenated */
    HALO_WHOLE    /* the dimension is gathered, and the ranges are sliced from the whole */
};

/* One piece of the ranges: `size` elements, from element firsts[source] of the source's block to
 * element places[target] of the target's range. */
struct halo_step {
    bool is_own; /* source and target are the same, in all pairs */
    int64_t size;
    /* Source and target participant, each at most once as either. Of a piece that is broadcast one
     * pair, its source twice. */
    int64_t pair_count, *pairs;
    /* By participant. A piece may reach over the ends of a range by less than its size, with
     * elements that belong there; participants that receive nothing have the range's size. */
    int64_t *firsts, *places;
};

struct halo_plan {
    enum halo_kind kind;
    struct axis_list axes;       /* those of `from`, then the others of `to` */
    int64_t participants, block; /* the size of a block */
    int step_count;
    struct halo_step steps[HALO_MAX_STEPS]; /* fixed: in the order of their places */
    double elements;                        /* of the dimension that a device sends, averaged */
};

void halo_plan(struct arena *arena, const struct device_grid *grid, const struct halo *halo,
               struct halo_plan *plan);

/* Whether a range has an element that matters to its partition and is not in begin .. end. */
bool halo_reaches_outside(const struct device_grid *grid, const struct halo *halo);

/* The index of a participant's shard along a dimension with axes `list`, all of which are in
 * `axes`. */
int64_t halo_shard_index(const struct device_grid *grid, const struct axis_list *axes,
                         int64_t participant, const struct axis_list *list);

#endif
