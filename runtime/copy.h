/* copy.h: copies between the memory of buffers and the host's. A copy waits until what it reads is
 * ready, holds the storages of both ends meanwhile, and has the device do it (device_ops.copy): on
 * the caller's thread when it is short, else on another one. Thread-safe. */
#ifndef GANTRY_RUNTIME_COPY_H
#define GANTRY_RUNTIME_COPY_H

#include "devices/device.h"
#include "memory/storage.h"
#include "runtime/event.h"

struct copy {
    struct device_copy request; /* what shapes and strides point to is borrowed for the call */
    struct storage_hold hold;   /* of what is read, to read; moved, also on an error */
    struct event *ready;        /* of what is read; borrowed. NULL: it is ready */
    /* the host memory is valid during the call only, so the copy is complete after it */
    bool during_call;
};

/* Keeps the storage that is written. *done (owned) becomes ready when the copy is complete, or with
 * the error of `ready`. An error that is known at once is returned, and *done is NULL. */
struct error *copy_start(struct copy *copy, struct event **done);

/* The end of a copy that is the storage of a hold on a device, or host memory. */
struct copy_end copy_end_device(struct device *device, const struct storage_hold *hold,
                                const struct shape *shape);
struct copy_end copy_end_host(const void *data, const struct shape *shape,
                              const int64_t *byte_strides);

#endif
