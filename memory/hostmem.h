/* hostmem.h: pages from the operating system, for tensors. Tensors need large pages (the first
 * touch costs per page), memory near the cores that use them on machines with several memory nodes,
 * and, for background copies, pages that are not swapped out. Thread-safe. */
#ifndef GANTRY_MEMORY_HOSTMEM_H
#define GANTRY_MEMORY_HOSTMEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum {
    HOSTMEM_HUGE = 2 << 20
}; /* bytes of a huge page; mappings of that size or more are aligned to it */

/* Bytes of an ordinary page. */
uint64_t hostmem_page(void);
/* `size` rounded up to whole pages; sizes above 2^62 stay as they are (hostmem_map refuses them).
 */
uint64_t hostmem_round(uint64_t size);

/* Requested placement and properties of memory. All are hints: refusals by the system are counted
 * (hostmem_stats), and the memory is then ordinary. */
enum { HOSTMEM_ANYWHERE = -1, HOSTMEM_INTERLEAVED = -2 };
struct hostmem_place {
    int node;    /* less than numa_count(), or one of the above */
    bool pinned; /* locked in memory (mlock), up to GANTRY_LOCK_BYTES */
};

struct hostmem_mapping { /* by value */
    void *bytes;
    uint64_t size;
    bool bound, locked, huge; /* the node, the lock and huge pages were granted */
};

/* Maps zeroed, writable, private memory. `size` must be positive and a whole number of pages. With
 * GANTRY_HUGE_PAGES (the default), mappings of at least one huge page request huge pages. On
 * failure RESOURCE_EXHAUSTED, and out->bytes is NULL. Owned: hostmem_unmap. */
struct error *hostmem_map(uint64_t size, const struct hostmem_place *place,
                          struct hostmem_mapping *out);
void hostmem_unmap(const struct hostmem_mapping *mapping);

/* For memory that was not mapped here (page_lock.h). hostmem_lock locks whole pages and counts
 * them, up to GANTRY_LOCK_BYTES; it returns false when refused, which is counted as well. The code
 * that unlocks the pages calls hostmem_count_unlocked. */
bool hostmem_lock(void *bytes, uint64_t size);
void hostmem_count_unlocked(uint64_t size);

struct hostmem_stats { /* bytes; of current mappings, unless stated otherwise */
    uint64_t mapped, mapped_peak;
    uint64_t huge; /* huge pages were requested there, and not refused */
    uint64_t locked, locked_peak;
    uint64_t bound; /* to a node, or interleaved over several */
    /* Total refused so far. lock_refusal is the text of the last error (static); NULL: none. */
    uint64_t huge_refused, lock_refused, bind_refused;
    const char *lock_refusal;
    uint64_t lock_limit; /* limit of locked memory: GANTRY_LOCK_BYTES, or half of hostmem_limit() */
};
void hostmem_stats(struct hostmem_stats *out);

/* Bytes of memory that this process may use: the memory of its allowed nodes, or less if a control
 * group sets a lower limit. */
uint64_t hostmem_limit(void);
/* Bytes mapped by hostmem_map now, and the peak. */
uint64_t hostmem_mapped(void);
uint64_t hostmem_mapped_peak(void);

#endif
