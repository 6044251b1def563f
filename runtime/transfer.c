#include "runtime/transfer.h"

#include "base/alloc.h"
#include "base/fork.h"
#include "runtime/array_layout.h"
#include "runtime/buffer_sizes.h"
#include "runtime/buffer_to_host.h"
#include "runtime/copy.h"

struct part { /* a buffer being filled; retained by the manager and by each copy in progress */
    struct refs refs;
    struct storage_hold hold; /* keep hold on the buffer's storage */
    struct event *ready;      /* retained */
    struct shape shape;
    void *arrays; /* owned: the shape's */
    uint64_t size;
    /* guarded by fork_lock_of(part) */
    struct buffer *buffer; /* retained until retrieved, then NULL */
    int copies;            /* copies in progress */
    bool ended;            /* the last transfer was requested, or the buffer failed */
    struct error *error;   /* of a copy; owned */
};

struct transfer_manager {
    struct client_memory *memory;
    int count;
    struct part **parts; /* the last may be NULL during construction */
};

/* ---- parts ----------------------------------------------------------------------------------- */
static void part_release(struct part *part)
{
    if (!part || !refs_release(&part->refs))
        return;
    buffer_release(part->buffer);
    storage_drop(&part->hold);
    event_release(part->ready);
    error_free(part->error);
    alloc_free(part->arrays);
    alloc_free(part);
}

static struct error *part_create(struct client_memory *memory, const struct shape *shape,
                                 struct part **out)
{
    struct part *part;
    TRY(alloc_zeroed(sizeof *part, out));
    part = *out;
    refs_init(&part->refs);
    TRY(event_create(&part->ready));
    event_promise(part->ready, memory->client);
    TRY(buffer_pending(memory, shape, part->ready, &part->hold, &part->buffer));
    TRY(shape_clone(buffer_shape(part->buffer), &part->shape, &part->arrays));
    part->size = buffer_bytes(part->buffer);
    return NULL;
}

/* Ends the part; returns false when it had already ended. */
static bool part_end(struct part *part)
{
    fork_lock_take(fork_lock_of(part));
    bool open = !part->ended;
    part->ended = true;
    fork_lock_release(fork_lock_of(part));
    return open;
}

/* Called when a copy completes. The buffer becomes ready with the last copy after the part has
 * ended. */
static void part_copied(const struct error *failure, void *context)
{
    struct part *part = context;
    struct error *error = failure ? error_copy(failure) : NULL;
    fork_lock_take(fork_lock_of(part));
    part->error = error_join(part->error, error);
    bool complete = !--part->copies && part->ended;
    error = complete ? part->error : NULL;
    if (complete)
        part->error = NULL;
    fork_lock_release(fork_lock_of(part));
    if (complete)
        error_free(event_set(part->ready, error));
    part_release(part);
}

static struct error *begin_copy(struct part *part, bool is_last, int index)
{
    fork_lock_take(fork_lock_of(part));
    bool open = !part->ended && !event_is_ready(part->ready); /* the client may be destroyed */
    part->ended |= is_last;
    part->copies += open;
    fork_lock_release(fork_lock_of(part));
    if (!open)
        return ERROR(FAILED_PRECONDITION, "buffer %d has already had its last transfer", index);
    refs_retain(&part->refs);
    return NULL;
}

/* Starts a copy of the part that begin_copy() has counted. A failure becomes the buffer's error
 * too. */
static struct error *copy_to_part(struct part *part, struct copy *copy, struct event **done)
{
    copy->completed = part_copied;
    copy->context = part;
    struct error *error = copy_start(copy, done);
    if (error)
        part_copied(error, part);
    return error;
}

/* ---- the manager ----------------------------------------------------------------------------- */
struct error *transfer_create(struct client_memory *memory, int count, const struct shape *shapes,
                              struct transfer_manager **out)
{
    struct transfer_manager *manager;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *manager, &manager));
    manager->memory = memory;
    client_retain(memory->client);
    struct error *error = alloc_array((size_t)count, sizeof *manager->parts, &manager->parts);
    while (!error && manager->count < count) {
        manager->count++; /* ends a partially constructed part too */
        error =
            part_create(memory, &shapes[manager->count - 1], &manager->parts[manager->count - 1]);
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
    for (int i = 0; i < manager->count; i++) {
        struct part *part = manager->parts[i];
        if (part && part->ready && part_end(part))
            error_free(event_set(part->ready,
                                 ERROR(CANCELLED, "the transfer manager was destroyed before the "
                                                  "buffer's last transfer")));
        part_release(part);
    }
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
    *out = manager->parts[index];
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
    fork_lock_take(fork_lock_of(part));
    *out = part->buffer;
    part->buffer = NULL;
    fork_lock_release(fork_lock_of(part));
    return *out ? NULL : ERROR(FAILED_PRECONDITION, "buffer %d has already been retrieved", index);
}

/* The destination of a copy to the part. */
static struct copy_end end_in(const struct transfer_manager *manager, const struct part *part,
                              const struct shape *shape)
{
    return copy_end_device(manager->memory->device->device, &part->hold, shape);
}

struct error *transfer_bytes(struct transfer_manager *manager, int index, const void *data,
                             uint64_t offset, uint64_t size, bool is_last, struct event **done)
{
    struct part *part = NULL;
    *done = NULL;
    TRY(find(manager, index, &part));
    TRY(error_prefix(buffer_check_range(part->size, offset, size), "buffer %d", index));
    if (!data && size)
        return ERROR(INVALID_ARGUMENT, "the data for %llu bytes of buffer %d is NULL",
                     (unsigned long long)size, index);
    TRY(begin_copy(part, is_last, index));
    int64_t count = (int64_t)size; /* sub-byte elements take one byte each */
    struct shape bytes = {.dtype = part->shape.dtype, .rank = 1, .dims = &count};
    bool narrow = dtype_info(part->shape.dtype)->bits < 8 && dtype_bytes(part->shape.dtype) == 1;
    const struct shape *shape = narrow ? &bytes : NULL;
    struct copy copy = {.request = {.from = copy_end_host(data, shape, NULL),
                                    .to = end_in(manager, part, shape),
                                    .size = size},
                        .client = manager->memory->client};
    copy.request.to.offset = offset;
    return copy_to_part(part, &copy, done);
}

struct error *transfer_array(struct transfer_manager *manager, int index,
                             const struct host_array *array, struct event **done)
{
    struct part *part = NULL;
    *done = NULL;
    TRY(find(manager, index, &part));
    TRY(shape_check(&array->shape, "the array"));
    if (array->shape.dtype != part->shape.dtype || !shape_same_dims(&array->shape, &part->shape))
        return ERROR(INVALID_ARGUMENT, "the array and buffer %d have different types or shapes",
                     index);
    TRY(array_layout_check_strides(&array->shape, array->byte_strides));
    if (!array->data && part->size)
        return ERROR(INVALID_ARGUMENT, "the data for buffer %d is NULL", index);
    TRY(begin_copy(part, true, index));
    struct copy copy = {
        .request = {.from = copy_end_host(array->data, &array->shape, array->byte_strides),
                    .to = end_in(manager, part, &part->shape),
                    .size = part->size},
        .client = manager->memory->client};
    return copy_to_part(part, &copy, done);
}

struct error *transfer_fail(struct transfer_manager *manager, int index, struct error *error)
{
    struct part *part = NULL;
    struct error *failure = find(manager, index, &part);
    if (!failure && !part_end(part))
        failure = ERROR(FAILED_PRECONDITION, "buffer %d has already had its last transfer", index);
    if (!failure)
        return event_set(part->ready, error);
    error_free(error);
    return failure;
}

/* ---- promises -------------------------------------------------------------------------------- */
struct promise {
    struct event *ready;          /* set at completion; retained */
    struct buffer *buffer;        /* the promised buffer; retained, or NULL */
    struct client_memory *memory; /* memory of the storage; its client is retained */
    struct storage_hold hold;     /* keep: on the promised buffer; or read: on a copy's source */
    struct event *first;          /* another event to wait for; retained, or NULL */
    uint64_t offset, size;
};

static void promise_end(struct promise *promise, struct error *error)
{
    storage_drop(&promise->hold);
    error_free(event_set(promise->ready, error));
    event_release(promise->ready);
    event_release(promise->first);
    buffer_release(promise->buffer);
    client_release(promise->memory->client);
    alloc_free(promise);
}

static void promise_follow(struct error *error, void *context)
{
    promise_end(context, error);
}

/* Ends the promise when `event` (moved) is ready, with its error. */
static void end_with(struct promise *promise, struct event *event)
{
    event_promise(promise->ready, NULL);
    struct error *error = event_follow(event, promise_follow, promise, promise->ready);
    if (error)
        promise_end(promise, error);
    event_release(event);
}

static struct error *promise_create(struct client_memory *memory, struct promise **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    (*out)->memory = memory;
    struct error *error = event_create(&(*out)->ready);
    if (error) {
        alloc_free(*out);
        *out = NULL;
        return error;
    }
    client_retain(memory->client);
    event_promise((*out)->ready, memory->client);
    return NULL;
}

struct error *transfer_promise_buffer(struct client_memory *memory, const struct shape *shape,
                                      struct buffer **out, struct promise **promise)
{
    *out = NULL, *promise = NULL;
    TRY(promise_create(memory, promise));
    struct error *error = buffer_pending(memory, shape, (*promise)->ready, &(*promise)->hold, out);
    if (error) {
        promise_end(*promise, NULL);
        *promise = NULL;
        return error;
    }
    buffer_retain(*out);
    (*promise)->buffer = *out;
    return NULL;
}

static bool is_promised(const struct buffer *promised, const struct buffer *given)
{
    const struct shape *wanted = buffer_shape(promised), *got = buffer_shape(given);
    return got->dtype == wanted->dtype && shape_same_dims(got, wanted);
}

struct error *transfer_fulfill_buffer(struct promise *promise, struct buffer *buffer,
                                      struct error *error)
{
    struct event *done, *ready;
    struct copy copy = {.client = promise->memory->client};
    if (error) {
        promise_end(promise, error);
        return NULL;
    }
    if (buffer && buffer_memory(buffer)->client != promise->memory->client)
        return ERROR(INVALID_ARGUMENT,
                     "the buffer on %s belongs to a different client than the promise",
                     buffer_memory(buffer)->text);
    if (!buffer || !is_promised(promise->buffer, buffer))
        return ERROR(INVALID_ARGUMENT, "the buffer does not have the promised type and shape");
    TRY(buffer_acquire(buffer, &copy.hold, &ready));
    error = event_depend(ready, promise->ready);
    if (error) {
        storage_drop(&copy.hold);
        event_release(ready);
        return error_prefix(error, "the buffer cannot fulfill the promise");
    }
    copy.request.from =
        copy_end_device(buffer_memory(buffer)->device->device, &copy.hold, buffer_shape(buffer));
    copy.request.to = copy_end_device(promise->memory->device->device, &promise->hold,
                                      buffer_shape(promise->buffer));
    copy.request.size = buffer_bytes(buffer);
    copy.ready = ready;
    error = copy_start(&copy, &done);
    event_release(ready);
    TRY(error);
    end_with(promise, done);
    return NULL;
}

struct error *transfer_promise_donated(struct buffer *buffer, struct buffer **out,
                                       struct promise **promise)
{
    struct storage_hold hold;
    *out = NULL;
    TRY(promise_create(buffer_memory(buffer), promise));
    struct error *error = buffer_donate(buffer, &hold, &(*promise)->first);
    if (!error) {
        error = buffer_create(buffer_memory(buffer), buffer_shape(buffer), buffer_bytes(buffer),
                              hold, (*promise)->ready, out);
        if (error)
            buffer_undo_donation(buffer, hold);
    }
    if (error) {
        promise_end(*promise, NULL);
        *promise = NULL;
        return error;
    }
    event_retain((*promise)->ready);
    buffer_sizes_retain(buffer_get_sizes(buffer));
    buffer_set_sizes(*out, buffer_get_sizes(buffer));
    return NULL;
}

void transfer_fulfill_donated(struct promise *promise, struct error *error)
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
    TRY(buffer_check_range(buffer_bytes(buffer), offset, size));
    TRY(promise_create(buffer_memory(buffer), promise));
    struct error *error = buffer_acquire(buffer, &(*promise)->hold, &(*promise)->first);
    if (error) {
        promise_end(*promise, NULL);
        *promise = NULL;
        return error;
    }
    (*promise)->offset = offset, (*promise)->size = size;
    event_retain((*promise)->ready);
    *done = (*promise)->ready;
    return NULL;
}

void transfer_fulfill_copy(struct promise *promise, void *destination, struct error *error)
{
    struct event *done = NULL;
    if (!error && !destination && promise->size)
        error = ERROR(INVALID_ARGUMENT, "the destination of %llu bytes is NULL",
                      (unsigned long long)promise->size);
    if (error) {
        promise_end(promise, error);
        return;
    }
    struct copy copy = {
        .request = {.from = copy_end_device(promise->memory->device->device, &promise->hold, NULL),
                    .to = copy_end_host(destination, NULL, NULL),
                    .size = promise->size},
        .client = promise->memory->client,
        .hold = promise->hold,
        .ready = promise->first};
    copy.request.from.offset = promise->offset;
    promise->hold = (struct storage_hold){0};
    error = copy_start(&copy, &done);
    if (error)
        promise_end(promise, error);
    else
        end_with(promise, done);
}
