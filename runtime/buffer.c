#include "runtime/buffer.h"

#include "base/alloc.h"
#include "base/fork.h"
#include "runtime/array_layout.h"
#include "runtime/buffer_sizes.h"
#include "runtime/copy.h"
#include "runtime/metrics.h"
#include "runtime/result_labels.h"

enum {
    ALIGNMENT = 64,          /* of every address passed to a program */
    ALIAS_BYTES = 128 << 10, /* smaller host arrays are cheaper to copy than to share */
};

/* Invariants: `hold` is empty in an error buffer, and once the buffer is deleted; `seen` is empty
 * unless there are external references; shape, memory and ready never change. */
struct buffer {
    struct refs refs;
    atomic_bool deleted; /* written under the lock, read without it */
    struct shape shape;  /* its arrays follow the struct */
    size_t tile_ranks[SHAPE_MAX_TILES];
    uint64_t bytes;
    struct client_memory *memory;
    struct event *ready;        /* retained */
    struct buffer_sizes *sizes; /* retained; NULL: all are those of the shape */
    /* guarded by fork_lock_of(buffer) */
    int external;             /* external references */
    bool abandoned;           /* deleted by the client, possibly after a donation */
    struct storage_hold hold; /* the write token or a read hold */
    struct storage_hold seen; /* read hold of the external references */
    int64_t arrays[];
};

/* ---- creation -------------------------------------------------------------------------------- */
struct error *buffer_create(struct client_memory *memory, const struct shape *shape, uint64_t bytes,
                            struct storage_hold hold, struct event *ready, struct buffer **out)
{
    struct buffer *buffer;
    *out = NULL;
    TRY(alloc_bytes(sizeof *buffer + shape_arrays_size(shape), &buffer));
    *buffer = (struct buffer){.bytes = bytes, .memory = memory, .ready = ready, .hold = hold};
    buffer->shape = shape_copy_into(buffer->arrays, shape);
    buffer->shape.memory = memory->kind;
    for (int i = 0; i < shape->tile_count; i++)
        buffer->tile_ranks[i] = (size_t)shape->tiles[i].rank;
    refs_init(&buffer->refs);
    client_retain(memory->client);
    *out = buffer;
    return NULL;
}

/* The same, but releases the moved arguments on an error. */
static struct error *create_or_drop(struct client_memory *memory, const struct shape *shape,
                                    uint64_t bytes, struct storage_hold hold, struct event *ready,
                                    struct buffer **out)
{
    struct error *error = buffer_create(memory, shape, bytes, hold, ready, out);
    if (error) {
        storage_drop(&hold);
        event_release(ready);
    }
    return error;
}

struct checked { /* a client's shape */
    struct shape shape;
    struct shape_layout layout; /* its arrays, if the device chose the layout */
    uint64_t bytes;
};

/* Checks a client's shape, sets its memory kind, completes its layout and computes its size. */
static struct error *check_shape(const struct client_memory *memory, const struct shape *given,
                                 struct checked *out)
{
    out->shape = *given;
    out->shape.memory = memory->kind;
    TRY(array_layout_complete(memory->device->device, &out->shape, &out->layout));
    out->bytes = (uint64_t)shape_bytes(&out->shape);
    return NULL;
}

/* Allocates memory for an array, with its write token. */
static struct error *allocate(const struct client_memory *memory, const struct shape *shape,
                              const struct label *label, struct storage_hold *out)
{
    struct storage *storage;
    TRY(client_memory_alloc(memory, shape, (uint64_t)shape_bytes(shape), label, &storage));
    *out = storage_initial_hold(storage);
    return NULL;
}

struct error *buffer_pending(struct client_memory *memory, const struct shape *shape,
                             struct event *ready, struct storage_hold *hold, struct buffer **out)
{
    struct checked checked;
    struct storage_hold token;
    struct label label = result_labels_host_array(shape->dtype);
    *out = NULL, *hold = (struct storage_hold){0};
    TRY(check_shape(memory, shape, &checked));
    TRY(allocate(memory, &checked.shape, &label, &token));
    struct storage_hold keeper = storage_keep(token.storage);
    event_retain(ready);
    struct error *error = create_or_drop(memory, &checked.shape, checked.bytes, token, ready, out);
    if (error)
        storage_drop(&keeper);
    *hold = keeper;
    return error;
}

struct error *buffer_uninitialized(struct client_memory *memory, const struct shape *shape,
                                   struct buffer **out)
{
    struct checked checked;
    struct storage_hold hold;
    *out = NULL;
    TRY(check_shape(memory, shape, &checked));
    TRY(allocate(memory, &checked.shape, NULL, &hold));
    return create_or_drop(memory, &checked.shape, checked.bytes, hold, event_ready(), out);
}

struct error *buffer_with_error(struct client_memory *memory, const struct shape *shape,
                                struct error *error, struct buffer **out)
{
    struct checked checked;
    struct event *ready;
    *out = NULL;
    struct error *wrong = check_shape(memory, shape, &checked);
    if (wrong) {
        error_free(error);
        return wrong;
    }
    TRY(event_create_ready(error, &ready));
    return create_or_drop(memory, &checked.shape, checked.bytes, (struct storage_hold){0}, ready,
                          out);
}

struct error *buffer_from_device_memory(struct client_memory *memory, const struct shape *shape,
                                        void *data, void (*on_delete)(void *data, void *argument),
                                        void *argument, struct buffer **out)
{
    struct checked checked;
    struct storage *storage;
    *out = NULL;
    TRY(check_shape(memory, shape, &checked));
    if (!data && checked.bytes)
        return ERROR(INVALID_ARGUMENT, "the memory is NULL, but the array has %llu bytes",
                     (unsigned long long)checked.bytes);
    if ((uintptr_t)data % ALIGNMENT)
        return ERROR(INVALID_ARGUMENT, "the memory at %p is not aligned to %d bytes", data,
                     ALIGNMENT);
    TRY(storage_borrow(memory->space, data, checked.bytes, NULL, NULL, &storage));
    TRY(create_or_drop(memory, &checked.shape, checked.bytes, storage_initial_hold(storage),
                       event_ready(), out));
    storage->release = on_delete; /* set only when nothing can fail anymore */
    storage->argument = argument;
    return NULL;
}

struct error *buffer_bitcast(struct buffer *buffer, const struct shape *shape, struct buffer **out)
{
    struct checked checked;
    struct storage_hold hold;
    struct event *ready;
    *out = NULL;
    TRY(check_shape(buffer->memory, shape, &checked));
    if (checked.bytes != buffer->bytes)
        return ERROR(INVALID_ARGUMENT,
                     "a buffer of %llu bytes cannot be bitcast to one of %llu bytes",
                     (unsigned long long)buffer->bytes, (unsigned long long)checked.bytes);
    TRY(buffer_acquire(buffer, &hold, &ready));
    return create_or_drop(buffer->memory, &checked.shape, checked.bytes, hold, ready, out);
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
    storage_drop(&buffer->hold);
    storage_drop(&buffer->seen);
    event_release(buffer->ready);
    buffer_sizes_release(buffer->sizes);
    alloc_free(buffer);
    client_release(client);
}

/* ---- from the host --------------------------------------------------------------------------- */
static void host_array_released(void *bytes, void *argument)
{
    (void)bytes;
    error_free(event_set(argument, NULL));
    event_release(argument);
}

/* The buffer uses the host's array; `done` is set after its last use. */
static struct error *share_host_array(struct client_memory *memory, const struct shape *shape,
                                      const void *data, struct event **done, struct buffer **out)
{
    TRY(event_create(done));
    event_retain(*done);
    struct error *error = buffer_from_device_memory(memory, shape, (void *)(uintptr_t)data,
                                                    host_array_released, *done, out);
    metrics_add(METRIC_shared_arrays, !error);
    metrics_add(METRIC_shared_bytes, error ? 0 : buffer_bytes(*out));
    if (error) {
        event_release(*done);
        event_release(*done);
        *done = NULL;
    }
    return error;
}

/* Whether the host array has the layout of the bytes that the buffer will have. */
static bool is_same_layout(const struct host_array *array, const struct shape *shape)
{
    int64_t strides[SHAPE_MAX_RANK];
    if (!array->byte_strides)
        return shape_same_layout(&array->shape, shape);
    shape_byte_strides(shape, strides);
    for (int i = 0; i < shape->rank; i++)
        if (shape->dims[i] != 1 && strides[i] != array->byte_strides[i])
            return false;
    return true;
}

/* Whether client memory can be used in place for that memory kind: pinned memory must be locked. */
static bool is_shareable(const struct client_memory *memory, const void *data, uint64_t bytes)
{
    const struct device *device = memory->device->device;
    switch (memory->kind) {
    case MEMORY_DEVICE: return device->shares_host_memory;
    case MEMORY_PINNED_HOST:
        return device->ops->address && mapped_contains(&memory->client->mapped, data, bytes);
    default: return device->ops->address != NULL;
    }
}

static bool may_share(const struct client_memory *memory, const struct shape *shape, uint64_t bytes,
                      const struct host_array *array, enum host_semantics semantics)
{
    struct shape stored = array_layout_stored(memory->device->device, shape);
    return semantics >= HOST_IMMUTABLE_ZERO_COPY && bytes >= ALIAS_BYTES &&
           (uintptr_t)array->data % ALIGNMENT == 0 && dtype_info(shape->dtype)->bits >= 8 &&
           is_same_layout(array, &stored) && is_shareable(memory, array->data, bytes);
}

static struct error *copy_from_host(struct client_memory *memory, const struct shape *shape,
                                    uint64_t bytes, const struct host_array *array,
                                    enum host_semantics semantics, struct event **done,
                                    struct buffer **out)
{
    struct storage_hold hold;
    struct label label = result_labels_host_array(shape->dtype);
    TRY(allocate(memory, shape, &label, &hold));
    TRY(create_or_drop(memory, shape, bytes, hold, NULL, out));
    struct copy copy = {
        .request = {.from = copy_end_host(array->data, &array->shape, array->byte_strides),
                    .to = copy_end_device(memory->device->device, &hold, shape),
                    .size = bytes},
        .client = memory->client,
        .during_call = semantics == HOST_IMMUTABLE_ONLY_DURING_CALL};
    struct error *error = copy_start(&copy, done);
    if (error) {
        buffer_release(*out);
        *out = NULL;
        return error;
    }
    event_retain(*done);
    (*out)->ready = *done;
    return NULL;
}

struct error *buffer_from_host(struct client_memory *memory, const struct shape *shape,
                               const struct host_array *array, enum host_semantics semantics,
                               struct event **done, struct buffer **out)
{
    struct checked checked;
    *out = NULL, *done = NULL;
    TRY(check_shape(memory, shape, &checked));
    TRY(array_layout_check_host(&array->shape, &checked.shape));
    TRY(array_layout_check_strides(&checked.shape, array->byte_strides));
    if (!array->data && checked.bytes)
        return ERROR(INVALID_ARGUMENT, "data is NULL, but the array has %llu bytes",
                     (unsigned long long)checked.bytes);
    if (may_share(memory, &checked.shape, checked.bytes, array, semantics))
        return share_host_array(memory, &checked.shape, array->data, done, out);
    return copy_from_host(memory, &checked.shape, checked.bytes, array, semantics, done, out);
}

/* ---- uses ------------------------------------------------------------------------------------ */
static struct error *deleted_error(const struct buffer *buffer)
{
    return ERROR(FAILED_PRECONDITION, "the %s buffer of rank %d on %s has been deleted or donated",
                 dtype_name(buffer->shape.dtype), buffer->shape.rank, buffer->memory->text);
}

static bool is_deleted_locked(const struct buffer *buffer)
{
    return atomic_load_explicit(&buffer->deleted, memory_order_relaxed);
}

struct error *buffer_acquire(struct buffer *buffer, struct storage_hold *hold, struct event **ready)
{
    *hold = (struct storage_hold){0};
    fork_lock_take(fork_lock_of(buffer));
    bool deleted = is_deleted_locked(buffer);
    if (!deleted)
        *hold = storage_read(buffer->hold.storage);
    fork_lock_release(fork_lock_of(buffer));
    if (deleted)
        return deleted_error(buffer);
    *ready = buffer->ready;
    event_retain(*ready);
    return NULL;
}

/* Deletes the buffer and moves its hold to *hold. Returns false when it was deleted before. */
static bool move_hold(struct buffer *buffer, struct storage_hold *hold)
{
    fork_lock_take(fork_lock_of(buffer));
    bool deleted = is_deleted_locked(buffer);
    atomic_store_explicit(&buffer->deleted, true, memory_order_release);
    *hold = buffer->hold;
    buffer->hold = (struct storage_hold){0};
    fork_lock_release(fork_lock_of(buffer));
    return !deleted;
}

struct error *buffer_donate(struct buffer *buffer, struct storage_hold *hold, struct event **ready)
{
    *ready = NULL;
    if (!move_hold(buffer, hold))
        return deleted_error(buffer);
    *ready = buffer->ready;
    event_retain(*ready);
    return NULL;
}

void buffer_undo_donation(struct buffer *buffer, struct storage_hold hold)
{
    fork_lock_take(fork_lock_of(buffer));
    if (!buffer->abandoned) {
        buffer->hold = hold;
        hold = (struct storage_hold){0};
        atomic_store_explicit(&buffer->deleted, false, memory_order_release);
    }
    fork_lock_release(fork_lock_of(buffer));
    storage_drop(&hold);
}

void buffer_delete(struct buffer *buffer)
{
    struct storage_hold hold;
    fork_lock_take(fork_lock_of(buffer));
    buffer->abandoned = true;
    fork_lock_release(fork_lock_of(buffer));
    move_hold(buffer, &hold);
    storage_drop(&hold); /* not under the lock, since it may call the client's on_delete */
}

bool buffer_is_deleted(struct buffer *buffer)
{
    return atomic_load_explicit(&buffer->deleted, memory_order_acquire);
}

struct error *buffer_external_retain(struct buffer *buffer)
{
    fork_lock_take(fork_lock_of(buffer));
    bool deleted = is_deleted_locked(buffer) && !buffer->external;
    if (!deleted && !buffer->external++)
        buffer->seen = storage_read(buffer->hold.storage);
    fork_lock_release(fork_lock_of(buffer));
    return deleted ? deleted_error(buffer) : NULL;
}

struct error *buffer_external_release(struct buffer *buffer)
{
    struct storage_hold seen = {0};
    fork_lock_take(fork_lock_of(buffer));
    bool held = buffer->external > 0;
    if (held && !--buffer->external) {
        seen = buffer->seen;
        buffer->seen = (struct storage_hold){0};
    }
    fork_lock_release(fork_lock_of(buffer));
    storage_drop(&seen);
    return held ? NULL
                : ERROR(FAILED_PRECONDITION, "the buffer has no external reference to release");
}

/* Why the buffer has no storage: it is deleted, or an error buffer. */
static struct error *no_storage_error(struct buffer *buffer)
{
    struct error *error = buffer_is_deleted(buffer) ? NULL : event_error(buffer->ready);
    return error ? error : deleted_error(buffer);
}

struct error *buffer_address(struct buffer *buffer, void **out)
{
    fork_lock_take(fork_lock_of(buffer));
    struct storage *storage = buffer->external ? buffer->seen.storage : buffer->hold.storage;
    struct storage_hold keeper = storage_keep(storage);
    fork_lock_release(fork_lock_of(buffer));
    *out = NULL;
    if (!storage)
        return no_storage_error(buffer);
    storage_expose(storage);
    struct error *error = storage_provide(storage); /* not under the lock, since it takes one */
    *out = storage->address;
    storage_drop(&keeper);
    return error;
}

struct error *buffer_pointer(struct buffer *buffer, void **out)
{
    *out = NULL;
    TRY(event_await(buffer->ready));
    return buffer_address(buffer, out);
}

/* ---- copies out of the buffer ---------------------------------------------------------------- */
struct error *buffer_copy_out(struct buffer *buffer, struct copy *copy, struct event **done)
{
    struct event *ready;
    *done = NULL;
    TRY(buffer_acquire(buffer, &copy->hold, &ready));
    copy->client = buffer->memory->client;
    copy->request.from.device = buffer->memory->device->device;
    copy->request.from.storage = copy->hold.storage;
    copy->ready = ready;
    struct error *error = copy_start(copy, done);
    event_release(ready);
    return error;
}

/* The label of the contents, which a copy inherits; owned: label_release. */
static struct label label_of(struct buffer *buffer)
{
    fork_lock_take(fork_lock_of(buffer));
    struct label label = storage_get_label(&buffer->hold);
    fork_lock_release(fork_lock_of(buffer));
    return label;
}

struct error *buffer_copy_to_memory(struct buffer *buffer, struct client_memory *memory,
                                    struct buffer **out)
{
    struct storage_hold hold;
    struct event *done;
    *out = NULL;
    if (memory->client != buffer->memory->client)
        return ERROR(INVALID_ARGUMENT, "%s belongs to a different client than the buffer",
                     memory->text);
    struct shape shape = buffer->shape;
    struct shape_layout layout;
    TRY(array_layout_copied(memory->device->device, memory->kind, &shape, &layout));
    struct label label = label_of(buffer);
    struct error *error = allocate(memory, &shape, &label, &hold);
    label_release(&label);
    if (error)
        return error;
    struct copy copy = {.request = {.to = copy_end_device(memory->device->device, &hold, NULL),
                                    .size = buffer->bytes}};
    error = buffer_copy_out(buffer, &copy, &done);
    if (error) {
        storage_drop(&hold);
        return error;
    }
    TRY(create_or_drop(memory, &shape, buffer->bytes, hold, done, out));
    (*out)->sizes = buffer->sizes;
    buffer_sizes_retain(buffer->sizes);
    return NULL;
}

/* ---- properties ------------------------------------------------------------------------------ */
const struct shape *buffer_shape(const struct buffer *buffer)
{
    return &buffer->shape;
}

struct buffer_sizes *buffer_get_sizes(const struct buffer *buffer)
{
    return buffer->sizes;
}

void buffer_set_sizes(struct buffer *buffer, struct buffer_sizes *sizes)
{
    buffer->sizes = sizes;
}

const size_t *buffer_tile_ranks(const struct buffer *buffer)
{
    return buffer->tile_ranks;
}

uint64_t buffer_bytes(const struct buffer *buffer)
{
    return buffer->bytes;
}

uint64_t buffer_device_bytes(const struct buffer *buffer)
{
    return client_memory_bytes(buffer->memory, &buffer->shape);
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

bool buffer_is_ready(const struct buffer *buffer)
{
    return event_is_ready(buffer->ready);
}

bool buffer_is_on_host(const struct buffer *buffer)
{
    const struct device *device = buffer->memory->device->device;
    return device->ops->address != NULL && !device->is_apart;
}
