/* cross_host.h: buffers that go from a device of one process of a job to a device of another one.
 * Sender and receiver give the same key, which identifies the transfer between the two devices.
 *
 * One thread of the client runs all transfers while there are any; they do not wait for each other.
 * Arrays go through host memory. Errors are those of executions (devices/host/net/network.h): the
 * other process ended or did not take part in time (UNAVAILABLE), or its array has another type or
 * other dimensions (FAILED_PRECONDITION). Two transfers with one key at the same time:
 * ALREADY_EXISTS. Thread-safe. */
#ifndef GANTRY_RUNTIME_CROSS_HOST_H
#define GANTRY_RUNTIME_CROSS_HOST_H

#include "runtime/buffer.h"

struct cross_host; /* the transfers of a client */

struct error *cross_host_create(struct client *client /* borrowed */, struct cross_host **out);
void cross_host_destroy(struct cross_host *transfers); /* accepts NULL; none is in progress */
/* Waits for the transfers whose contents are known, or are to be received; accepts NULL. Those that
 * have not ended at the deadline (clock_now()) become errors (CANCELLED). */
void cross_host_finish(struct cross_host *transfers, int64_t deadline);

/* Sends the buffer, when it is ready, to the device with that id. *done (owned) becomes ready when
 * the receiver has begun and the data is on its way to it. INVALID_ARGUMENT for a device that does
 * not exist or is in this process. */
struct error *cross_host_send(struct buffer *buffer, int device, int64_t key, struct event **done);
/* *out (owned) becomes ready when the array has come from the device with that id. */
struct error *cross_host_receive(struct client_memory *memory, const struct shape *shape,
                                 int device, int64_t key, struct buffer **out);

#endif
