/* cpu_library.c: see cpu_library.h. */
#include "devices/cpu/cpu_library.h"

#include "devices/host/device_host.h"
#include "version.h"

static const struct device_host_model model = {
    .name = "cpu",
    .kind = "cpu",
    .short_name = "CPU",
    .text_format = "CpuDevice(id=%d)",
    .debug_format = "cpu:%d",
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
