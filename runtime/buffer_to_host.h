/* buffer_to_host.h: copies of a buffer's contents into a client's memory. They start when the
 * buffer is ready, and keep its memory allocated; the buffer may be deleted meanwhile. Every
 * function that starts one returns *done (owned), which becomes ready when the copy is complete, or
 * with the buffer's error; NULL with an error that is known at once. Thread-safe. */
#ifndef GANTRY_RUNTIME_BUFFER_TO_HOST_H
#define GANTRY_RUNTIME_BUFFER_TO_HOST_H

#include "runtime/buffer.h"

/* Copies to `destination` (`size` bytes; INVALID_ARGUMENT when too small or NULL) in the layout of
 * `shape`, which has the buffer's element type and dimensions (NULL: row-major). Of a buffer with
 * dynamic sizes, all of these functions but the last two copy an array of the real sizes
 * (buffer_sizes_shape()), for which they wait. */
struct error *buffer_to_host(struct buffer *buffer, const struct shape *shape, void *destination,
                             uint64_t size, struct event **done);
/* The same with a stride in bytes for each dimension; bytes between the elements are not written.
 * INVALID_ARGUMENT for strides that are negative or let elements overlap. */
struct error *buffer_to_host_strided(struct buffer *buffer, const int64_t *byte_strides,
                                     void *destination, uint64_t size, struct event **done);
/* Bytes from the first element to the end of the last one with such strides; the same errors. */
struct error *buffer_strided_size(struct buffer *buffer, const int64_t *byte_strides,
                                  uint64_t *out);
/* `size` bytes from byte `offset`; INVALID_ARGUMENT out of range. */
struct error *buffer_raw_to_host(struct buffer *buffer, void *destination, uint64_t offset,
                                 uint64_t size, struct event **done);

/* INVALID_ARGUMENT unless the range is inside an array of `bytes` bytes. Negative numbers of a
 * client arrive as very large ones; the message prints them as negative. */
struct error *buffer_check_range(uint64_t bytes, uint64_t offset, uint64_t size);

#endif
