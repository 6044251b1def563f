/* offsets.h: an allocator of address ranges in memory that is elsewhere or only modeled. It never
 * accesses the range, so that the memory of a large device can be managed on a small machine and
 * tested arithmetically.
 *
 * Two-level segregated fit: free ranges are listed by size class (16 steps per doubling), two bit
 * maps find the first class in which every range fits, and a freed range is merged with its free
 * neighbors. Allocating and freeing are O(1). Each range, live or free, has one 48-byte record from
 * alloc.h. Invariants (verified by offsets_check): ranges cover [0, capacity) in order without
 * gaps; no two neighbors are both free. NOT thread-safe: the owner must lock. */
#ifndef GANTRY_MEMORY_OFFSETS_H
#define GANTRY_MEMORY_OFFSETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct offsets;

struct range {
    uint64_t offset, size; /* size is as granted, a multiple of the alignment */
    uint32_t block;        /* the number of the record, for offsets_free */
};

/* Sizes are rounded up to `alignment` (a power of two); `capacity` is rounded down. Owned:
 * offsets_destroy. */
struct error *offsets_create(uint64_t capacity, uint64_t alignment, struct offsets **out);
void offsets_destroy(struct offsets *offsets); /* accepts NULL; frees live ranges too */

/* RESOURCE_EXHAUSTED when no free range is large enough; size 0 takes one alignment unit. */
struct error *offsets_alloc(struct offsets *offsets, uint64_t size, struct range *out);
void offsets_free(struct offsets *offsets, uint32_t block);

uint64_t offsets_live(const struct offsets *offsets);         /* bytes in live ranges */
uint64_t offsets_largest_free(const struct offsets *offsets); /* bytes of the largest free range */
/* Whether the invariants hold; O(ranges), for tests. */
bool offsets_check(const struct offsets *offsets);

#endif
