/* pages.h: zeroed memory in whole pages of the system. Freed pages return to the system
 * immediately, independent of other allocations. For large, short-lived data: the first use of a
 * page costs a fault. Thread-safe. */
#ifndef GANTRY_BASE_PAGES_H
#define GANTRY_BASE_PAGES_H

#include <stddef.h>

/* Owned: pages_free with the same size. NULL when memory is exhausted. */
void *pages_alloc(size_t size);
void pages_free(void *memory, size_t size);

#endif
