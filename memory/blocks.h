/* blocks.h: the cache of tensor memory behind every space of the process. The first touch of fresh
 * pages costs more than most kernels, so freed memory is cached and reused, by size class (8 steps
 * per doubling, so at most 1/8 is lost). Blocks of up to BLOCKS_SMALL bytes are allocated from
 * slabs; larger ones are mappings of their own. All spaces share one cache, so that eight devices
 * do not cache eight times as much.
 *
 * Memory of each placement (a node, pinned or not) has a pool of its own, and freed memory returns
 * to its pool. A request for any node uses any pool of its kind (pinned or not) that has a free
 * block.
 *
 * Freed memory is cached up to GANTRY_CACHE_BYTES (half of the memory limit by default); beyond
 * that, the memory that was freed first returns to the system. So does memory that many requests in
 * a row had no use for, when more is requested from the system. All records are stored outside of
 * the blocks. Under the address sanitizer, a cached block is poisoned. Thread-safe, with short
 * critical sections; usable in a forked child. */
#ifndef GANTRY_MEMORY_BLOCKS_H
#define GANTRY_MEMORY_BLOCKS_H

#include <stdint.h>

#include "base/error.h"
#include "memory/hostmem.h"

enum { BLOCKS_ALIGNMENT = 64, BLOCKS_SMALL = 256 << 10 };

struct block {     /* a handle, stored by value */
    void *bytes;   /* aligned to BLOCKS_ALIGNMENT; contents are undefined */
    uint64_t size; /* as granted, >= the requested size */
    void *home;    /* private to the cache */
};

/* Size 0 gives a valid block. RESOURCE_EXHAUSTED when the system has no memory, even after all
 * cached memory was returned to it. Owned: blocks_free. */
struct error *blocks_alloc(uint64_t size, const struct hostmem_place *place, struct block *out);
void blocks_free(const struct block *block);

/* The size that a request of `size` bytes is granted. */
uint64_t blocks_granted(uint64_t size);
/* Bytes cached for reuse now (whole mappings only, without the free parts of slabs in use). */
uint64_t blocks_cached(void);
/* The same, its peak, and the limit of the cache. */
void blocks_cache(uint64_t *cached, uint64_t *peak, uint64_t *limit);
struct blocks_pool { /* bytes */
    struct hostmem_place place;
    uint64_t mapped, cached;      /* from the system; cached part of them */
    uint64_t locked, bound, huge; /* part of `mapped`; see hostmem_mapping */
};
/* The pools that have or had memory. Writes at most `capacity` of them; returns how many there
 * are. */
int blocks_pools(struct blocks_pool *out, int capacity);
/* Returns cached memory to the system until at most `keep` bytes are left. With 0, only memory in
 * use stays mapped or counted by alloc_live(). */
void blocks_trim(uint64_t keep);

#endif
