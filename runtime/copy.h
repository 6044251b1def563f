/* copy.h: copies between the memory of buffers and host memory. A copy waits until its source is
 * ready and has holds on the storages of both ends until it completes. The device performs it
 * (device_ops.copy), on the caller's thread if it is short, else on another one. Thread-safe. */
#ifndef GANTRY_RUNTIME_COPY_H
#define GANTRY_RUNTIME_COPY_H

#include "memory/storage.h"
#include "runtime/client.h"
#include "runtime/event.h"

struct copy {
    struct device_copy request; /* shapes and strides are borrowed for the call */
    struct client *client;      /* of the devices; borrowed, retained by a copy in progress */
    struct storage_hold hold;   /* read hold on the source; moved, also on an error */
    struct event *ready;        /* of the source; borrowed. NULL: it is ready */
    /* the host memory is valid only during the call, so copy_start() completes the copy */
    bool during_call;
    /* (optional) Called once, when the copy has completed or failed and before *done is ready, but
     * not when copy_start() returns an error. The error is borrowed; NULL: success. */
    void (*completed)(const struct error *error, void *context);
    void *context;
};

/* Starts the copy, which keeps the destination's storage allocated. *done (owned) becomes ready
 * when the copy is complete, or with the error of `ready`. An error that is known at once is
 * returned, and *done is NULL. */
struct error *copy_start(struct copy *copy, struct event **done);

/* One end of a copy: the storage of a hold on a device, or host memory. `shape` is that of the
 * buffer. */
struct copy_end copy_end_device(struct device *device, const struct storage_hold *hold,
                                const struct shape *shape);
struct copy_end copy_end_host(const void *data, const struct shape *shape,
                              const int64_t *byte_strides);

#endif
