/* export_ranges.h: a number for each byte of a program's allocations, as a tree of ranges: which
 * instruction wrote it last. Not thread-safe. */
#ifndef GANTRY_COMPILER_EXPORT_EXPORT_RANGES_H
#define GANTRY_COMPILER_EXPORT_EXPORT_RANGES_H

#include "base/arena.h"
#include "compiler/program/program.h"

struct export_range {
    struct slice slice;
    int64_t number;
    /* ---- of the tree */
    struct export_range *before, *after;
    uint64_t priority;
};

struct export_ranges { /* zeroed: empty */
    struct export_range *root;
    uint64_t made; /* ranges, ever */
};

/* Gives the bytes of the slice a number, which replaces those that they have. Ranges that touch and
 * have equal numbers become one. O(log n) on average with n ranges, besides those that it replaces.
 * `arena` holds the ranges, inside arena_run(). */
void export_ranges_set(struct export_ranges *ranges, struct arena *arena, const struct slice *slice,
                       int64_t number);

/* In the order of allocations and offsets, the first range that ends behind the place. NULL: there
 * is none. O(log n) on average. Borrowed until the next export_ranges_set(). */
const struct export_range *export_ranges_from(const struct export_ranges *ranges, int allocation,
                                              uint64_t offset);

#endif
