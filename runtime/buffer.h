/* buffer.h: a tensor on a device. Its memory is a storage (memory/storage.h) that may be shared:
 * with the client's host array (zero copy), with a donated argument, with external references. Its
 * ready event says when the contents are there or what went wrong. Thread-safe.
 *
 * Lives: buffer_delete() gives up the memory as soon as running work and external references allow,
 * and every later use is an error; buffer_release() drops the object. Donation deletes the
 * argument. Host form: unpacked, row-major unless a layout is asked for. */
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

struct host_array {
    const void *data;
    enum dtype dtype;
    int rank;
    const int64_t *dims;
    const int64_t *byte_strides;   /* NULL: dense row-major; may be negative or 0 */
    const int64_t *minor_to_major; /* NULL: row-major */
    const int64_t *device_order; /* how it shall lie on the device, minor to major; NULL likewise */
};

/* Makes a buffer from host memory. *done (owned) becomes ready when `data` is no longer needed: at
 * once when it was copied, with the last reference when it is aliased (zero copy, 64-byte aligned
 * and dense; misaligned data is copied). Copies above a few MiB may run on another thread where the
 * semantics allow it. */
struct error *buffer_from_host(struct client_memory *memory, const struct host_array *array,
                               enum host_semantics semantics, struct event **done,
                               struct buffer **out);
/* A view of memory the caller owns until on_delete(data, argument) is called. */
struct error *buffer_from_device_memory(struct client_memory *memory, enum dtype dtype, int rank,
                                        const int64_t *dims, void *data,
                                        void (*on_delete)(void *data, void *argument),
                                        void *argument,
                                        struct buffer **out); /* on error on_delete is not called */
struct error *buffer_uninitialized(struct client_memory *memory, enum dtype dtype, int rank,
                                   const int64_t *dims, struct buffer **out);
/* A buffer whose ready event carries `error` (moved). */
struct error *buffer_with_error(struct client_memory *memory, enum dtype dtype, int rank,
                                const int64_t *dims, struct error *error, struct buffer **out);
/* Says how the elements of a new buffer lie in its memory; before anybody else knows the buffer.
 * INVALID_ARGUMENT for what is no order of its dimensions. */
struct error *buffer_set_order(struct buffer *buffer, const int64_t *minor_to_major);
void buffer_retain(struct buffer *buffer);
void buffer_release(struct buffer *buffer);

/* Copies to `destination` (`size` bytes; INVALID_ARGUMENT when too small) in the layout
 * `minor_to_major` (NULL: row-major); *done is owned. */
struct error *buffer_to_host(struct buffer *buffer, const int64_t *minor_to_major,
                             void *destination, uint64_t size, struct event **done);
/* `size` bytes from byte `offset`; INVALID_ARGUMENT out of bounds. */
struct error *buffer_raw_to_host(struct buffer *buffer, void *destination, uint64_t offset,
                                 uint64_t size, struct event **done);
struct error *buffer_copy_to_memory(struct buffer *buffer, struct client_memory *memory,
                                    struct buffer **out);
struct error *buffer_bitcast(struct buffer *buffer, enum dtype dtype, int rank, const int64_t *dims,
                             struct buffer **out);
void buffer_delete(struct buffer *buffer);
bool buffer_is_deleted(struct buffer *buffer);

enum dtype buffer_dtype(const struct buffer *buffer);
int buffer_rank(const struct buffer *buffer);
const int64_t *buffer_dims(const struct buffer *buffer); /* borrowed from the buffer */
/* Minor to major; borrowed from the buffer. NULL: row-major. */
const int64_t *buffer_order(const struct buffer *buffer);
bool buffer_has_order(const struct buffer *buffer, const int64_t *minor_to_major); /* the same */
uint64_t buffer_bytes(const struct buffer *buffer);
struct client_memory *buffer_memory(const struct buffer *buffer);
struct event *buffer_ready_event(struct buffer *buffer); /* retained: owned by the caller */

/* External references keep the memory (not the object) through buffer_delete. */
struct error *buffer_external_retain(struct buffer *buffer);
struct error *buffer_external_release(struct buffer *buffer);
/* Waits until ready; the address. FAILED_PRECONDITION when deleted, unless external references keep
 * the memory. */
struct error *buffer_pointer(struct buffer *buffer, void **out);
struct error *buffer_address(struct buffer *buffer, void **out); /* without waiting */

/* ---- for execute.c ---- */
/* A use keeps the storage through a running execution: *storage (NULL in an error buffer) and
 * *ready are retained. FAILED_PRECONDITION when deleted. */
struct error *buffer_acquire(struct buffer *buffer, struct storage **storage, struct event **ready);
/* Takes the memory for donation: the buffer becomes deleted; *exclusive tells whether it may be
 * written because nobody else holds it: no external reference, no borrowed host memory, no other
 * execution but the one that makes the contents, if that is ordered before: its event's owner is
 * `owner`. Caller holds the owner's lock. */
struct error *buffer_donate(struct buffer *buffer, const void *owner, struct storage **storage,
                            struct event **ready, bool *exclusive);
/* Takes a donation back: the buffer is as before. `storage` is moved. */
void buffer_take_back(struct buffer *buffer, struct storage *storage);
/* The one constructor: a buffer over `storage` whose contents are there once `ready` is. Both are
 * moved, also on failure. */
struct error *buffer_create(struct client_memory *memory, enum dtype dtype, int rank,
                            const int64_t *dims, struct storage *storage, struct event *ready,
                            struct buffer **out);
/* Bytes of an array; INVALID_ARGUMENT for an unknown type, a negative dimension or a size beyond
 * 2^62. */
struct error *buffer_size_of(enum dtype dtype, int rank, const int64_t *dims, uint64_t *out);

#endif
