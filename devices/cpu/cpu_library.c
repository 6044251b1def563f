/* cpu_library.c: see cpu_library.h. */
#include "devices/cpu/cpu_library.h"

#include "devices/host/device_host.h"
#include "version.h"

/* The platform's name and the kind are what JAX compares (it has rules for "cpu"); the texts are
 * only shown, by jax.devices() and in messages. */
static const struct device_host_model model = {
    .name = "cpu",
    .kind = "cpu",
    .short_name = "CPU",
    .text_format = "GantryCpuDevice(id=%d)",
    .debug_format = "gantry_cpu:%d",
};

static struct error *create(const struct device_options *options, int *count,
                            struct device ***devices)
{
    if (options->topology && *options->topology)
        return ERROR(INVALID_ARGUMENT, "topology '%s': unsupported by CPU devices",
                     options->topology);
    return device_host_create(&model, options, count, devices);
}

static const struct device_library library = {
    .name = "cpu", .platform_name = "cpu", .is_host = true, .create = create};

const char *cpu_build(void)
{
    return GANTRY_BUILD_ID;
}

const struct device_library *cpu_library(void)
{
    return &library;
}
