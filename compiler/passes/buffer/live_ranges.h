/* live_ranges.h: sets of live ranges, asked for those that overlap another one. Insertion and the
 * search for one take O(log n) on average, whatever the ranges are. Not thread-safe. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_LIVE_RANGES_H
#define GANTRY_COMPILER_PASSES_BUFFER_LIVE_RANGES_H

#include <stdbool.h>
#include <stdint.h>

/* The caller's memory, in one set at a time; the caller sets what is above the line. */
struct live_range {
    int64_t first, last; /* both included */
    uint64_t serial;     /* another one for each range: balances the tree */
    void *owner;         /* borrowed */
    /* ---- */
    struct live_range *before, *after;
    int64_t latest; /* of the subtree */
};

struct live_ranges {
    struct live_range *root; /* NULL: empty */
};

void live_ranges_insert(struct live_ranges *set, struct live_range *range /*borrowed*/);
/* Calls `visit` for the ranges that overlap [first, last], in the order of `first`, until it
 * returns true; returns whether it did. */
bool live_ranges_find(const struct live_ranges *set, int64_t first, int64_t last,
                      bool (*visit)(void *context, struct live_range *range), void *context);

#endif
