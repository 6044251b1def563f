/* transfer.h: buffers that the host fills piece by piece (PJRT_AsyncHostToDeviceTransferManager),
 * and buffers and copies whose other half comes later. Copies are done by the calling thread.
 * Thread-safe; for one buffer of a manager the caller orders the calls. */
#ifndef GANTRY_RUNTIME_TRANSFER_H
#define GANTRY_RUNTIME_TRANSFER_H

#include "runtime/buffer.h"

struct transfer_manager;

struct transfer_shape {
    enum dtype dtype;
    int rank;
    const int64_t *dims; /* borrowed for the call */
};

struct error *transfer_create(struct client_memory *memory, int count,
                              const struct transfer_shape *shapes,
                              struct transfer_manager **out); /* owned: transfer_destroy */
/* Buffers without their last transfer become errors (CANCELLED). */
void transfer_destroy(struct transfer_manager *manager);
int transfer_count(const struct transfer_manager *manager);
struct client_memory *transfer_memory(const struct transfer_manager *manager);

/* `index` outside 0 .. count-1 is INVALID_ARGUMENT in all that follow. */
struct error *transfer_size(const struct transfer_manager *manager, int index, uint64_t *out);
/* Owned by the caller; once an index, then FAILED_PRECONDITION. */
struct error *transfer_retrieve(struct transfer_manager *manager, int index, struct buffer **out);
/* INVALID_ARGUMENT when the bytes leave the buffer, FAILED_PRECONDITION after the last transfer. */
struct error *transfer_bytes(struct transfer_manager *manager, int index, const void *data,
                             uint64_t offset, uint64_t size, bool is_last);
/* The whole buffer; INVALID_ARGUMENT when the array has another shape. */
struct error *transfer_array(struct transfer_manager *manager, int index,
                             const struct host_array *array);
struct error *transfer_fail(struct transfer_manager *manager, int index,
                            struct error *error /*moved*/);

/* ---- promises: what a client completes later, by one call ---- */
struct promise;

/* A buffer that becomes ready when the promise is kept by a buffer of the same shape (its bytes are
 * copied once they are ready) or by an error. The promise is owned by the caller until it is
 * kept. */
struct error *transfer_promise_buffer(struct client_memory *memory,
                                      const struct transfer_shape *shape, struct buffer **out,
                                      struct promise **promise);
/* INVALID_ARGUMENT when the shapes differ: the promise stays open. Exactly one of `buffer`
 * (borrowed) and `error` (moved) is given. */
struct error *transfer_keep_buffer(struct promise *promise, struct buffer *buffer,
                                   struct error *error);
/* `buffer` is donated; *out has its memory and is ready once it was and the promise is kept. */
struct error *transfer_promise_donated(struct buffer *buffer, struct buffer **out,
                                       struct promise **promise);
/* Keeps it: well, or by an error (moved). */
void transfer_keep_donated(struct promise *promise, struct error *error);
/* Bytes of a buffer, to an address that comes when the promise is kept; *done (owned) tells when
 * they are there. */
struct error *transfer_promise_copy(struct buffer *buffer, uint64_t offset, uint64_t size,
                                    struct event **done, struct promise **promise);
void transfer_keep_copy(struct promise *promise, void *destination, struct error *error /*moved*/);

#endif
