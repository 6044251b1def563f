#include "runtime/transfer.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "runtime/strided_copy.h"

struct part {              /* a buffer being filled */
    struct buffer *buffer; /* retained until retrieved, then NULL */
    struct storage *storage;
    struct event *ready;
    uint64_t size;
    struct transfer_shape shape; /* dims owned */
};

struct transfer_manager {
    struct client_memory *memory;
    pthread_mutex_t lock; /* guards `buffer` of the parts */
    int count;
    struct part *parts;
};

/* ---- the manager ----------------------------------------------------------------------------- */
static struct error *part_init(struct client_memory *memory, const struct transfer_shape *shape,
                               struct part *part)
{
    TRY(buffer_size_of(shape->dtype, shape->rank, shape->dims, &part->size));
    part->shape = *shape;
    int64_t *dims;
    TRY(alloc_copy(shape->dims, (size_t)shape->rank * sizeof *shape->dims, &dims));
    part->shape.dims = dims;
    TRY(space_alloc(memory->space, part->size, &part->storage));
    TRY(event_create(&part->ready));
    storage_retain(part->storage);
    event_retain(part->ready);
    return buffer_create(memory, shape->dtype, shape->rank, shape->dims, part->storage, part->ready,
                         &part->buffer);
}

static void part_end(struct part *part)
{
    if (part->ready && !event_is_ready(part->ready))
        error_free(
            event_set(part->ready, ERROR(CANCELLED, "the transfer manager was destroyed before the "
                                                    "buffer's last transfer")));
    buffer_release(part->buffer);
    storage_release(part->storage);
    event_release(part->ready);
    alloc_free((void *)(uintptr_t)part->shape.dims);
}

struct error *transfer_create(struct client_memory *memory, int count,
                              const struct transfer_shape *shapes, struct transfer_manager **out)
{
    struct transfer_manager *manager;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *manager, &manager));
    manager->memory = memory;
    client_retain(memory->client);
    pthread_mutex_init(&manager->lock, NULL);
    struct error *error = alloc_array((size_t)count, sizeof *manager->parts, &manager->parts);
    while (!error && manager->count < count) {
        manager->count++; /* a half-made part is ended too */
        error = part_init(memory, &shapes[manager->count - 1], &manager->parts[manager->count - 1]);
    }
    if (error)
        transfer_destroy(manager);
    else
        *out = manager;
    return error;
}

void transfer_destroy(struct transfer_manager *manager)
{
    struct client *client = manager->memory->client;
    for (int i = 0; i < manager->count; i++)
        part_end(&manager->parts[i]);
    pthread_mutex_destroy(&manager->lock);
    alloc_free(manager->parts);
    alloc_free(manager);
    client_release(client);
}

int transfer_count(const struct transfer_manager *manager)
{
    return manager->count;
}

struct client_memory *transfer_memory(const struct transfer_manager *manager)
{
    return manager->memory;
}

static struct error *find(const struct transfer_manager *manager, int index, struct part **out)
{
    *out = NULL;
    if (index < 0 || index >= manager->count)
        return ERROR(INVALID_ARGUMENT, "buffer index %d: there are %d buffers", index,
                     manager->count);
    *out = &manager->parts[index];
    return NULL;
}

/* Finds a part that may still be written. */
static struct error *find_open(const struct transfer_manager *manager, int index, struct part **out)
{
    TRY(find(manager, index, out));
    if (event_is_ready((*out)->ready))
        return ERROR(FAILED_PRECONDITION, "buffer %d has had its last transfer", index);
    return NULL;
}

struct error *transfer_size(const struct transfer_manager *manager, int index, uint64_t *out)
{
    struct part *part = NULL;
    TRY(find(manager, index, &part));
    *out = part->size;
    return NULL;
}

struct error *transfer_retrieve(struct transfer_manager *manager, int index, struct buffer **out)
{
    struct part *part = NULL;
    TRY(find(manager, index, &part));
    pthread_mutex_lock(&manager->lock);
    *out = part->buffer;
    part->buffer = NULL;
    pthread_mutex_unlock(&manager->lock);
    return *out ? NULL : ERROR(FAILED_PRECONDITION, "buffer %d has been retrieved before", index);
}

struct error *transfer_bytes(struct transfer_manager *manager, int index, const void *data,
                             uint64_t offset, uint64_t size, bool is_last)
{
    struct part *part = NULL;
    TRY(find_open(manager, index, &part));
    if (offset > part->size || size > part->size - offset)
        return ERROR(INVALID_ARGUMENT, "%llu bytes from byte %llu leave buffer %d of %llu bytes",
                     (unsigned long long)size, (unsigned long long)offset, index,
                     (unsigned long long)part->size);
    if (size)
        strided_copy_dense((char *)part->storage->bytes + offset, data, size);
    return is_last ? event_set(part->ready, NULL) : NULL;
}

struct error *transfer_array(struct transfer_manager *manager, int index,
                             const struct host_array *array)
{
    int64_t strides[STRIDED_COPY_MAX_RANK], dense[STRIDED_COPY_MAX_RANK];
    struct part *part = NULL;
    TRY(find_open(manager, index, &part));
    const struct transfer_shape *shape = &part->shape;
    int element = dtype_bytes(array->dtype);
    if (array->dtype != shape->dtype || array->rank != shape->rank ||
        (array->rank &&
         memcmp(array->dims, shape->dims, (size_t)array->rank * sizeof *array->dims)))
        return ERROR(INVALID_ARGUMENT, "the array has not the type and shape of buffer %d", index);
    if (!strided_copy_is_order(array->rank, array->minor_to_major))
        return ERROR(INVALID_ARGUMENT, "minor_to_major is no permutation of %d dimensions",
                     array->rank);
    strided_copy_strides(array->rank, array->dims, array->minor_to_major, element, strides);
    strided_copy_strides(array->rank, array->dims, NULL, element, dense);
    strided_copy(part->storage->bytes, dense, array->data,
                 array->byte_strides ? array->byte_strides : strides, array->rank, array->dims,
                 element);
    strided_copy_normalize(array->dtype, part->storage->bytes, part->size);
    return event_set(part->ready, NULL);
}

struct error *transfer_fail(struct transfer_manager *manager, int index, struct error *error)
{
    struct part *part = NULL;
    struct error *failure = find_open(manager, index, &part);
    if (!failure)
        return event_set(part->ready, error);
    error_free(error);
    return failure;
}

/* ---- promises -------------------------------------------------------------------------------- */
struct promise {
    struct event *ready;     /* set when all is done; retained */
    struct storage *storage; /* that of the promised buffer, or NULL */
    struct buffer *buffer;   /* the promised one (alias) or the source (copy); retained, or NULL */
    struct event *first;     /* to wait for as well, or NULL; retained */
    uint64_t offset, size;
};

static void promise_end(struct promise *promise, struct error *error)
{
    error_free(event_set(promise->ready, error));
    event_release(promise->ready);
    event_release(promise->first);
    storage_release(promise->storage);
    buffer_release(promise->buffer);
    alloc_free(promise);
}

static void promise_follow(struct error *error, void *context)
{
    promise_end(context, error);
}

/* Ends the promise as `event` (moved) ends. */
static void end_with(struct promise *promise, struct event *event)
{
    struct error *error = event_on_ready(event, promise_follow, promise);
    if (error)
        promise_end(promise, error);
    event_release(event);
}

static struct error *promise_create(struct promise **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    struct error *error = event_create(&(*out)->ready);
    if (error) {
        alloc_free(*out);
        *out = NULL;
    }
    return error;
}

struct error *transfer_promise_buffer(struct client_memory *memory,
                                      const struct transfer_shape *shape, struct buffer **out,
                                      struct promise **promise)
{
    uint64_t size;
    *out = NULL, *promise = NULL;
    TRY(buffer_size_of(shape->dtype, shape->rank, shape->dims, &size));
    TRY(promise_create(promise));
    struct error *error = space_alloc(memory->space, size, &(*promise)->storage);
    if (!error) {
        storage_retain((*promise)->storage);
        event_retain((*promise)->ready);
        error = buffer_create(memory, shape->dtype, shape->rank, shape->dims, (*promise)->storage,
                              (*promise)->ready, out);
    }
    if (error) {
        promise_end(*promise, NULL);
        *promise = NULL;
        return error;
    }
    buffer_retain(*out);
    (*promise)->buffer = *out;
    return NULL;
}

static bool same_shape(const struct buffer *a, const struct buffer *b)
{
    size_t size = (size_t)buffer_rank(a) * sizeof(int64_t);
    return buffer_dtype(a) == buffer_dtype(b) && buffer_rank(a) == buffer_rank(b) &&
           (!size || !memcmp(buffer_dims(a), buffer_dims(b), size));
}

struct error *transfer_keep_buffer(struct promise *promise, struct buffer *buffer,
                                   struct error *error)
{
    struct event *done;
    if (error) {
        promise_end(promise, error);
        return NULL;
    }
    if (!buffer || !same_shape(buffer, promise->buffer))
        return ERROR(INVALID_ARGUMENT, "the buffer has not the type and shape that were promised");
    TRY(buffer_raw_to_host(buffer, promise->storage->bytes, 0, buffer_bytes(buffer), &done));
    end_with(promise, done);
    return NULL;
}

struct error *transfer_promise_donated(struct buffer *buffer, struct buffer **out,
                                       struct promise **promise)
{
    struct storage *storage;
    bool exclusive;
    *out = NULL;
    TRY(promise_create(promise));
    struct error *error = buffer_donate(buffer, NULL, &storage, &(*promise)->first, &exclusive);
    if (!error) {
        event_retain((*promise)->ready);
        error = buffer_create(buffer_memory(buffer), buffer_dtype(buffer), buffer_rank(buffer),
                              buffer_dims(buffer), storage, (*promise)->ready, out);
    }
    if (error) {
        promise_end(*promise, NULL);
        *promise = NULL;
    }
    return error;
}

void transfer_keep_donated(struct promise *promise, struct error *error)
{
    if (error) {
        promise_end(promise, error);
        return;
    }
    struct event *first = promise->first;
    promise->first = NULL;
    end_with(promise, first);
}

struct error *transfer_promise_copy(struct buffer *buffer, uint64_t offset, uint64_t size,
                                    struct event **done, struct promise **promise)
{
    *done = NULL, *promise = NULL;
    if (offset > buffer_bytes(buffer) || size > buffer_bytes(buffer) - offset)
        return ERROR(INVALID_ARGUMENT, "%llu bytes from byte %llu leave the buffer of %llu bytes",
                     (unsigned long long)size, (unsigned long long)offset,
                     (unsigned long long)buffer_bytes(buffer));
    TRY(promise_create(promise));
    struct buffer *view; /* keeps the bytes, should the buffer be deleted */
    struct error *error = buffer_bitcast(buffer, buffer_dtype(buffer), buffer_rank(buffer),
                                         buffer_dims(buffer), &view);
    if (error) {
        promise_end(*promise, NULL);
        *promise = NULL;
        return error;
    }
    (*promise)->buffer = view;
    (*promise)->offset = offset, (*promise)->size = size;
    event_retain((*promise)->ready);
    *done = (*promise)->ready;
    return NULL;
}

void transfer_keep_copy(struct promise *promise, void *destination, struct error *error)
{
    struct event *done = NULL;
    if (!error)
        error =
            buffer_raw_to_host(promise->buffer, destination, promise->offset, promise->size, &done);
    if (error)
        promise_end(promise, error);
    else
        end_with(promise, done);
}
