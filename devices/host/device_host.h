/* device_host.h: devices whose programs run on the host's cores: the CPU itself and models of other
 * devices. A description holds all differences between them. */
#ifndef GANTRY_DEVICES_HOST_DEVICE_HOST_H
#define GANTRY_DEVICES_HOST_DEVICE_HOST_H

#include "devices/device.h"

struct device_host_model {   /* static */
    const char *name;        /* of the target: "cpu", "tpu" */
    const char *kind;        /* "cpu", "TPU v5 lite" */
    const char *short_name;  /* "CPU", "TPU": in debug texts and names of memories */
    const char *text_format; /* of ToString, with one %d: the id */
    const char *debug_format;
    uint64_t memory_bytes; /* of the device memory; 0: host memory, up to hostmem_limit() */
    /* device memory has its own address range, so fragmentation is modeled */
    bool modeled;
    int attribute_count;
    const struct attribute *attributes;
};

/* Describes the host's cores as a compilation target, with the name of a device. */
void device_host_target(const char *name, uint64_t memory_bytes, struct target *out);

/* Creates the device's memory spaces on the nodes of device->placement, each of limits[kind] bytes
 * (0: as much as the host has). All spaces share host memory, except a device memory with a limit.
 * On error, device->spaces holds the spaces created so far. `backing`: as in space_options. */
struct error *device_host_add_spaces(struct device *device, const char *short_name,
                                     const uint64_t limits[MEMORY_KIND_COUNT], bool modeled,
                                     const struct space_backing *backing);

/* Like device_library.create; options may be NULL. */
struct error *device_host_create(const struct device_host_model *model,
                                 const struct device_options *options, int *count,
                                 struct device ***devices);

#endif
