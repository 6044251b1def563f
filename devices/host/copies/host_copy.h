/* host_copy.h: implements device_ops.copy for devices whose memory the host can access, directly or
 * by transfers of byte ranges. Layouts are converted on the host's cores, directly if the host can
 * address the memory, else in a staging buffer. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_COPIES_HOST_COPY_H
#define GANTRY_DEVICES_HOST_COPIES_HOST_COPY_H

#include "devices/device.h"

/* A value for device.immediate_copy_bytes: smaller copies take about as long as handing them to
 * another thread. */
enum { HOST_COPY_IMMEDIATE_BYTES = 8 << 20 };

/* Accesses device memory that the host cannot address. Each method transfers `size` bytes at
 * `offset` of the storage, and returns when the transfer is complete. */
struct host_copy_access {
    struct error *(*read)(const struct storage *storage, uint64_t offset, void *to, uint64_t size);
    struct error *(*write)(const struct storage *storage, uint64_t offset, const void *from,
                           uint64_t size);
};

/* Like device_ops.copy. `access` (static) transfers to and from device memory; NULL if the host can
 * use storage addresses. Copies with `done` run on a thread of the pool. Tiled layouts are
 * UNIMPLEMENTED. */
struct error *host_copy(const struct device_copy *copy, const struct host_copy_access *access);

#endif
