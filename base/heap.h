/* heap.h: malloc, with a count of live allocations and injected failures. The only module that
 * calls malloc, below error.h and alloc.h: all other modules use alloc.h, which reports failures as
 * errors. All functions are thread-safe. Those that allocate return NULL when memory is exhausted;
 * the memory is owned by the caller (heap_free). */
#ifndef GANTRY_BASE_HEAP_H
#define GANTRY_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *heap_alloc(size_t size); /* size 0 gives a valid pointer, as in the next two */
void *heap_alloc_zeroed(size_t size);
/* Aligned to 64 bytes. Must not be passed to heap_resize. No object exceeds PTRDIFF_MAX bytes (C11,
 * 7.20.3): larger sizes fail without a call of malloc. */
void *heap_alloc_aligned(size_t size);
/* Grows or shrinks `memory` (moved; NULL: a new allocation). On failure it is unchanged and still
 * owned by the caller. */
void *heap_resize(void *memory, size_t size);
void heap_free(void *memory); /* accepts NULL */

/* Makes the n-th allocation from now on fail, once (n >= 1; 0 disables this). Process-wide. */
void heap_fail_at(int64_t n);
/* Counts an allocation towards heap_fail_at. Returns true when the caller must fail it. */
bool heap_fails(void);
/* Number of live allocations. */
int64_t heap_live(void);

#endif
