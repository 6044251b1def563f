/* pages.h: zeroed memory in whole pages of the system, which gets them back as soon as they are
 * freed, whatever else the process has allocated since. For what is large and short-lived: a page
 * costs a fault when it is first used. Thread-safe. */
#ifndef GANTRY_BASE_PAGES_H
#define GANTRY_BASE_PAGES_H

#include <stddef.h>

/* Owned: pages_free with the same size. NULL when memory is exhausted. */
void *pages_alloc(size_t size);
void pages_free(void *memory, size_t size);

#endif
