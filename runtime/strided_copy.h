/* strided_copy.h: copies an array between two places in host memory whose layouts differ. Adjacent
 * dimensions that both sides keep together are merged, so a dense copy is one memcpy; a transpose
 * is walked in square tiles, so that both sides stay in the cache; large copies are cut over the
 * thread pool. Pure, thread-safe. */
#ifndef GANTRY_RUNTIME_STRIDED_COPY_H
#define GANTRY_RUNTIME_STRIDED_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dtype.h"

enum { STRIDED_COPY_MAX_RANK = 32 };

/* Copies dims[0] x ... elements of `element_bytes` (1, 2, 4, 8 or 16) from `from` to `to`; both
 * name element [0, ..., 0]. Strides are in bytes, may be negative, and 0 on the reading side. The
 * ranges must not overlap. rank <= STRIDED_COPY_MAX_RANK. */
void strided_copy(void *to, const int64_t *to_strides, const void *from,
                  const int64_t *from_strides, int rank, const int64_t *dims, int element_bytes);
/* memcpy, over the thread pool when it is large. */
void strided_copy_dense(void *to, const void *from, uint64_t size);

/* Byte strides of a dense array in the order minor_to_major (NULL: row-major). */
void strided_copy_strides(int rank, const int64_t *dims, const int64_t *minor_to_major,
                          int element_bytes, int64_t *strides);
/* Whether the strides are those of a dense row-major array; dimensions of size 1 may have any. */
bool strided_copy_is_dense(int rank, const int64_t *dims, const int64_t *strides,
                           int element_bytes);
/* Whether minor_to_major (may be NULL) holds each of 0 .. rank-1 once. */
bool strided_copy_is_order(int rank, const int64_t *minor_to_major);

/* Brings `count` elements of a type below a byte, one in each byte, to the form that programs
 * expect: the value in the low bits, above them copies of a signed type's sign, else zero. Does
 * nothing for other types. */
void strided_copy_normalize(enum dtype dtype, void *bytes, uint64_t count);

#endif
