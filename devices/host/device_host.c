/* device_host.c: see device_host.h. */
#include "devices/host/device_host.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "devices/host/kernels_library.h"
#include "devices/host/launch.h"

enum {
    PARALLEL_COST =
        200000, /* about 64K elements read twice and written: below it threads gain nothing */
    REGION_COST = 20000,
    MAX_DEVICES = 1024
};

struct device_host {
    struct device base;
    char text[96], debug_text[96];
};

static void destroy(struct device *device)
{
    for (int i = 0; i < device->space_count; i++)
        space_release(device->spaces[i]);
    alloc_free(device);
}

static struct error *launch(struct device *device, const struct launch *work)
{
    (void)device;
    return launch_run(work);
}

static const struct device_ops host_ops = {destroy, launch};

void device_host_target(const char *name, uint64_t memory_bytes, struct target *out)
{
    *out = (struct target){
        .name = name,
        .cores = cpu_usable_cores(),
        .vector_bytes = cpu_vector_bytes(),
        .features = cpu_features(),
        .memory_bytes = memory_bytes,
        .cache_bytes = cpu_cache_bytes(2),
        .alignment = 64,
        .serves_dot = kernels_serve_dot,
        .serves_convolution = kernels_serve_convolution,
        .parallel_cost = PARALLEL_COST,
        .region_cost = REGION_COST,
    };
}

static struct error *add_space(struct device *device, const struct device_host_model *model,
                               enum memory_kind kind, uint64_t capacity)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%d(%s)", model->short_name, device->id, memory_kind_name(kind));
    struct space_options options = {.kind = kind,
                                    .capacity = capacity,
                                    .node = -1,
                                    .name = name,
                                    .modelled = model->modelled && kind == MEMORY_DEVICE};
    TRY(space_create(&options, &device->spaces[device->space_count]));
    device->space_count++;
    return NULL;
}

static struct error *create_one(const struct device_host_model *model, const struct target *target,
                                const struct device_options *options, int id, struct device **out)
{
    struct device_host *host;
    uint64_t capacity =
        options && options->memory_limit ? options->memory_limit : model->memory_bytes;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *host, &host));
    snprintf(host->text, sizeof host->text, model->text_format, id);
    snprintf(host->debug_text, sizeof host->debug_text, model->debug_format, id);
    host->base = (struct device){.ops = &host_ops,
                                 .id = id,
                                 .local_ordinal = id,
                                 .kind = model->kind,
                                 .text = host->text,
                                 .debug_text = host->debug_text,
                                 .target = target,
                                 .attribute_count = model->attribute_count,
                                 .attributes = model->attributes};
    struct error *error = add_space(&host->base, model, MEMORY_DEVICE, capacity);
    if (!error)
        error = add_space(&host->base, model, MEMORY_PINNED_HOST, 0);
    if (!error)
        error = add_space(&host->base, model, MEMORY_UNPINNED_HOST, 0);
    if (error)
        destroy(&host->base);
    else
        *out = &host->base;
    return error;
}

struct error *device_host_create(const struct device_host_model *model, const struct target *target,
                                 const struct device_options *options, int *count,
                                 struct device ***devices)
{
    int wanted = options && options->device_count > 0 ? options->device_count : 1;
    *count = 0;
    *devices = NULL;
    if (wanted > MAX_DEVICES)
        return ERROR(INVALID_ARGUMENT, "%d devices asked for, at most %d are served", wanted,
                     MAX_DEVICES);
    TRY(alloc_array((size_t)wanted, sizeof **devices, devices));
    struct error *error = NULL;
    for (; *count < wanted && !error; *count += !error)
        error = create_one(model, target, options, *count, &(*devices)[*count]);
    if (!error)
        return NULL;
    for (int i = 0; i < *count; i++)
        destroy((*devices)[i]);
    alloc_free(*devices);
    *devices = NULL;
    *count = 0;
    return error;
}
