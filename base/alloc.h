/* alloc.h: allocates memory, and reports failures as errors. Tests can make the n-th allocation
 * fail. Memory for large tensors comes from memory/hostmem.h instead. All functions are
 * thread-safe. On failure they return error_out_of_memory() and set *out to NULL. */
#ifndef GANTRY_BASE_ALLOC_H
#define GANTRY_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* `out` is the address of a pointer of any type; the memory is owned by the caller (alloc_free). */
struct error *alloc_bytes(size_t size, void *out);
struct error *alloc_zeroed(size_t size, void *out);
/* Zeroed; count * element_size is checked for overflow. */
struct error *alloc_array(size_t count, size_t element_size, void *out);

/* Aligned to 64 bytes. Free with alloc_free; must not be passed to alloc_resize. */
struct error *alloc_aligned(size_t size, void *out);

/* Grows or shrinks *inout; on failure *inout is unchanged and still owned by the caller. */
struct error *alloc_resize(void *inout, size_t size);

/* Copies `size` bytes and adds a NUL. */
struct error *alloc_copy(const void *bytes, size_t size, void *out);

void alloc_free(void *memory); /* accepts NULL */

/* RESOURCE_EXHAUSTED unless `size` bytes can be allocated now; they are freed again. Use before
 * calling a library that terminates the process when its own allocations fail. */
struct error *alloc_probe(size_t size);

/* Testing: makes the n-th allocation from now on fail, once (n >= 1; 0 disables this).
 * Process-wide. */
void alloc_fail_at(int64_t n);
/* Counts a suballocation, such as one from an arena, towards alloc_fail_at. Returns true when the
 * caller must fail it. */
bool alloc_fails(void);
/* Number of live allocations. */
int64_t alloc_live(void);

#endif
