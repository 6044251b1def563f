/* radix_groups.h: sorts the elements of a partitioned row within its buckets: for groups of
 * adjacent buckets, as many as fit into a core's caches, or a single one, least significant digit
 * first (radix_range.h), between the first and the second arrays. That groups fit into the caches
 * makes up for the pass that made the buckets.
 *
 * Each thread sorts groups in a room of its own in the second arrays, which are a third as long as
 * the row; longer groups follow in fewer, larger rooms. A bucket that is longer than the second
 * arrays is sorted in pieces, and these are merged. */
#ifndef GANTRY_COMPILER_CODEGEN_ROUTINES_RADIX_GROUPS_H
#define GANTRY_COMPILER_CODEGEN_ROUTINES_RADIX_GROUPS_H

#include "compiler/codegen/routines/radix_block.h"

enum {
    RADIX_GROUPS_MAX_BITS = 11, /* of the digit */
    /* all values of the digit and the two outer buckets */
    RADIX_GROUPS_MAX_BUCKETS = (1 << RADIX_GROUPS_MAX_BITS) + 2
};

/* Bucket i has the keys with (key - base) >> shift = i, where keys less than `base` count as equal
 * to it; the last bucket also has all greater ones. */
struct radix_buckets {
    uint64_t base;
    int shift;
    int64_t count;
    uint32_t ends[RADIX_GROUPS_MAX_BUCKETS]; /* the element behind each bucket */
};

/* Sorts the row's first arrays, which have these buckets. */
void radix_groups_sort(const struct radix_row *row, const struct radix_buckets *buckets);

#endif
