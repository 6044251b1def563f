#include "runtime/buffer.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "runtime/strided_copy.h"

enum {
    ALIGNMENT = 64,          /* of every address that a program gets */
    ALIAS_BYTES = 128 << 10, /* host arrays below this are cheaper to copy than to share */
};

/* Invariants: `storage` is NULL in an error buffer, and once the buffer is deleted and `external`
 * is 0. dtype, dims, memory and ready never change. */
struct buffer {
    struct refs refs;
    atomic_bool deleted; /* changes under the lock, read without */
    enum dtype dtype;
    int rank;
    bool ordered; /* the dimensions' order in memory stands behind them; else it is row-major */
    uint64_t bytes;
    struct client_memory *memory;
    struct event *ready;  /* retained */
    pthread_mutex_t lock; /* guards what follows */
    int external;         /* external references */
    struct storage *storage;
    int64_t dims[]; /* and as many places for the order */
};

/* ---- making ---------------------------------------------------------------------------------- */
struct error *buffer_size_of(enum dtype dtype, int rank, const int64_t *dims, uint64_t *out)
{
    int64_t bytes = dtype_bytes(dtype), limit = INT64_C(1) << 62;
    bool empty = false;
    if (dtype == DTYPE_INVALID)
        return ERROR(INVALID_ARGUMENT, "the element type is not one that Gantry knows");
    if (rank < 0 || rank > STRIDED_COPY_MAX_RANK)
        return ERROR(INVALID_ARGUMENT, "rank %d: at most %d is served", rank,
                     STRIDED_COPY_MAX_RANK);
    if (rank && !dims)
        return ERROR(INVALID_ARGUMENT, "the dimensions of rank %d are missing", rank);
    for (int i = 0; i < rank; i++) {
        if (dims[i] < 0)
            return ERROR(INVALID_ARGUMENT, "dimension %d is %lld: it must not be negative", i,
                         (long long)dims[i]);
        empty |= !dims[i];
    }
    for (int i = 0; i < rank && !empty; i++)
        if (__builtin_mul_overflow(bytes, dims[i], &bytes) || bytes > limit)
            return ERROR(INVALID_ARGUMENT, "dimensions 0 to %d make more than 2^62 bytes", i);
    *out = empty ? 0 : (uint64_t)bytes;
    return NULL;
}

static struct error *allocate(struct client_memory *memory, enum dtype dtype, int rank,
                              const int64_t *dims, struct buffer **out)
{
    struct buffer *buffer;
    uint64_t bytes;
    TRY(buffer_size_of(dtype, rank, dims, &bytes));
    TRY(alloc_bytes(sizeof *buffer + 2 * (size_t)rank * sizeof *dims, &buffer));
    *buffer = (struct buffer){.dtype = dtype,
                              .rank = rank,
                              .bytes = bytes,
                              .memory = memory,
                              .lock = PTHREAD_MUTEX_INITIALIZER};
    refs_init(&buffer->refs);
    if (rank)
        memcpy(buffer->dims, dims, (size_t)rank * sizeof *dims);
    client_retain(memory->client);
    *out = buffer;
    return NULL;
}

struct error *buffer_create(struct client_memory *memory, enum dtype dtype, int rank,
                            const int64_t *dims, struct storage *storage, struct event *ready,
                            struct buffer **out)
{
    *out = NULL;
    struct error *error = allocate(memory, dtype, rank, dims, out);
    if (error) {
        storage_release(storage);
        event_release(ready);
        return error;
    }
    (*out)->storage = storage;
    (*out)->ready = ready;
    return NULL;
}

struct error *buffer_set_order(struct buffer *buffer, const int64_t *minor_to_major)
{
    bool row_major = true;
    if (!strided_copy_is_order(buffer->rank, minor_to_major))
        return ERROR(INVALID_ARGUMENT, "minor_to_major is no permutation of %d dimensions",
                     buffer->rank);
    for (int i = 0; minor_to_major && i < buffer->rank; i++) {
        row_major &= minor_to_major[i] == buffer->rank - 1 - i;
        buffer->dims[buffer->rank + i] = minor_to_major[i];
    }
    buffer->ordered = !row_major;
    return NULL;
}

/* The error, if there is one, in place of the buffer. */
static struct error *with_order(struct error *error, const int64_t *minor_to_major,
                                struct buffer **out)
{
    if (!error)
        error = buffer_set_order(*out, minor_to_major);
    if (error) {
        buffer_release(*out);
        *out = NULL;
    }
    return error;
}

struct error *buffer_uninitialized(struct client_memory *memory, enum dtype dtype, int rank,
                                   const int64_t *dims, struct buffer **out)
{
    struct storage *storage;
    uint64_t bytes;
    *out = NULL;
    TRY(buffer_size_of(dtype, rank, dims, &bytes));
    TRY(space_alloc(memory->space, bytes, &storage));
    return buffer_create(memory, dtype, rank, dims, storage, event_ready(), out);
}

struct error *buffer_with_error(struct client_memory *memory, enum dtype dtype, int rank,
                                const int64_t *dims, struct error *error, struct buffer **out)
{
    struct event *ready;
    *out = NULL;
    TRY(event_create_ready(error, &ready));
    return buffer_create(memory, dtype, rank, dims, NULL, ready, out);
}

struct error *buffer_from_device_memory(struct client_memory *memory, enum dtype dtype, int rank,
                                        const int64_t *dims, void *data,
                                        void (*on_delete)(void *data, void *argument),
                                        void *argument, struct buffer **out)
{
    struct storage *storage;
    *out = NULL;
    if ((uintptr_t)data % ALIGNMENT)
        return ERROR(INVALID_ARGUMENT, "the memory at %p is not aligned to %d bytes", data,
                     ALIGNMENT);
    TRY(allocate(memory, dtype, rank, dims, out));
    (*out)->ready = event_ready();
    struct error *error =
        storage_borrow(memory->space, data, (*out)->bytes, on_delete, argument, &storage);
    (*out)->storage = storage;
    if (error) {
        buffer_release(*out);
        *out = NULL;
    }
    return error;
}

void buffer_retain(struct buffer *buffer)
{
    refs_retain(&buffer->refs);
}

void buffer_release(struct buffer *buffer)
{
    if (!buffer || !refs_release(&buffer->refs))
        return;
    struct client *client = buffer->memory->client;
    storage_release(buffer->storage);
    event_release(buffer->ready);
    pthread_mutex_destroy(&buffer->lock);
    alloc_free(buffer);
    client_release(client);
}

/* ---- from the host --------------------------------------------------------------------------- */
static void host_array_given_back(void *bytes, void *argument)
{
    (void)bytes;
    error_free(event_set(argument, NULL));
    event_release(argument);
}

/* The buffer is the host's array; `done` is set when the last use of it is over. */
static struct error *share_host_array(struct client_memory *memory, const struct host_array *array,
                                      struct event **done, struct buffer **out)
{
    TRY(event_create(done));
    event_retain(*done);
    struct error *error = buffer_from_device_memory(memory, array->dtype, array->rank, array->dims,
                                                    (void *)(uintptr_t)array->data,
                                                    host_array_given_back, *done, out);
    if (error) {
        event_release(*done);
        event_release(*done);
        *done = NULL;
    }
    return error;
}

/* A modelled memory has a limit, against which shared host memory would not count. */
static bool may_share(const struct client_memory *memory, const struct host_array *array,
                      uint64_t bytes, bool dense, enum host_semantics semantics)
{
    struct space_stats stats;
    if (semantics < HOST_IMMUTABLE_ZERO_COPY || !dense || bytes < ALIAS_BYTES ||
        (uintptr_t)array->data % ALIGNMENT || dtype_info(array->dtype)->bits < 8)
        return false;
    space_stats(memory->space, &stats);
    return !stats.limit;
}

struct error *buffer_from_host(struct client_memory *memory, const struct host_array *array,
                               enum host_semantics semantics, struct event **done,
                               struct buffer **out)
{
    int64_t strides[STRIDED_COPY_MAX_RANK], dense_strides[STRIDED_COPY_MAX_RANK];
    int element = dtype_bytes(array->dtype);
    uint64_t bytes;
    *out = NULL, *done = NULL;
    TRY(buffer_size_of(array->dtype, array->rank, array->dims, &bytes));
    if (!strided_copy_is_order(array->rank, array->minor_to_major))
        return ERROR(INVALID_ARGUMENT, "minor_to_major is no permutation of %d dimensions",
                     array->rank);
    if (!array->data && bytes)
        return ERROR(INVALID_ARGUMENT, "data is NULL, but the array has %llu bytes",
                     (unsigned long long)bytes);
    strided_copy_strides(array->rank, array->dims, array->minor_to_major, element, strides);
    const int64_t *from = array->byte_strides ? array->byte_strides : strides;
    bool dense =
        !array->device_order && strided_copy_is_dense(array->rank, array->dims, from, element);
    if (may_share(memory, array, bytes, dense, semantics))
        return share_host_array(memory, array, done, out);
    TRY(buffer_uninitialized(memory, array->dtype, array->rank, array->dims, out));
    TRY(with_order(NULL, array->device_order, out));
    void *to = (*out)->storage->bytes;
    strided_copy_strides(array->rank, array->dims, buffer_order(*out), element, dense_strides);
    if (dense)
        strided_copy_dense(to, array->data, bytes);
    else
        strided_copy(to, dense_strides, array->data, from, array->rank, array->dims, element);
    strided_copy_normalize(array->dtype, to, bytes);
    *done = event_ready();
    return NULL;
}

/* ---- using ----------------------------------------------------------------------------------- */
static struct error *gone(const struct buffer *buffer)
{
    return ERROR(FAILED_PRECONDITION, "the %s buffer of rank %d on %s has been deleted or donated",
                 dtype_name(buffer->dtype), buffer->rank, buffer->memory->text);
}

struct error *buffer_acquire(struct buffer *buffer, struct storage **storage, struct event **ready)
{
    pthread_mutex_lock(&buffer->lock);
    bool deleted = atomic_load_explicit(&buffer->deleted, memory_order_relaxed);
    *storage = deleted ? NULL : buffer->storage;
    if (*storage)
        storage_retain(*storage);
    pthread_mutex_unlock(&buffer->lock);
    if (deleted)
        return gone(buffer);
    *ready = buffer->ready;
    event_retain(*ready);
    return NULL;
}

struct error *buffer_donate(struct buffer *buffer, const void *owner, struct storage **storage,
                            struct event **ready, bool *exclusive)
{
    *storage = NULL, *ready = NULL, *exclusive = false;
    pthread_mutex_lock(&buffer->lock);
    if (atomic_load_explicit(&buffer->deleted, memory_order_relaxed)) {
        pthread_mutex_unlock(&buffer->lock);
        return gone(buffer);
    }
    atomic_store_explicit(&buffer->deleted, true, memory_order_release);
    *storage = buffer->storage;
    if (*storage && buffer->external)
        storage_retain(*storage);
    else
        buffer->storage = NULL;
    if (*storage && !buffer->external && (*storage)->source == STORAGE_OWNED) {
        int others = atomic_load_explicit(&(*storage)->refs.count, memory_order_acquire) - 1;
        *exclusive = others == (owner && event_owner(buffer->ready) == owner ? 1 : 0);
    }
    pthread_mutex_unlock(&buffer->lock);
    *ready = buffer->ready;
    event_retain(*ready);
    return NULL;
}

void buffer_take_back(struct buffer *buffer, struct storage *storage)
{
    pthread_mutex_lock(&buffer->lock);
    if (!buffer->storage) {
        buffer->storage = storage;
        storage = NULL;
    }
    atomic_store_explicit(&buffer->deleted, false, memory_order_release);
    pthread_mutex_unlock(&buffer->lock);
    storage_release(storage);
}

void buffer_delete(struct buffer *buffer)
{
    struct storage *storage = NULL;
    pthread_mutex_lock(&buffer->lock);
    atomic_store_explicit(&buffer->deleted, true, memory_order_release);
    if (!buffer->external) {
        storage = buffer->storage;
        buffer->storage = NULL;
    }
    pthread_mutex_unlock(&buffer->lock);
    storage_release(storage); /* may call the client's on_delete: not under the lock */
}

bool buffer_is_deleted(struct buffer *buffer)
{
    return atomic_load_explicit(&buffer->deleted, memory_order_acquire);
}

struct error *buffer_external_retain(struct buffer *buffer)
{
    pthread_mutex_lock(&buffer->lock);
    bool deleted =
        atomic_load_explicit(&buffer->deleted, memory_order_relaxed) && !buffer->external;
    if (!deleted)
        buffer->external++;
    pthread_mutex_unlock(&buffer->lock);
    return deleted ? gone(buffer) : NULL;
}

struct error *buffer_external_release(struct buffer *buffer)
{
    struct storage *storage = NULL;
    pthread_mutex_lock(&buffer->lock);
    bool held = buffer->external > 0;
    if (held && !--buffer->external &&
        atomic_load_explicit(&buffer->deleted, memory_order_relaxed)) {
        storage = buffer->storage;
        buffer->storage = NULL;
    }
    pthread_mutex_unlock(&buffer->lock);
    storage_release(storage);
    return held ? NULL
                : ERROR(FAILED_PRECONDITION, "the buffer has no external reference to give back");
}

struct error *buffer_address(struct buffer *buffer, void **out)
{
    pthread_mutex_lock(&buffer->lock);
    *out = buffer->storage ? buffer->storage->bytes : NULL;
    pthread_mutex_unlock(&buffer->lock);
    return *out ? NULL : gone(buffer);
}

struct error *buffer_pointer(struct buffer *buffer, void **out)
{
    *out = NULL;
    TRY(event_await(buffer->ready));
    return buffer_address(buffer, out);
}

/* ---- to the host and to other memories ------------------------------------------------------- */
struct transfer {         /* a copy out of a buffer that is done once the buffer is ready */
    struct storage *from; /* retained; keeps the bytes, whatever becomes of the buffer */
    struct event *done;   /* retained */
    char *to;
    struct storage *to_storage; /* retained when the destination is a storage, else NULL */
    uint64_t offset, size;
    enum dtype dtype;
    int rank; /* -1: plain bytes */
    int64_t dims[STRIDED_COPY_MAX_RANK], strides[STRIDED_COPY_MAX_RANK];
    int64_t from_strides[STRIDED_COPY_MAX_RANK];
};

static void transfer_copy(const struct transfer *transfer)
{
    const char *from = (const char *)transfer->from->bytes + transfer->offset;
    if (transfer->rank < 0) {
        strided_copy_dense(transfer->to, from, transfer->size);
        return;
    }
    strided_copy(transfer->to, transfer->strides, from, transfer->from_strides, transfer->rank,
                 transfer->dims, dtype_bytes(transfer->dtype));
}

static void transfer_release(struct transfer *transfer)
{
    storage_release(transfer->from);
    storage_release(transfer->to_storage);
}

static void transfer_run(struct error *error, void *context)
{
    struct transfer *transfer = context;
    if (!error)
        transfer_copy(transfer);
    transfer_release(transfer);
    error_free(event_set(transfer->done, error));
    event_release(transfer->done);
    alloc_free(transfer);
}

/* The buffer is not ready, or an error: the transfer waits on the heap. */
static struct error *transfer_later(struct transfer *transfer, struct event *ready,
                                    struct event **done)
{
    struct transfer *later;
    struct error *error = event_create(done);
    if (!error)
        error = alloc_bytes(sizeof *later, &later);
    if (error) {
        event_release(*done);
        *done = NULL;
        transfer_release(transfer);
        return error;
    }
    *later = *transfer;
    later->done = *done;
    event_retain(*done);
    error = event_on_ready(ready, transfer_run, later);
    if (error)
        transfer_run(error, later);
    return NULL;
}

/* Does the transfer, whose `from` is not set yet, now or when the buffer is ready. `to_storage` is
 * moved. */
static struct error *transfer_start(struct buffer *buffer, struct transfer *transfer,
                                    struct event **done)
{
    struct event *ready;
    *done = NULL;
    struct error *error = buffer_acquire(buffer, &transfer->from, &ready);
    if (error) {
        storage_release(transfer->to_storage);
        return error;
    }
    if (event_is_good(ready)) {
        transfer_copy(transfer);
        transfer_release(transfer);
        *done = event_ready();
    } else {
        error = transfer_later(transfer, ready, done);
    }
    event_release(ready);
    return error;
}

struct error *buffer_to_host(struct buffer *buffer, const int64_t *minor_to_major,
                             void *destination, uint64_t size, struct event **done)
{
    struct transfer transfer;
    *done = NULL;
    if (size < buffer->bytes)
        return ERROR(INVALID_ARGUMENT, "the destination has %llu bytes, the buffer %llu",
                     (unsigned long long)size, (unsigned long long)buffer->bytes);
    if (!strided_copy_is_order(buffer->rank, minor_to_major))
        return ERROR(INVALID_ARGUMENT, "minor_to_major is no permutation of %d dimensions",
                     buffer->rank);
    transfer.to = destination, transfer.to_storage = NULL;
    transfer.offset = 0, transfer.size = buffer->bytes, transfer.dtype = buffer->dtype;
    transfer.rank = minor_to_major || buffer->ordered ? buffer->rank : -1;
    if (transfer.rank >= 0) {
        int element = dtype_bytes(buffer->dtype);
        memcpy(transfer.dims, buffer->dims, (size_t)buffer->rank * sizeof *buffer->dims);
        strided_copy_strides(buffer->rank, buffer->dims, minor_to_major, element, transfer.strides);
        strided_copy_strides(buffer->rank, buffer->dims, buffer_order(buffer), element,
                             transfer.from_strides);
    }
    return transfer_start(buffer, &transfer, done);
}

struct error *buffer_raw_to_host(struct buffer *buffer, void *destination, uint64_t offset,
                                 uint64_t size, struct event **done)
{
    struct transfer transfer;
    *done = NULL;
    if (offset > buffer->bytes || size > buffer->bytes - offset)
        return ERROR(INVALID_ARGUMENT, "%llu bytes from byte %llu leave the buffer of %llu bytes",
                     (unsigned long long)size, (unsigned long long)offset,
                     (unsigned long long)buffer->bytes);
    transfer.to = destination, transfer.to_storage = NULL;
    transfer.offset = offset, transfer.size = size;
    transfer.rank = -1;
    return transfer_start(buffer, &transfer, done);
}

struct error *buffer_copy_to_memory(struct buffer *buffer, struct client_memory *memory,
                                    struct buffer **out)
{
    struct transfer transfer = {.rank = -1, .size = buffer->bytes};
    struct event *done;
    *out = NULL;
    if (memory->client != buffer->memory->client)
        return ERROR(INVALID_ARGUMENT, "%s belongs to another client than the buffer",
                     memory->text);
    TRY(space_alloc(memory->space, buffer->bytes, &transfer.to_storage));
    transfer.to = transfer.to_storage->bytes;
    struct storage *copy = transfer.to_storage;
    storage_retain(copy);
    struct error *error = transfer_start(buffer, &transfer, &done);
    if (!error)
        return with_order(
            buffer_create(memory, buffer->dtype, buffer->rank, buffer->dims, copy, done, out),
            buffer_order(buffer), out);
    storage_release(copy);
    return error;
}

struct error *buffer_bitcast(struct buffer *buffer, enum dtype dtype, int rank, const int64_t *dims,
                             struct buffer **out)
{
    struct storage *storage;
    struct event *ready;
    uint64_t bytes;
    *out = NULL;
    TRY(buffer_size_of(dtype, rank, dims, &bytes));
    if (bytes != buffer->bytes)
        return ERROR(INVALID_ARGUMENT, "a buffer of %llu bytes cannot be seen as one of %llu",
                     (unsigned long long)buffer->bytes, (unsigned long long)bytes);
    TRY(buffer_acquire(buffer, &storage, &ready));
    return buffer_create(buffer->memory, dtype, rank, dims, storage, ready, out);
}

/* ---- facts ----------------------------------------------------------------------------------- */
enum dtype buffer_dtype(const struct buffer *buffer)
{
    return buffer->dtype;
}

int buffer_rank(const struct buffer *buffer)
{
    return buffer->rank;
}

const int64_t *buffer_dims(const struct buffer *buffer)
{
    return buffer->dims;
}

const int64_t *buffer_order(const struct buffer *buffer)
{
    return buffer->ordered ? buffer->dims + buffer->rank : NULL;
}

bool buffer_has_order(const struct buffer *buffer, const int64_t *minor_to_major)
{
    for (int i = 0; i < buffer->rank; i++) {
        int64_t own = buffer->ordered ? buffer->dims[buffer->rank + i] : buffer->rank - 1 - i;
        if (own != (minor_to_major ? minor_to_major[i] : buffer->rank - 1 - i))
            return false;
    }
    return true;
}

uint64_t buffer_bytes(const struct buffer *buffer)
{
    return buffer->bytes;
}

struct client_memory *buffer_memory(const struct buffer *buffer)
{
    return buffer->memory;
}

struct event *buffer_ready_event(struct buffer *buffer)
{
    event_retain(buffer->ready);
    return buffer->ready;
}
