/* hostmem.h: pages from the operating system, for tensors. Tensors want large pages (a first touch
 * costs per page) and, on machines with several memory nodes, a place near the cores that use
 * them. Thread-safe. */
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

/* Maps zeroed memory, writable, private. Before: size > 0 and a whole number of pages; node <
 * numa_count(), or negative for no preference. With GANTRY_HUGE_PAGES (the default) mappings of a
 * huge page or more ask for huge pages. The node is a hint: *bound (may be NULL) says whether it
 * was granted. On failure RESOURCE_EXHAUSTED and *bytes is NULL. *bytes is owned: hostmem_unmap
 * with the same size. */
struct error *hostmem_map(uint64_t size, int node, void **bytes, bool *bound);
void hostmem_unmap(void *bytes, uint64_t size);

/* Bytes of memory this process may use: the machine's, or less if a control group says so. */
uint64_t hostmem_limit(void);
/* Bytes mapped by hostmem_map now. */
uint64_t hostmem_mapped(void);

#endif
