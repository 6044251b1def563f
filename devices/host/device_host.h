/* device_host.h: devices whose values the host's cores compute: the CPU itself, and models of
 * others. What differs between them is a description. */
#ifndef GANTRY_DEVICES_HOST_DEVICE_HOST_H
#define GANTRY_DEVICES_HOST_DEVICE_HOST_H

#include "devices/device.h"

struct device_host_model {   /* static */
    const char *name;        /* of the target: "cpu", "tpu" */
    const char *kind;        /* "cpu", "TPU v5 lite" */
    const char *short_name;  /* "CPU", "TPU": in debug texts and names of memories */
    const char *text_format; /* of ToString, with one %d: the id */
    const char *debug_format;
    uint64_t memory_bytes; /* of the device memory; 0: the host's, up to hostmem_limit() */
    bool modelled;         /* an address range of its own, so that fragmentation counts */
    int attribute_count;
    const struct attribute *attributes;
};

/* Target of the host's cores under a device's name. */
void device_host_target(const char *name, uint64_t memory_bytes, struct target *out);

/* Gives the device its memories, spaces[0] of `capacity` bytes (0: the host's memory). On an error
 * those that were made are in device->spaces. `backing`: as in space_options. */
struct error *device_host_add_spaces(struct device *device, const char *short_name,
                                     uint64_t capacity, bool modelled,
                                     const struct space_backing *backing);

/* As device_library.create; options may be NULL. */
struct error *device_host_create(const struct device_host_model *model,
                                 const struct device_options *options, int *count,
                                 struct device ***devices);

#endif
