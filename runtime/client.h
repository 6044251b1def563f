/* client.h: a client owns devices and creates buffers and executables. These retain it, so that
 * they may be destroyed after the client (as Go finalizers do). Thread-safe. */
#ifndef GANTRY_RUNTIME_CLIENT_H
#define GANTRY_RUNTIME_CLIENT_H

#include "base/activity.h"
#include "base/refs.h"
#include "devices/device.h"
#include "runtime/key_value_store.h"
#include "runtime/mapped.h"
#include "runtime/user_data.h"

struct client_memory { /* PJRT_Memory: one memory kind of one device */
    PJRT_Memory base;  /* for clients that attach objects to it */
    struct user_data user_data;
    struct client *client;
    struct client_device *device;
    struct space *space; /* borrowed from the device */
    enum memory_kind kind;
    int id, kind_id;
    const char *text, *debug_text; /* owned by the client */
};

/* Bytes of an array in the accounting of a memory: those of its elements, or the device's figure
 * (device_ops.array_bytes). The shape is valid (shape_check); its own memory kind is not read. */
uint64_t client_memory_bytes(const struct client_memory *memory, const struct shape *shape);
/* Allocates `bytes` of memory for an array, which count as that; otherwise like
 * space_alloc_labeled(). */
struct error *client_memory_alloc(const struct client_memory *memory, const struct shape *shape,
                                  uint64_t bytes, const struct label *label, struct storage **out);
/* The same without the bytes: otherwise like space_alloc_deferred(). */
struct error *client_memory_reserve(const struct client_memory *memory, const struct shape *shape,
                                    uint64_t bytes, const struct label *label,
                                    struct storage **out);

struct client_device { /* PJRT_Device and PJRT_DeviceDescription */
    struct client *client;
    struct device *device;            /* owned */
    struct client_memory memories[3]; /* [0] is the default */
    struct client_memory *memory_list[3];
    int memory_count;            /* 0 of a device in another process, which is not addressable */
    struct execute_queue *queue; /* execute_queue.h; NULL in another process */
    PJRT_NamedValue *attributes; /* device->attributes in the ABI's form; owned by the client */
    struct activity activity;    /* its current work; only while metrics_watched() */
};

struct topology { /* PJRT_TopologyDescription; part of a client, or created separately */
    const struct device_library *library;
    int device_count;
    struct client_device **devices;
    struct client *client; /* the client that contains it */
    bool is_standalone;    /* the client exists only for the topology and is released with it */
    bool is_part;          /* made as a part of another one (plugin/ext_tpu_topology.h) */
};

struct client {
    struct refs refs;
    const struct device_library *library;     /* static */
    const char *platform_name;                /* owned */
    const char *platform_version;             /* borrowed from the devices, or static */
    const char *topology_name;                /* of the devices; borrowed, may be NULL */
    uint64_t memory_limit[MEMORY_KIND_COUNT]; /* as requested; bytes, 0: none */
    int process_index, process_count;
    int device_count;
    struct client_device **devices; /* of all processes, those of a process one after the other */
    int local_count;
    struct client_device **local_devices; /* a part of `devices`: those in this process */
    /* Of several processes (devices/host/net/network.h, cross_host.h); else NULL. */
    struct network *network;
    struct cross_host *cross_host;
    int memory_count;
    struct client_memory **memories;
    int kind_ids[MEMORY_KIND_COUNT]; /* of the memories of a local device, the default one first */
    int kind_count;
    struct topology topology;
    struct gangs *gangs;      /* executions on several devices that lack some (gang.h) */
    struct mapped mapped;     /* host memory registered for direct transfers */
    atomic_bool closed;       /* set by client_close() */
    struct client *next_open; /* clients.h */
};

/* Whether programs and buffers can be on the device: it is in this process. */
static inline bool client_device_is_local(const struct client_device *device)
{
    return device->queue != NULL;
}

/* INVALID_ARGUMENT unless it is. */
struct error *client_check_local(const struct client_device *device);

/* Where a client is one of several processes. */
struct client_job {
    const struct key_value_store *store; /* borrowed during client_create_in_job() */
    struct device_job in;
};

struct error *client_create(const struct device_library *library,
                            const struct device_options *options,
                            struct client **out); /* owned: client_release */
/* A client with the devices of all processes; waits for their clients (topology_exchange.h).
 * UNIMPLEMENTED for a library without has_processes. */
struct error *client_create_in_job(const struct device_library *library,
                                   const struct device_options *options,
                                   const struct client_job *job, struct client **out);
void client_retain(struct client *client);
void client_release(struct client *client);
/* For PJRT_Client_Destroy: buffers that the client has not filled become errors (CANCELLED), as do
 * executions that wait for them. Unbounded programs are stopped; others complete. Waits for all of
 * these, then releases the client. */
void client_close(struct client *client);
/* *out is borrowed from the client, and may be in another process. INVALID_ARGUMENT reports the
 * requested id and the existing ones. */
struct error *client_lookup_device(struct client *client, int id, struct client_device **out);
/* Among the devices of this process. */
struct error *client_lookup_local_device(struct client *client, int local_ordinal,
                                         struct client_device **out);
/* Writes the device ids for a program of replicas x partitions, row-major, to ids[capacity]: this
 * process's devices if they suffice, otherwise those of all processes.
 * INVALID_ARGUMENT when there are fewer devices, or the capacity is too small. */
struct error *client_default_assignment(struct client *client, int replicas, int partitions,
                                        size_t capacity, int *ids);
/* The devices without a client, for ahead-of-time compilation: a topology with a private client. */
struct error *client_create_topology(const struct device_library *library,
                                     const struct device_options *options, struct topology **out);
/* Destroys a topology of client_create_topology. INVALID_ARGUMENT for a topology that is part of a
 * client, since it is released with that. */
struct error *client_destroy_topology(struct topology *topology);
/* "gantry 0.1.0 build abc123 llvm 19.1.4 cpu 1f2e..": static. */
const char *client_platform_version(void);

#endif
