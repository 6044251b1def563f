/* device_host.h: devices whose programs run on the host's cores: the CPU itself and models of other
 * devices. A description holds all differences between them. */
#ifndef GANTRY_DEVICES_HOST_DEVICE_HOST_H
#define GANTRY_DEVICES_HOST_DEVICE_HOST_H

#include "devices/device.h"

enum { DEVICE_HOST_ATTRIBUTES = 5 };

struct device_host_identity { /* what differs between the devices of a client */
    int id, process_index;
    char text[96], debug_text[96]; /* ToString and DebugString */
    char version[96];              /* "": the client's own */
    char topology[160];            /* "": none */
    struct device_grid grid;       /* slices 0: none */
    int64_t coords[3], core_on_chip;
    int attribute_count;
    struct attribute attributes[DEVICE_HOST_ATTRIBUTES];
};

struct device_host_model {  /* its texts are static, the struct is used during creation only */
    const char *name;       /* of the target: "cpu", "tpu" */
    const char *kind;       /* "cpu", "TPU v5 lite" */
    const char *short_name; /* "CPU", "TPU": in names of memories */
    /* Describes device `index`. *out is zeroed, and where the device keeps it. */
    void (*describe)(const struct device_host_model *model, int index,
                     struct device_host_identity *out);
    uint64_t memory_bytes; /* of the device memory; 0: host memory, up to hostmem_limit() */
    /* device memory has its own address range, so fragmentation is modeled, and clients see it as
     * not the host's */
    bool modeled;
    int max_devices;
    enum numerics numerics;                /* of the target, */
    bool excess_precision;                 /* and this */
    const struct accelerator *accelerator; /* of the target; static; may be NULL */
};

/* Describes the host's cores as a compilation target, with the name of a device. */
void device_host_target(const char *name, uint64_t memory_bytes, struct target *out);

/* Creates the device's memory spaces on the nodes of device->placement, each of limits[kind] bytes
 * (0: as much as the host has). All spaces share host memory, except a device memory with a limit.
 * On error, device->spaces holds the spaces created so far. `backing`: as in space_options. */
struct error *device_host_add_spaces(struct device *device, const char *short_name,
                                     const uint64_t limits[MEMORY_KIND_COUNT], bool modeled,
                                     const struct space_backing *backing);

/* Like device_library.create, with options->device_count devices (default: 1); options may be
 * NULL. */
struct error *device_host_create(const struct device_host_model *model,
                                 const struct device_options *options, int *count,
                                 struct device ***devices);

#endif
