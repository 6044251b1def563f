/* cpu_library.c: see cpu_library.h. */
#include "devices/cpu/cpu_library.h"

#include <stdio.h>

#include "devices/host/device_host.h"
#include "version.h"

static void describe(const struct device_host_model *model, int index,
                     struct device_host_identity *out)
{
    (void)model;
    out->id = index;
    snprintf(out->text, sizeof out->text, "GantryCpuDevice(id=%d)", index);
    snprintf(out->debug_text, sizeof out->debug_text, "gantry_cpu:%d", index);
}

/* The platform's name and the kind are what JAX compares (it has rules for "cpu"); the texts are
 * only shown, by jax.devices() and in messages. */
static const struct device_host_model model = {
    .name = "cpu",
    .kind = "cpu",
    .short_name = "CPU",
    .describe = describe,
    .max_devices = 1024,
};

static struct error *create(const struct device_options *options, int *count,
                            struct device ***devices)
{
    if (options->topology && *options->topology)
        return ERROR(INVALID_ARGUMENT, "topology '%s': unsupported by CPU devices",
                     options->topology);
    return device_host_create(&model, options, count, devices);
}

static const struct device_library library = {.name = "cpu",
                                              .platform_name = "cpu",
                                              .is_host = true,
                                              .has_processes = true,
                                              .create = create};

const char *cpu_build(void)
{
    return GANTRY_BUILD_ID;
}

const struct device_library *cpu_library(void)
{
    return &library;
}
