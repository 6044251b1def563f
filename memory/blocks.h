/* blocks.h: the cache of tensor memory behind every space of the process. First touch of fresh
 * pages costs more than most kernels, so freed memory is cached and handed out again, by size class
 * (8 steps per doubling, so at most 1/8 is lost). Blocks up to BLOCKS_SMALL bytes are cut from
 * slabs; larger ones are mappings of their own. One cache is shared by all spaces, so that eight
 * devices do not keep eight times as much.
 *
 * Freed memory is cached up to GANTRY_CACHE_BYTES (half of the memory limit by default); beyond
 * that what was freed longest ago goes back to the system. All records are stored outside the
 * blocks. Under the address sanitizer a cached block is poisoned. Thread-safe, with short critical
 * sections; a forked child may go on. */
#ifndef GANTRY_MEMORY_BLOCKS_H
#define GANTRY_MEMORY_BLOCKS_H

#include <stdint.h>

#include "base/error.h"

enum { BLOCKS_ALIGNMENT = 64, BLOCKS_SMALL = 256 << 10 };

struct block {     /* what the holder stores; by value */
    void *bytes;   /* aligned to BLOCKS_ALIGNMENT; contents are undefined */
    uint64_t size; /* as granted, >= the size asked for */
    void *home;    /* the cache's */
};

/* `node`: as in hostmem_map. Size 0 gives a valid block. RESOURCE_EXHAUSTED when the system has no
 * memory, even after everything cached was given back. Owned: blocks_free. */
struct error *blocks_alloc(uint64_t size, int node, struct block *out);
void blocks_free(const struct block *block);

/* The size that a request of `size` bytes is granted. */
uint64_t blocks_granted(uint64_t size);
/* Bytes cached for reuse now (whole mappings; free parts of slabs in use are not counted). */
uint64_t blocks_kept(void);
/* Gives cached memory back to the system until at most `keep` bytes are left. With 0 everything
 * goes: nothing is mapped, and nothing counted by alloc_live(), for what is not in use. */
void blocks_trim(uint64_t keep);

#endif
