/* tpu_library.c: see tpu_library.h. */
#include "devices/tpu/tpu_library.h"

#include <string.h>

#include "devices/host/device_host.h"
#include "version.h"

#define HBM_BYTES (16ULL << 30)

static const int64_t coords[] = {0, 0, 0};
static const struct attribute attributes[] = {
    {.name = "coords", .kind = ATTRIBUTE_INTS, .integers = coords, .count = 3},
    {.name = "core_on_chip", .kind = ATTRIBUTE_INT, .integer = 0},
    {.name = "num_cores", .kind = ATTRIBUTE_INT, .integer = 1},
    {.name = "slice_index", .kind = ATTRIBUTE_INT, .integer = 0},
};

static const struct device_host_model model = {
    .name = "tpu",
    .kind = "TPU v5 lite",
    .short_name = "TPU",
    .text_format = "TpuDevice(id=%d, process_index=0, coords=(0,0,0), core_on_chip=0)",
    .debug_format = "TPU_%d(process=0,(0,0,0,0))",
    .memory_bytes = HBM_BYTES,
    .modeled = true,
    .attribute_count = sizeof attributes / sizeof *attributes,
    .attributes = attributes,
};

static struct error *create(const struct device_options *options, int *count,
                            struct device ***devices)
{
    if (options && options->topology && *options->topology && strcmp(options->topology, "v5e:1x1"))
        return ERROR(INVALID_ARGUMENT, "topology '%s': only v5e:1x1 is supported",
                     options->topology);
    if (options && options->device_count > 1)
        return ERROR(UNIMPLEMENTED, "topology of %d chips: only one is supported",
                     options->device_count);
    return device_host_create(&model, options, count, devices);
}

static const struct device_library library = {
    .name = "tpu", .platform_name = "tpu", .create = create};

const char *tpu_build(void)
{
    return GANTRY_BUILD_ID;
}

const struct device_library *tpu_library(void)
{
    return &library;
}
