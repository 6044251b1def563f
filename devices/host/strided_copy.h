/* strided_copy.h: copies an array between two places in host memory whose layouts differ. Adjacent
 * dimensions that both sides keep together are merged, so a dense copy is one memcpy; a transpose
 * is walked in square tiles, so that both sides stay in the cache; large copies are cut over the
 * thread pool. Pure, thread-safe. */
#ifndef GANTRY_DEVICES_HOST_STRIDED_COPY_H
#define GANTRY_DEVICES_HOST_STRIDED_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/shape.h"

/* Copies an array of the shape's element type and dimensions (its layout is ignored) from `from` to
 * `to`; both name element [0, ..., 0]. Strides are in bytes, may be negative, and 0 on the reading
 * side. The ranges must not overlap. */
void strided_copy(const struct shape *shape, void *to, const int64_t *to_strides, const void *from,
                  const int64_t *from_strides);
/* memcpy, over the thread pool when it is large. */
void strided_copy_dense(void *to, const void *from, uint64_t size);

/* Brings `count` elements of a type below a byte, one in each byte, to the form that programs
 * expect: the value in the low bits, above them copies of a signed type's sign, else zero. Does
 * nothing for other types. */
void strided_copy_normalize(enum dtype dtype, void *bytes, uint64_t count);

#endif
