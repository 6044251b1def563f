/* buffer.h: an array on a device. Its shape (element type, dimensions, layout and memory kind) is
 * set at creation and never changes. The memory is a storage (memory/storage.h). The buffer has its
 * write token, unless the memory belongs to the client (zero copy) or to another buffer (bitcast).
 * The ready event reports that the contents are available, or an error. Thread-safe.
 *
 * Lifetime: buffer_delete() frees the memory as soon as running work and external references allow,
 * and every later use is an error; buffer_release() releases the object. Donation deletes the
 * argument. Elements are stored unpacked, in whole bytes.
 *
 * Shapes that are passed in come from a client: they are checked, their layout is completed
 * (array_layout.h), and their memory kind is ignored in favor of `memory`. Where the device models
 * layouts, the buffer's layout is what clients see, and its bytes are row-major. */
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
struct buffer_sizes; /* runtime/buffer_sizes.h */
struct copy;

struct host_array { /* borrowed for the call */
    const void *data;
    struct shape shape;          /* with the layout of `data` */
    const int64_t *byte_strides; /* override the layout; may be negative or 0. NULL: none */
};

/* ---- creation ---- */
/* Creates a buffer of `shape` from a host array of the same element type and dimensions. *done
 * (owned) becomes ready when `data` is no longer needed: as soon as it is copied, or with the last
 * reference if it is used in place (zero copy: dense data of at least 128 KiB, aligned to 64 bytes;
 * in pinned_host, data in a range of mapped.h). Copies of more than device.immediate_copy_bytes run
 * on another thread if the semantics allow it. */
struct error *buffer_from_host(struct client_memory *memory, const struct shape *shape,
                               const struct host_array *array, enum host_semantics semantics,
                               struct event **done, struct buffer **out);
/* A view of device memory that must stay valid until on_delete(data, argument) is called; on an
 * error it is not called. INVALID_ARGUMENT when `data` is NULL, unless the array is empty. */
struct error *buffer_from_device_memory(struct client_memory *memory, const struct shape *shape,
                                        void *data, void (*on_delete)(void *data, void *argument),
                                        void *argument, struct buffer **out);
struct error *buffer_uninitialized(struct client_memory *memory, const struct shape *shape,
                                   struct buffer **out);
/* A buffer that the caller will fill; it becomes ready with `ready` (borrowed). *hold (owned) is a
 * keep hold on its storage. */
struct error *buffer_pending(struct client_memory *memory, const struct shape *shape,
                             struct event *ready, struct storage_hold *hold, struct buffer **out);
/* A buffer whose ready event carries `error` (moved). */
struct error *buffer_with_error(struct client_memory *memory, const struct shape *shape,
                                struct error *error, struct buffer **out);
/* The same bytes with another shape of the same size. */
struct error *buffer_bitcast(struct buffer *buffer, const struct shape *shape, struct buffer **out);
struct error *buffer_copy_to_memory(struct buffer *buffer, struct client_memory *memory,
                                    struct buffer **out);
void buffer_retain(struct buffer *buffer);
void buffer_release(struct buffer *buffer); /* accepts NULL */

/* ---- properties ---- */
const struct shape *buffer_shape(const struct buffer *buffer); /* borrowed from the buffer */
/* The ranks of its shape's tiles; borrowed. The sizes of all tiles follow one another. */
const size_t *buffer_tile_ranks(const struct buffer *buffer);
uint64_t buffer_bytes(const struct buffer *buffer);        /* size of its storage */
uint64_t buffer_device_bytes(const struct buffer *buffer); /* for which it counts there */
struct client_memory *buffer_memory(const struct buffer *buffer);
struct event *buffer_ready_event(struct buffer *buffer); /* retained: owned by the caller */
bool buffer_is_ready(const struct buffer *buffer);       /* or an error */
bool buffer_is_on_host(const struct buffer *buffer);     /* clients may read its memory */

/* Its dynamic sizes; NULL: it has none. Set at most once, before another thread has the buffer;
 * `sizes` is moved. */
struct buffer_sizes *buffer_get_sizes(const struct buffer *buffer);
void buffer_set_sizes(struct buffer *buffer, struct buffer_sizes *sizes);

void buffer_delete(struct buffer *buffer);
bool buffer_is_deleted(struct buffer *buffer);

/* External references keep the memory and its contents (not the object) alive after
 * buffer_delete. */
struct error *buffer_external_retain(struct buffer *buffer);
struct error *buffer_external_release(struct buffer *buffer);
/* Waits until the buffer is ready, then returns the device's address. FAILED_PRECONDITION when
 * deleted, unless external references keep the memory. An error buffer's own error. */
struct error *buffer_pointer(struct buffer *buffer, void **out);
struct error *buffer_address(struct buffer *buffer, void **out); /* without waiting */

/* ---- for execute.c and transfer.c ---- */
/* Begins a use: *hold (a read hold; empty for an error buffer) and *ready are owned.
 * FAILED_PRECONDITION when deleted. */
struct error *buffer_acquire(struct buffer *buffer, struct storage_hold *hold,
                             struct event **ready);
/* Moves the buffer's own hold (the token if the buffer had it) to *hold and deletes the buffer.
 * *ready is owned. FAILED_PRECONDITION when deleted. */
struct error *buffer_donate(struct buffer *buffer, struct storage_hold *hold, struct event **ready);
/* Undoes a donation: the buffer is as before, or deleted if buffer_delete() was called in the
 * meantime. `hold` is moved. */
void buffer_undo_donation(struct buffer *buffer, struct storage_hold hold);
/* The constructor that all others use: a buffer of a checked shape and its size in bytes, on the
 * storage of `hold`; its contents are available once `ready` is ready. `hold` and `ready` are
 * moved, but not on an error. */
struct error *buffer_create(struct client_memory *memory, const struct shape *shape, uint64_t bytes,
                            struct storage_hold hold, struct event *ready, struct buffer **out);

/* Starts `copy` out of the buffer, when it is ready, and completes its source with the buffer's
 * storage. FAILED_PRECONDITION if the buffer is deleted. *done as in copy.h. */
struct error *buffer_copy_out(struct buffer *buffer, struct copy *copy, struct event **done);

#endif
