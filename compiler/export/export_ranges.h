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
    struct export_range *next; /* in the pool: another tree */
};

struct export_pool { /* memory for ranges, which is used again */
    struct arena *arena;
    struct export_range *unused; /* trees; NULL at first */
};

struct export_ranges {
    struct export_pool *pool;  /* borrowed */
    struct export_range *root; /* NULL: empty */
    uint64_t made;             /* ranges, ever */
};

/* Gives the bytes of the slice a number, which replaces those that they have. Ranges that touch and
 * have equal numbers become one. O(log n) on average with n ranges. Only inside arena_run(). */
void export_ranges_set(struct export_ranges *ranges, const struct slice *slice, int64_t number);

/* Moves all ranges of *from to *to, where all have that number, as they do in *from. Adds the set
 * of which fewer ranges were made to the other one. */
void export_ranges_move(struct export_ranges *to, struct export_ranges *from, int64_t number);

/* Returns the memory to the pool. */
void export_ranges_clear(struct export_ranges *ranges);

/* In the order of allocations and offsets, the first range that ends behind the place. NULL: there
 * is none. O(log n) on average. Borrowed until the next call that changes them. */
const struct export_range *export_ranges_from(const struct export_ranges *ranges, int allocation,
                                              uint64_t offset);

/* The range behind `last`, or the first one (NULL). */
const struct export_range *export_ranges_next(const struct export_ranges *ranges,
                                              const struct export_range *last);

#endif
