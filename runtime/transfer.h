/* transfer.h: buffers that the host fills in parts (PJRT_AsyncHostToDeviceTransferManager), and
 * buffers and copies that the client completes later. Shapes are checked as in buffer.h.
 * Thread-safe, except that the caller must order the calls for one buffer of a manager. */
#ifndef GANTRY_RUNTIME_TRANSFER_H
#define GANTRY_RUNTIME_TRANSFER_H

#include "runtime/buffer.h"

struct transfer_manager;

struct error *transfer_create(struct client_memory *memory, int count, const struct shape *shapes,
                              struct transfer_manager **out); /* owned: transfer_destroy */
/* Buffers whose last transfer has not been requested become errors (CANCELLED); copies in progress
 * continue. */
void transfer_destroy(struct transfer_manager *manager);
int transfer_count(const struct transfer_manager *manager);
struct client_memory *transfer_memory(const struct transfer_manager *manager);

/* In all functions below, an `index` outside 0 .. count-1 is INVALID_ARGUMENT. */
struct error *transfer_size(const struct transfer_manager *manager, int index, uint64_t *out);
/* *out is owned by the caller. A second call for the same index is FAILED_PRECONDITION. */
struct error *transfer_retrieve(struct transfer_manager *manager, int index, struct buffer **out);
/* Copies bytes in the buffer's layout. *done (owned) becomes ready when `data` is no longer needed.
 * INVALID_ARGUMENT when the bytes are outside the buffer or `data` is NULL; FAILED_PRECONDITION
 * after the last transfer. */
struct error *transfer_bytes(struct transfer_manager *manager, int index, const void *data,
                             uint64_t offset, uint64_t size, bool is_last, struct event **done);
/* Transfers the whole buffer. INVALID_ARGUMENT when the array has another element type or other
 * dimensions.
 */
struct error *transfer_array(struct transfer_manager *manager, int index,
                             const struct host_array *array, struct event **done);
struct error *transfer_fail(struct transfer_manager *manager, int index,
                            struct error *error /*moved*/);

/* ---- promises: buffers and copies that a client completes later with one call ---- */
struct promise;

/* A buffer that becomes ready when the promise is fulfilled with an error, or with a buffer of the
 * same element type and dimensions, whose elements are then copied to the promised layout once they
 * are ready. The promise is owned by the caller until it is fulfilled. */
struct error *transfer_promise_buffer(struct client_memory *memory, const struct shape *shape,
                                      struct buffer **out, struct promise **promise);
/* Exactly one of `buffer` (borrowed) and `error` (moved) is not NULL. INVALID_ARGUMENT when the
 * shapes differ, or when `buffer` is the promised one or becomes ready only after it, as a copy of
 * it does; the promise is then still unfulfilled. */
struct error *transfer_fulfill_buffer(struct promise *promise, struct buffer *buffer,
                                      struct error *error);
/* Donates `buffer` (on an error it is unchanged). *out has its shape and memory, and becomes ready
 * when `buffer` was ready and the promise is fulfilled. */
struct error *transfer_promise_donated(struct buffer *buffer, struct buffer **out,
                                       struct promise **promise);
/* Fulfills the promise; `error` is moved (NULL: success). */
void transfer_fulfill_donated(struct promise *promise, struct error *error);
/* Copies bytes of a buffer to an address that is given when the promise is fulfilled; *done (owned)
 * becomes ready when they are copied. */
struct error *transfer_promise_copy(struct buffer *buffer, uint64_t offset, uint64_t size,
                                    struct event **done, struct promise **promise);
void transfer_fulfill_copy(struct promise *promise, void *destination,
                           struct error *error /*moved*/);

#endif
