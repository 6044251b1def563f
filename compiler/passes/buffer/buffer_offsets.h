/* buffer_offsets.h: assigns offsets in one block of memory to requests with known live ranges
 * (offline allocation). It works on numbers only. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_OFFSETS_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_OFFSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct buffer_interval {
    int64_t first, last; /* times, both included */
};

/* A range of bytes that is in use during the given intervals and free between them. */
struct buffer_request {
    size_t interval_count;                   /* > 0 */
    const struct buffer_interval *intervals; /* sorted, not overlapping */
    uint64_t bytes;                          /* > 0 */
    uint64_t *offset;                        /* out: a multiple of the alignment */
    int *allocation; /* out: set by callers that fill blocks of a given size; borrowed */
};

/* Sorts requests by decreasing size. Deterministic. */
void buffer_offsets_sort(size_t count, struct buffer_request *requests);

/* Allocates all requests, in the order of buffer_offsets_sort(), each in the smallest gap that is
 * free during its intervals. Returns the size of the block in bytes. Requests whose live ranges
 * overlap do not overlap in the block. Takes O(log n) per request on average, plus a comparison
 * with at most 1000 others. */
uint64_t buffer_offsets_assign(struct arena *arena, size_t count,
                               const struct buffer_request *requests, uint64_t alignment);

/* A block of a given size, filled one request at a time. All memory comes from the arena. A request
 * during which more than `max_compared` other ranges are live is rejected. */
struct buffer_block;
struct buffer_block *buffer_block_create(struct arena *arena, uint64_t bytes, uint64_t alignment,
                                         size_t max_compared);
/* Reserves `bytes` bytes at `offset` during the intervals of the request (request->bytes is
 * ignored). */
void buffer_block_reserve(struct buffer_block *block, const struct buffer_request *request,
                          uint64_t offset, uint64_t bytes);
/* Allocates the request and sets its offset. Returns false and changes nothing if there is no
 * gap. */
bool buffer_block_allocate(struct buffer_block *block, const struct buffer_request *request);

#endif
