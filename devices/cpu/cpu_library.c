/* cpu_library.c: see cpu_library.h. */
#include "devices/cpu/cpu_library.h"

#include <pthread.h>

#include "devices/host/device_host.h"
#include "version.h"

static const struct device_host_model model = {
    .kind = "cpu",
    .short_name = "CPU",
    .text_format = "CpuDevice(id=%d)",
    .debug_format = "cpu:%d",
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct target target;

static void fill_target(void)
{
    device_host_target("cpu", 0, &target);
}

static struct error *create(const struct device_options *options, int *count,
                            struct device ***devices)
{
    if (options->topology && *options->topology)
        return ERROR(INVALID_ARGUMENT, "topology '%s': the host's cores have none",
                     options->topology);
    pthread_once(&once, fill_target);
    return device_host_create(&model, &target, options, count, devices);
}

static const struct device_library library = {
    .name = "cpu", .platform_name = "cpu", .create = create};

const char *cpu_build(void)
{
    return GANTRY_BUILD_ID;
}

const struct device_library *cpu_library(void)
{
    return &library;
}
