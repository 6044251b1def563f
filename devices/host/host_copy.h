/* host_copy.h: device_ops.copy for devices whose memory the host can read and write, directly or by
 * ranges of bytes. Layouts are converted here, by the host's cores: in place where the host
 * addresses the memory, else in a staging block. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_HOST_COPY_H
#define GANTRY_DEVICES_HOST_HOST_COPY_H

#include "devices/device.h"

/* Copies below this take about as long as handing them to another thread: for
 * device.immediate_copy_bytes. */
enum { HOST_COPY_IMMEDIATE_BYTES = 8 << 20 };

/* How to reach the memory of a device that the host does not address: each moves `size` bytes from
 * `offset` of the storage, and returns when that is done. */
struct host_copy_access {
    struct error *(*read)(const struct storage *storage, uint64_t offset, void *to, uint64_t size);
    struct error *(*write)(const struct storage *storage, uint64_t offset, const void *from,
                           uint64_t size);
};

/* As device_ops.copy. `access` (static) reaches the device's memory; NULL where a storage's address
 * is the host's, too. Copies with `done` run on a thread of the pool. Layouts with tiles are
 * UNIMPLEMENTED. */
struct error *host_copy(const struct device_copy *copy, const struct host_copy_access *access);

#endif
