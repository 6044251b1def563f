/* client.h: a client owns devices, hands out buffers and executables, and outlives them by reference count:
 * buffers and executables may be destroyed after the client (Go finalizers do). Thread-safe. */
#ifndef GANTRY_RUNTIME_CLIENT_H
#define GANTRY_RUNTIME_CLIENT_H

#include "base/refs.h"
#include "devices/device.h"

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
    struct device *device; /* owned */
    struct client_memory memories[3]; /* [0] is the default */
    struct client_memory *memory_list[3];
    struct execute_queue *queue; /* execute.h: programs run in order of submission */
};

struct topology { /* PJRT_TopologyDescription; part of the client or created alone */
    const struct device_library *library;
    int device_count;
    struct client_device **devices;
    struct client *owner; /* of a topology created alone: its private client, else NULL */
};

struct client {
    struct refs refs;
    const struct device_library *library; /* static */
    const char *platform_name, *platform_version; /* owned */
    int process_index;
    int device_count;
    struct client_device **devices; /* also the addressable ones */
    int memory_count;
    struct client_memory **memories;
    struct topology topology;
};

struct error *client_create(const struct device_library *library, const struct device_options *options,
                            struct client **out); /* owned: client_release */
void client_retain(struct client *client);
void client_release(struct client *client);
/* Borrowed from the client, or INVALID_ARGUMENT with the id asked for and the ids there are. */
struct error *client_lookup_device(struct client *client, int id, struct client_device **out);
/* "gantry 0.1.0 build abc123 llvm 19.1.4 cpu 1f2e..": static. */
const char *client_platform_version(void);

#endif
