/* buffer_offsets.h: where in one block of memory ranges go that live at certain times: the
 * offline part of allocation, numbers only. Large ranges first, each into the smallest gap that
 * is free while it lives. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_OFFSETS_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_OFFSETS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct buffer_life {
    int64_t first, last; /* times, both included */
    uint64_t bytes;      /* > 0 */
    uint64_t *offset;    /* out: a multiple of the alignment */
};

/* Returns the size of the block. Ranges whose times overlap do not overlap in the block.
 * Reorders `lives`; deterministic. */
uint64_t buffer_offsets_place(struct arena *arena, size_t count, struct buffer_life *lives,
                              uint64_t alignment);

#endif
