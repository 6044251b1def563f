/* strided_copy.h: copies an array between two host addresses with different layouts. Dimensions
 * that are adjacent on both sides are merged, so a dense copy is one memcpy. Transposes use square
 * tiles, so both sides stay in the cache. Large copies are split over the thread pool.
 * Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_COPIES_STRIDED_COPY_H
#define GANTRY_DEVICES_HOST_COPIES_STRIDED_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/shape.h"

/* Copies an array of the shape's element type and dimensions (its layout is ignored) from `from` to
 * `to`; both are addresses of element [0, ..., 0]. Strides are in bytes; they may be negative, and
 * those of `from` may be 0. The ranges must not overlap. */
void strided_copy(const struct shape *shape, void *to, const int64_t *to_strides, const void *from,
                  const int64_t *from_strides);
/* memcpy, split over the thread pool if it is large. */
void strided_copy_dense(void *to, const void *from, uint64_t size);

/* Normalizes `count` elements narrower than a byte, one per byte: the value is in the low bits, and
 * the high bits are the sign of a signed type, else zero. Does nothing for other types. */
void strided_copy_normalize(enum dtype dtype, void *bytes, uint64_t count);

#endif
