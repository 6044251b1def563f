/* offsets.h: an allocator of ranges of numbers, for memory that is elsewhere or only modelled: it
 * never touches the range, so the memory of a large device is managed on a small machine and
 * tested by arithmetic.
 *
 * Two-level segregated fit: free ranges are listed by size class (16 steps per doubling), two bit
 * maps find the first class that surely fits, a freed range merges with its free neighbours.
 * Allocating and freeing are O(1). Book-keeping costs one 48-byte record a range, live or free,
 * from alloc.h. Invariants: ranges cover [0, capacity) in order without gaps; no two neighbours
 * are both free. Proved by offsets_check(). NOT thread-safe: the owner locks. */
#ifndef GANTRY_MEMORY_OFFSETS_H
#define GANTRY_MEMORY_OFFSETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct offsets;

struct range {
    uint64_t offset, size; /* size: as granted, a multiple of the alignment */
    uint32_t block;        /* the record's number; what offsets_free takes */
};

/* Sizes are rounded up to `alignment` (a power of two), `capacity` down. Owned: offsets_destroy. */
struct error *offsets_create(uint64_t capacity, uint64_t alignment, struct offsets **out);
void offsets_destroy(struct offsets *offsets); /* accepts NULL; live ranges go with it */

/* RESOURCE_EXHAUSTED when no free range is large enough; size 0 takes one alignment unit. */
struct error *offsets_alloc(struct offsets *offsets, uint64_t size, struct range *out);
void offsets_free(struct offsets *offsets, uint32_t block);

uint64_t offsets_live(const struct offsets *offsets);         /* bytes in live ranges */
uint64_t offsets_largest_free(const struct offsets *offsets); /* bytes of the largest free range */
/* True when the invariants hold; O(ranges), for tests. */
bool offsets_check(const struct offsets *offsets);

#endif
