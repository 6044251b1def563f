/* device_host.h: devices whose values the host's cores compute: the CPU itself, and models of
 * others. What differs between them is a description. */
#ifndef GANTRY_DEVICES_HOST_DEVICE_HOST_H
#define GANTRY_DEVICES_HOST_DEVICE_HOST_H

#include "devices/device.h"

struct device_host_model {   /* static */
    const char *kind;        /* "cpu", "TPU v5 lite" */
    const char *short_name;  /* "CPU", "TPU": in debug texts and names of memories */
    const char *text_format; /* of ToString, with one %d: the id */
    const char *debug_format;
    uint64_t memory_bytes; /* of the device memory; 0: the host's */
    bool modelled;         /* an address range of its own, so that fragmentation counts */
    int attribute_count;
    const struct attribute *attributes;
};

/* Target of the host's cores under a device's name; static parts are filled by the caller's
 * model. */
void device_host_target(const char *name, uint64_t memory_bytes, struct target *out);

/* As device_library.create. `target` is static. */
struct error *device_host_create(const struct device_host_model *model, const struct target *target,
                                 const struct device_options *options, int *count,
                                 struct device ***devices);

#endif
