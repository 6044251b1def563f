/* buffer.h: an array on a device. Its shape says all about it: element type, dimensions, layout and
 * memory kind; it is given when the buffer is created, and never changes. The memory is a storage
 * (memory/storage.h), whose write token the buffer has, unless the memory is another's: the
 * client's host array (zero copy), or that of another buffer (bitcast). The ready event says when
 * the contents are there or what went wrong. Thread-safe.
 *
 * Lifetime: buffer_delete() gives up the memory as soon as running work and external references
 * allow, and every later use is an error; buffer_release() drops the object. Donation deletes the
 * argument. Elements are stored unpacked, in whole bytes.
 *
 * Shapes that are passed in come from a client: they are checked (shape_check), and their memory
 * kind is ignored, since `memory` says it. */
#ifndef GANTRY_RUNTIME_BUFFER_H
#define GANTRY_RUNTIME_BUFFER_H

#include "memory/storage.h"
#include "runtime/client.h"
#include "runtime/event.h"

/* PJRT_HostBufferSemantics */
enum host_semantics {
    HOST_IMMUTABLE_ONLY_DURING_CALL,
    HOST_IMMUTABLE_UNTIL_TRANSFER_COMPLETES,
    HOST_IMMUTABLE_ZERO_COPY,
    HOST_MUTABLE_ZERO_COPY
};

struct buffer;

struct host_array { /* borrowed for the call */
    const void *data;
    struct shape shape;          /* its layout is that of `data` */
    const int64_t *byte_strides; /* in place of the layout; may be negative or 0. NULL: none */
};

/* ---- making ---- */
/* Makes a buffer of `shape` from a host array of the same element type and dimensions. *done
 * (owned) becomes ready when `data` is no longer needed: at once when it was copied, with the last
 * reference when it is used in place (zero copy; dense data of at least 128 KiB, aligned to 64
 * bytes). Copies of more than device.immediate_copy_bytes run on another thread where the semantics
 * allow it. */
struct error *buffer_from_host(struct client_memory *memory, const struct shape *shape,
                               const struct host_array *array, enum host_semantics semantics,
                               struct event **done, struct buffer **out);
/* A view of memory of the device that the caller owns until on_delete(data, argument) is called; on
 * an error it is not called. INVALID_ARGUMENT for NULL, unless the array is empty. */
struct error *buffer_from_device_memory(struct client_memory *memory, const struct shape *shape,
                                        void *data, void (*on_delete)(void *data, void *argument),
                                        void *argument, struct buffer **out);
struct error *buffer_uninitialized(struct client_memory *memory, const struct shape *shape,
                                   struct buffer **out);
/* A buffer that the caller will fill: it becomes ready with `ready` (borrowed). *hold (owned) keeps
 * its storage. */
struct error *buffer_pending(struct client_memory *memory, const struct shape *shape,
                             struct event *ready, struct storage_hold *hold, struct buffer **out);
/* A buffer whose ready event carries `error` (moved). */
struct error *buffer_with_error(struct client_memory *memory, const struct shape *shape,
                                struct error *error, struct buffer **out);
/* The same bytes under another shape of that size. */
struct error *buffer_bitcast(struct buffer *buffer, const struct shape *shape, struct buffer **out);
struct error *buffer_copy_to_memory(struct buffer *buffer, struct client_memory *memory,
                                    struct buffer **out);
void buffer_retain(struct buffer *buffer);
void buffer_release(struct buffer *buffer); /* accepts NULL */

/* ---- to the host ---- */
/* Copies to `destination` (`size` bytes; INVALID_ARGUMENT when too small or NULL) in the layout of
 * `shape`, which has the buffer's element type and dimensions (NULL: row-major). *done is owned. */
struct error *buffer_to_host(struct buffer *buffer, const struct shape *shape, void *destination,
                             uint64_t size, struct event **done);
/* `size` bytes from byte `offset`; INVALID_ARGUMENT out of bounds. */
struct error *buffer_raw_to_host(struct buffer *buffer, void *destination, uint64_t offset,
                                 uint64_t size, struct event **done);

/* ---- facts ---- */
const struct shape *buffer_shape(const struct buffer *buffer); /* borrowed from the buffer */
uint64_t buffer_bytes(const struct buffer *buffer);            /* of its storage */
struct client_memory *buffer_memory(const struct buffer *buffer);
struct event *buffer_ready_event(struct buffer *buffer); /* retained: owned by the caller */
bool buffer_is_on_host(const struct buffer *buffer);     /* the host addresses its memory */

void buffer_delete(struct buffer *buffer);
bool buffer_is_deleted(struct buffer *buffer);

/* External references keep the memory (not the object) through buffer_delete, and its contents. */
struct error *buffer_external_retain(struct buffer *buffer);
struct error *buffer_external_release(struct buffer *buffer);
/* Waits until ready; the address, as the device knows it. FAILED_PRECONDITION when deleted, unless
 * external references keep the memory. */
struct error *buffer_pointer(struct buffer *buffer, void **out);
struct error *buffer_address(struct buffer *buffer, void **out); /* without waiting */

/* ---- for execute.c and transfer.c ---- */
/* A use: *hold (to read; empty in an error buffer) and *ready are owned. FAILED_PRECONDITION when
 * deleted. */
struct error *buffer_acquire(struct buffer *buffer, struct storage_hold *hold,
                             struct event **ready);
/* Takes the buffer's own hold, which has the token if the buffer had it, and deletes the buffer.
 * *ready is retained. FAILED_PRECONDITION when deleted. */
struct error *buffer_donate(struct buffer *buffer, struct storage_hold *hold, struct event **ready);
/* Takes a donation back: the buffer is as before. `hold` is moved. */
void buffer_take_back(struct buffer *buffer, struct storage_hold hold);
/* The one constructor: a buffer of a valid shape, which takes `bytes`, over the storage of `hold`;
 * its contents are there once `ready` is. Both are moved, but not on an error. */
struct error *buffer_create(struct client_memory *memory, const struct shape *shape, uint64_t bytes,
                            struct storage_hold hold, struct event *ready, struct buffer **out);

#endif
