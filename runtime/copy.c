/* copy.c: see copy.h. A copy that completes before copy_start() returns allocates nothing. */
#include "runtime/copy.h"

#include <string.h>

#include "base/alloc.h"
#include "runtime/array_layout.h"
#include "runtime/metrics.h"

struct pending { /* an asynchronous copy */
    struct copy copy;
    struct storage_hold written; /* to keep */
    struct event *done;          /* retained */
    struct shape from_shape, to_shape;
    void *from_arrays, *to_arrays; /* owned; the arrays of the shapes */
    int64_t from_strides[SHAPE_MAX_RANK], to_strides[SHAPE_MAX_RANK];
};

struct copy_end copy_end_device(struct device *device, const struct storage_hold *hold,
                                const struct shape *shape)
{
    return (struct copy_end){.device = device, .storage = hold->storage, .shape = shape};
}

struct copy_end copy_end_host(const void *data, const struct shape *shape,
                              const int64_t *byte_strides)
{
    return (struct copy_end){
        .host = (void *)(uintptr_t)data, .shape = shape, .byte_strides = byte_strides};
}

static struct device *device_of(const struct copy *copy)
{
    const struct device_copy *request = &copy->request;
    return request->to.device ? request->to.device : request->from.device;
}

/* ---- asynchronous copies --------------------------------------------------------------------- */
static void pending_free(struct pending *pending)
{
    storage_drop(&pending->copy.hold);
    storage_drop(&pending->written);
    event_release(pending->done);
    alloc_free(pending->from_arrays);
    alloc_free(pending->to_arrays);
    struct client *client = pending->copy.client;
    alloc_free(pending);
    client_release(client);
}

static void finish(struct error *error, void *context)
{
    struct pending *pending = context;
    storage_drop(&pending->copy.hold); /* before the event, whose followers may write in place */
    storage_drop(&pending->written);
    if (pending->copy.completed)
        pending->copy.completed(error, pending->copy.context);
    error_free(event_set(pending->done, error));
    pending_free(pending);
}

static void begin(struct error *error, void *context)
{
    struct pending *pending = context;
    struct device *device = device_of(&pending->copy);
    if (!error)
        error = device->ops->copy(device, &pending->copy.request);
    if (error)
        finish(error, pending);
}

/* Replaces an end's shape and strides with copies. */
static struct error *own_end(struct copy_end *end, struct shape *shape, void **arrays,
                             int64_t *strides)
{
    if (!end->shape)
        return NULL;
    TRY(shape_clone(end->shape, shape, arrays));
    if (end->byte_strides && shape->rank) {
        memcpy(strides, end->byte_strides, (size_t)shape->rank * sizeof *strides);
        end->byte_strides = strides;
    }
    end->shape = shape;
    return NULL;
}

static struct error *pending_create(const struct copy *copy, struct pending **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    struct pending *pending = *out;
    pending->copy = *copy;
    client_retain(copy->client);
    pending->copy.request.done = finish;
    pending->copy.request.context = pending;
    pending->written = storage_keep(copy->request.to.storage);
    TRY(event_create_by_thread(&pending->done));
    TRY(own_end(&pending->copy.request.from, &pending->from_shape, &pending->from_arrays,
                pending->from_strides));
    return own_end(&pending->copy.request.to, &pending->to_shape, &pending->to_arrays,
                   pending->to_strides);
}

static struct error *start_pending(struct copy *copy, struct event **done)
{
    struct pending *pending = NULL;
    struct error *error = pending_create(copy, &pending);
    if (error) {
        if (pending)
            pending_free(pending);
        else
            storage_drop(&copy->hold);
        return error;
    }
    *done = pending->done;
    event_retain(*done);
    if (copy->ready)
        error = event_follow(copy->ready, begin, pending, pending->done);
    else
        begin(NULL, pending);
    if (error) /* registering the callback failed */
        finish(error, pending);
    return NULL;
}

static bool is_immediate(const struct copy *copy)
{
    return copy->during_call || copy->request.size <= device_of(copy)->immediate_copy_bytes;
}

/* Replaces the shape of an end on a device by that of the bytes in its memory. */
static void set_stored(struct copy_end *end, struct shape *stored)
{
    if (!end->device || !end->shape)
        return;
    *stored = array_layout_stored(end->device, end->shape);
    end->shape = stored;
}

static void count(const struct device_copy *request)
{
    bool from_host = !request->from.device, to_host = !request->to.device;
    metrics_add(from_host ? METRIC_uploads : to_host ? METRIC_downloads : METRIC_device_copies, 1);
    metrics_add(from_host ? METRIC_uploaded_bytes
                : to_host ? METRIC_downloaded_bytes
                          : METRIC_device_copied_bytes,
                request->size);
}

struct error *copy_start(struct copy *copy, struct event **done)
{
    struct shape from, to;
    struct device *device = device_of(copy);
    *done = NULL;
    count(&copy->request);
    set_stored(&copy->request.from, &from);
    set_stored(&copy->request.to, &to);
    if ((copy->ready && !event_is_good(copy->ready)) || !is_immediate(copy))
        return start_pending(copy, done);
    struct error *error = device->ops->copy(device, &copy->request);
    storage_drop(&copy->hold);
    if (error)
        return error;
    if (copy->completed)
        copy->completed(NULL, copy->context);
    *done = event_ready();
    return NULL;
}
