/* transfer.h: buffers that the host fills piece by piece (PJRT_AsyncHostToDeviceTransferManager),
 * and buffers and copies whose other half comes later. Shapes are checked as in buffer.h.
 * Thread-safe; for one buffer of a manager the caller orders the calls. */
#ifndef GANTRY_RUNTIME_TRANSFER_H
#define GANTRY_RUNTIME_TRANSFER_H

#include "runtime/buffer.h"

struct transfer_manager;

struct error *transfer_create(struct client_memory *memory, int count, const struct shape *shapes,
                              struct transfer_manager **out); /* owned: transfer_destroy */
/* Buffers without their last transfer become errors (CANCELLED); copies under way go on. */
void transfer_destroy(struct transfer_manager *manager);
int transfer_count(const struct transfer_manager *manager);
struct client_memory *transfer_memory(const struct transfer_manager *manager);

/* `index` outside 0 .. count-1 is INVALID_ARGUMENT in all that follow. */
struct error *transfer_size(const struct transfer_manager *manager, int index, uint64_t *out);
/* Owned by the caller; once an index, then FAILED_PRECONDITION. */
struct error *transfer_retrieve(struct transfer_manager *manager, int index, struct buffer **out);
/* Copies bytes in the buffer's layout. *done (owned) becomes ready when `data` is no longer needed.
 * INVALID_ARGUMENT when the bytes leave the buffer or `data` is NULL, FAILED_PRECONDITION after the
 * last transfer. */
struct error *transfer_bytes(struct transfer_manager *manager, int index, const void *data,
                             uint64_t offset, uint64_t size, bool is_last, struct event **done);
/* The whole buffer; INVALID_ARGUMENT when the array has another element type or other dimensions.
 */
struct error *transfer_array(struct transfer_manager *manager, int index,
                             const struct host_array *array, struct event **done);
struct error *transfer_fail(struct transfer_manager *manager, int index,
                            struct error *error /*moved*/);

/* ---- promises: what a client completes later, by one call ---- */
struct promise;

/* A buffer that becomes ready when the promise is fulfilled by a buffer of the same element type
 * and dimensions, whose elements are copied to the promised layout once they are ready, or by an
 * error. The promise is owned by the caller until it is fulfilled. */
struct error *transfer_promise_buffer(struct client_memory *memory, const struct shape *shape,
                                      struct buffer **out, struct promise **promise);
/* INVALID_ARGUMENT when the shapes differ: the promise stays open. Exactly one of `buffer`
 * (borrowed) and `error` (moved) is given. */
struct error *transfer_fulfill_buffer(struct promise *promise, struct buffer *buffer,
                                      struct error *error);
/* `buffer` is donated (on an error it is as before); *out has its shape and memory, and is ready
 * once it was and the promise is fulfilled. */
struct error *transfer_promise_donated(struct buffer *buffer, struct buffer **out,
                                       struct promise **promise);
/* With success or with an error (moved). */
void transfer_fulfill_donated(struct promise *promise, struct error *error);
/* Bytes of a buffer, to an address that comes when the promise is fulfilled; *done (owned) becomes
 * ready when they are there. */
struct error *transfer_promise_copy(struct buffer *buffer, uint64_t offset, uint64_t size,
                                    struct event **done, struct promise **promise);
void transfer_fulfill_copy(struct promise *promise, void *destination,
                           struct error *error /*moved*/);

#endif
