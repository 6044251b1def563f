/* live_ranges.h: sets of live ranges that can be searched for overlaps (interval trees). Insertion
 * and finding one overlap take O(log n) on average for any ranges. Not thread-safe. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_LIVE_RANGES_H
#define GANTRY_COMPILER_PASSES_BUFFER_LIVE_RANGES_H

#include <stdbool.h>
#include <stdint.h>

/* Memory of the caller; a range is in at most one set. The caller sets the fields above the
 * line. */
struct live_range {
    int64_t first, last; /* inclusive */
    uint64_t serial;     /* unique in the set; balances the tree */
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
