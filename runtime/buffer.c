#include "runtime/buffer.h"

#include "base/alloc.h"
#include "base/fork.h"
#include "runtime/copy.h"

enum {
    ALIGNMENT = 64,          /* of every address that a program gets */
    ALIAS_BYTES = 128 << 10, /* host arrays below this are cheaper to copy than to share */
};

/* Invariants: `hold` is empty in an error buffer, and once the buffer is deleted; `seen` is empty
 * unless there are external references. shape, memory and ready never change. */
struct buffer {
    struct refs refs;
    atomic_bool deleted; /* changes under the lock, read without */
    struct shape shape;  /* its arrays are behind the struct */
    uint64_t bytes;
    struct client_memory *memory;
    struct event *ready; /* retained */
    /* guarded by fork_lock_of(buffer) */
    int external;             /* external references */
    struct storage_hold hold; /* with the token, or to read */
    struct storage_hold seen; /* to read, for the external references */
    int64_t arrays[];
};

/* ---- making ---------------------------------------------------------------------------------- */
struct error *buffer_create(struct client_memory *memory, const struct shape *shape, uint64_t bytes,
                            struct storage_hold hold, struct event *ready, struct buffer **out)
{
    struct buffer *buffer;
    *out = NULL;
    TRY(alloc_bytes(sizeof *buffer + shape_arrays_size(shape), &buffer));
    *buffer = (struct buffer){.bytes = bytes, .memory = memory, .ready = ready, .hold = hold};
    buffer->shape = shape_copy_into(buffer->arrays, shape);
    buffer->shape.memory = memory->kind;
    refs_init(&buffer->refs);
    client_retain(memory->client);
    *out = buffer;
    return NULL;
}

/* The same; what is moved is dropped on an error. */
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

/* Checks a client's shape, and says where it will be stored, in how many bytes. */
static struct error *check_shape(const struct client_memory *memory, const struct shape *given,
                                 struct shape *out, uint64_t *bytes)
{
    *out = *given, *bytes = 0;
    out->memory = memory->kind;
    TRY(shape_check(out, "the array"));
    if (out->tile_count)
        return ERROR(UNIMPLEMENTED, "tiled layouts are unsupported: use a layout without tiles");
    *bytes = (uint64_t)shape_bytes(out);
    return NULL;
}

/* New memory, with its token. */
static struct error *allocate(const struct client_memory *memory, uint64_t bytes,
                              struct storage_hold *out)
{
    struct storage *storage;
    TRY(space_alloc(memory->space, bytes, &storage));
    *out = storage_first(storage);
    return NULL;
}

struct error *buffer_pending(struct client_memory *memory, const struct shape *shape,
                             struct event *ready, struct storage_hold *hold, struct buffer **out)
{
    struct shape checked;
    uint64_t bytes;
    struct storage_hold token;
    *out = NULL, *hold = (struct storage_hold){0};
    TRY(check_shape(memory, shape, &checked, &bytes));
    TRY(allocate(memory, bytes, &token));
    struct storage_hold keeper = storage_keep(token.storage);
    event_retain(ready);
    struct error *error = create_or_drop(memory, &checked, bytes, token, ready, out);
    if (error)
        storage_drop(&keeper);
    *hold = keeper;
    return error;
}

struct error *buffer_uninitialized(struct client_memory *memory, const struct shape *shape,
                                   struct buffer **out)
{
    struct shape checked;
    uint64_t bytes;
    struct storage_hold hold;
    *out = NULL;
    TRY(check_shape(memory, shape, &checked, &bytes));
    TRY(allocate(memory, bytes, &hold));
    return create_or_drop(memory, &checked, bytes, hold, event_ready(), out);
}

struct error *buffer_with_error(struct client_memory *memory, const struct shape *shape,
                                struct error *error, struct buffer **out)
{
    struct shape checked;
    uint64_t bytes;
    struct event *ready;
    *out = NULL;
    struct error *wrong = check_shape(memory, shape, &checked, &bytes);
    if (wrong) {
        error_free(error);
        return wrong;
    }
    TRY(event_create_ready(error, &ready));
    return create_or_drop(memory, &checked, bytes, (struct storage_hold){0}, ready, out);
}

struct error *buffer_from_device_memory(struct client_memory *memory, const struct shape *shape,
                                        void *data, void (*on_delete)(void *data, void *argument),
                                        void *argument, struct buffer **out)
{
    struct shape checked;
    uint64_t bytes;
    struct storage *storage;
    *out = NULL;
    TRY(check_shape(memory, shape, &checked, &bytes));
    if (!data && bytes)
        return ERROR(INVALID_ARGUMENT, "the memory is NULL, but the array has %llu bytes",
                     (unsigned long long)bytes);
    if ((uintptr_t)data % ALIGNMENT)
        return ERROR(INVALID_ARGUMENT, "the memory at %p is not aligned to %d bytes", data,
                     ALIGNMENT);
    TRY(storage_borrow(memory->space, data, bytes, NULL, NULL, &storage));
    TRY(create_or_drop(memory, &checked, bytes, storage_first(storage), event_ready(), out));
    storage->release = on_delete; /* not before nothing can fail */
    storage->argument = argument;
    return NULL;
}

struct error *buffer_bitcast(struct buffer *buffer, const struct shape *shape, struct buffer **out)
{
    struct shape checked;
    uint64_t bytes;
    struct storage_hold hold;
    struct event *ready;
    *out = NULL;
    TRY(check_shape(buffer->memory, shape, &checked, &bytes));
    if (bytes != buffer->bytes)
        return ERROR(INVALID_ARGUMENT, "a buffer of %llu bytes cannot be seen as one of %llu",
                     (unsigned long long)buffer->bytes, (unsigned long long)bytes);
    TRY(buffer_acquire(buffer, &hold, &ready));
    return create_or_drop(buffer->memory, &checked, bytes, hold, ready, out);
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
static struct error *share_host_array(struct client_memory *memory, const struct shape *shape,
                                      const void *data, struct event **done, struct buffer **out)
{
    TRY(event_create(done));
    event_retain(*done);
    struct error *error = buffer_from_device_memory(memory, shape, (void *)(uintptr_t)data,
                                                    host_array_given_back, *done, out);
    if (error) {
        event_release(*done);
        event_release(*done);
        *done = NULL;
    }
    return error;
}

/* Whether the host's elements are laid out as the buffer's shall be. */
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

/* The layout of a host array is checked only where there is one: the rest is the buffer's. */
static struct error *check_host_shape(const struct shape *host, const struct shape *buffer)
{
    if (host->dtype != buffer->dtype || !shape_same_dims(host, buffer))
        return ERROR(INVALID_ARGUMENT, "the host array has another type or shape than the buffer");
    return host->minor_to_major || host->tile_count ? shape_check(host, "the host array") : NULL;
}

static bool may_share(const struct client_memory *memory, const struct shape *shape, uint64_t bytes,
                      const struct host_array *array, enum host_semantics semantics)
{
    return semantics >= HOST_IMMUTABLE_ZERO_COPY && memory->device->device->shares_host_memory &&
           bytes >= ALIAS_BYTES && (uintptr_t)array->data % ALIGNMENT == 0 &&
           dtype_info(shape->dtype)->bits >= 8 && is_same_layout(array, shape);
}

static struct error *copy_from_host(struct client_memory *memory, const struct shape *shape,
                                    uint64_t bytes, const struct host_array *array,
                                    enum host_semantics semantics, struct event **done,
                                    struct buffer **out)
{
    struct storage_hold hold;
    TRY(allocate(memory, bytes, &hold));
    struct copy copy = {
        .request = {.from = copy_end_host(array->data, &array->shape, array->byte_strides),
                    .to = copy_end_device(memory->device->device, &hold, shape),
                    .size = bytes},
        .during_call = semantics == HOST_IMMUTABLE_ONLY_DURING_CALL};
    struct error *error = copy_start(&copy, done);
    if (error) {
        storage_drop(&hold);
        return error;
    }
    event_retain(*done);
    error = create_or_drop(memory, shape, bytes, hold, *done, out);
    if (error) { /* the copy reads the client's memory until it is complete */
        error_free(event_await(*done));
        event_release(*done);
        *done = NULL;
    }
    return error;
}

struct error *buffer_from_host(struct client_memory *memory, const struct shape *shape,
                               const struct host_array *array, enum host_semantics semantics,
                               struct event **done, struct buffer **out)
{
    struct shape checked;
    uint64_t bytes;
    *out = NULL, *done = NULL;
    TRY(check_shape(memory, shape, &checked, &bytes));
    TRY(check_host_shape(&array->shape, &checked));
    if (!array->data && bytes)
        return ERROR(INVALID_ARGUMENT, "data is NULL, but the array has %llu bytes",
                     (unsigned long long)bytes);
    if (may_share(memory, &checked, bytes, array, semantics))
        return share_host_array(memory, &checked, array->data, done, out);
    return copy_from_host(memory, &checked, bytes, array, semantics, done, out);
}

/* ---- using ----------------------------------------------------------------------------------- */
static struct error *gone(const struct buffer *buffer)
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
        return gone(buffer);
    *ready = buffer->ready;
    event_retain(*ready);
    return NULL;
}

/* Deletes the buffer; *hold gets what it had. False when it was deleted before. */
static bool take_hold(struct buffer *buffer, struct storage_hold *hold)
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
    if (!take_hold(buffer, hold))
        return gone(buffer);
    *ready = buffer->ready;
    event_retain(*ready);
    return NULL;
}

void buffer_take_back(struct buffer *buffer, struct storage_hold hold)
{
    fork_lock_take(fork_lock_of(buffer));
    buffer->hold = hold;
    atomic_store_explicit(&buffer->deleted, false, memory_order_release);
    fork_lock_release(fork_lock_of(buffer));
}

void buffer_delete(struct buffer *buffer)
{
    struct storage_hold hold;
    take_hold(buffer, &hold);
    storage_drop(&hold); /* may call the client's on_delete: not under the lock */
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
    return deleted ? gone(buffer) : NULL;
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
                : ERROR(FAILED_PRECONDITION, "the buffer has no external reference to give back");
}

struct error *buffer_address(struct buffer *buffer, void **out)
{
    fork_lock_take(fork_lock_of(buffer));
    const struct storage *storage = buffer->external ? buffer->seen.storage : buffer->hold.storage;
    *out = storage ? storage->address : NULL;
    fork_lock_release(fork_lock_of(buffer));
    return storage ? NULL : gone(buffer);
}

struct error *buffer_pointer(struct buffer *buffer, void **out)
{
    *out = NULL;
    TRY(event_await(buffer->ready));
    return buffer_address(buffer, out);
}

/* ---- to the host and to other memories ------------------------------------------------------- */
/* Copies out of the buffer when it is ready; `copy` lacks what the buffer knows. */
static struct error *copy_from(struct buffer *buffer, struct copy *copy, struct event **done)
{
    struct event *ready;
    *done = NULL;
    TRY(buffer_acquire(buffer, &copy->hold, &ready));
    copy->request.from.device = buffer->memory->device->device;
    copy->request.from.storage = copy->hold.storage;
    copy->ready = ready;
    struct error *error = copy_start(copy, done);
    event_release(ready);
    return error;
}

struct error *buffer_to_host(struct buffer *buffer, const struct shape *shape, void *destination,
                             uint64_t size, struct event **done)
{
    struct shape row_major = buffer->shape;
    row_major.minor_to_major = NULL;
    uint64_t bytes = buffer->bytes;
    *done = NULL;
    if (shape)
        TRY(check_host_shape(shape, &buffer->shape));
    if (size < bytes)
        return ERROR(INVALID_ARGUMENT, "the destination has %llu bytes, the buffer %llu",
                     (unsigned long long)size, (unsigned long long)bytes);
    if (!destination && bytes)
        return ERROR(INVALID_ARGUMENT, "the destination is NULL, but the buffer has %llu bytes",
                     (unsigned long long)bytes);
    struct copy copy = {
        .request = {.from = {.shape = &buffer->shape},
                    .to = copy_end_host(destination, shape ? shape : &row_major, NULL),
                    .size = bytes}};
    return copy_from(buffer, &copy, done);
}

struct error *buffer_raw_to_host(struct buffer *buffer, void *destination, uint64_t offset,
                                 uint64_t size, struct event **done)
{
    *done = NULL;
    if (offset > buffer->bytes || size > buffer->bytes - offset)
        return ERROR(INVALID_ARGUMENT, "%llu bytes from byte %llu leave the buffer of %llu bytes",
                     (unsigned long long)size, (unsigned long long)offset,
                     (unsigned long long)buffer->bytes);
    if (!destination && size)
        return ERROR(INVALID_ARGUMENT, "the destination of %llu bytes is NULL",
                     (unsigned long long)size);
    struct copy copy = {.request = {.from = {.offset = offset},
                                    .to = copy_end_host(destination, NULL, NULL),
                                    .size = size}};
    return copy_from(buffer, &copy, done);
}

struct error *buffer_copy_to_memory(struct buffer *buffer, struct client_memory *memory,
                                    struct buffer **out)
{
    struct storage_hold hold;
    struct event *done;
    *out = NULL;
    if (memory->client != buffer->memory->client)
        return ERROR(INVALID_ARGUMENT, "%s belongs to another client than the buffer",
                     memory->text);
    TRY(allocate(memory, buffer->bytes, &hold));
    struct copy copy = {.request = {.to = copy_end_device(memory->device->device, &hold, NULL),
                                    .size = buffer->bytes}};
    struct error *error = copy_from(buffer, &copy, &done);
    if (!error)
        return create_or_drop(memory, &buffer->shape, buffer->bytes, hold, done, out);
    storage_drop(&hold);
    return error;
}

/* ---- facts ----------------------------------------------------------------------------------- */
const struct shape *buffer_shape(const struct buffer *buffer)
{
    return &buffer->shape;
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

bool buffer_is_on_host(const struct buffer *buffer)
{
    return buffer->memory->device->device->ops->address != NULL;
}
