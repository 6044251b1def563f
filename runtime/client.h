/* client.h: a client owns devices, hands out buffers and executables, and outlives them by
 * reference count: buffers and executables may be destroyed after the client (Go finalizers do).
 * Thread-safe. */
#ifndef GANTRY_RUNTIME_CLIENT_H
#define GANTRY_RUNTIME_CLIENT_H

#include "base/refs.h"
#include "devices/device.h"
#include "runtime/mapped.h"

struct client_memory { /* PJRT_Memory: one memory kind of one device */
    struct client *client;
    struct client_device *device;
    struct space *space; /* borrowed from the device */
    enum memory_kind kind;
    int id, kind_id;
    const char *text, *debug_text; /* owned by the client */
};

struct client_device { /* PJRT_Device and PJRT_DeviceDescription */
    struct client *client;
    struct device *device;            /* owned */
    struct client_memory memories[3]; /* [0] is the default */
    struct client_memory *memory_list[3];
    struct execute_queue *queue; /* execute_queue.h: programs run in order of submission */
    PJRT_NamedValue *attributes; /* device->attributes in the ABI's shape; owned by the client */
};

struct topology { /* PJRT_TopologyDescription; part of the client or created alone */
    const struct device_library *library;
    int device_count;
    struct client_device **devices;
    struct client *client; /* that it is part of */
    bool alone;            /* the client is there for the topology only, and goes with it */
};

struct client {
    struct refs refs;
    const struct device_library *library;         /* static */
    const char *platform_name, *platform_version; /* owned */
    char *topology_name;                          /* as asked for; owned, may be NULL */
    uint64_t memory_limit;                        /* as asked for; bytes, 0: none */
    int process_index;
    int device_count;
    struct client_device **devices; /* also the addressable ones */
    int memory_count;
    struct client_memory **memories;
    struct topology topology;
    struct mapped mapped; /* host memory made known for direct transfers */
    atomic_bool closed;   /* by client_close() */
};

struct error *client_create(const struct device_library *library,
                            const struct device_options *options,
                            struct client **out); /* owned: client_release */
void client_retain(struct client *client);
void client_release(struct client *client);
/* What a client's destroying means: buffers that the client has not filled become errors
 * (CANCELLED), and so do executions that wait for them; unbounded programs are stopped; others run
 * to their end. Waits for all of these, then releases. */
void client_close(struct client *client);
/* Borrowed from the client, or INVALID_ARGUMENT with the id asked for and the ids there are. */
struct error *client_lookup_device(struct client *client, int id, struct client_device **out);
struct error *client_lookup_local_device(struct client *client, int local_ordinal,
                                         struct client_device **out);
/* Device ids for a program of replicas x partitions, row-major, into ids[capacity];
 * INVALID_ARGUMENT when there are fewer devices, or the capacity is less. */
struct error *client_default_assignment(struct client *client, int replicas, int partitions,
                                        size_t capacity, int *ids);
/* The devices alone, for compiling ahead: a topology with a client of its own. */
struct error *client_create_topology(const struct device_library *library,
                                     const struct device_options *options, struct topology **out);
/* Drops a topology of client_create_topology; those that belong to a client go with it
 * (INVALID_ARGUMENT). */
struct error *client_destroy_topology(struct topology *topology);
/* "gantry 0.1.0 build abc123 llvm 19.1.4 cpu 1f2e..": static. */
const char *client_platform_version(void);

#endif
