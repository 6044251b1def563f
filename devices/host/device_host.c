/* device_host.c: see device_host.h. */
#include "devices/host/device_host.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "devices/host/host_copy.h"
#include "devices/host/kernels_library.h"
#include "devices/host/launch.h"
#include "memory/hostmem.h"
#include "memory/storage.h"

enum {
    PARALLEL_COST =
        200000, /* about 64K elements read twice and written: below it threads gain nothing */
    REGION_COST = 20000,
    MAX_DEVICES = 1024,
    SMALL_TEMP = 4096, /* bytes of temporaries that are on the stack */
};

struct device_host {
    struct device base;
    char text[96], debug_text[96];
    struct attribute attributes[];
};

/* ---- methods --------------------------------------------------------------------------------- */
static void destroy(struct device *device)
{
    for (int i = 0; i < device->space_count; i++)
        space_release(device->spaces[i]);
    alloc_free(device);
}

static struct error *launch_with_space(struct device *device, const struct launch *work)
{
    struct storage *temp;
    if (!work->program->temp_size)
        return launch_run(work, NULL);
    TRY(space_alloc(device->spaces[0], work->program->temp_size, &temp));
    struct error *error = launch_run(work, temp->address);
    storage_release(temp);
    return error;
}

static struct error *launch_with_stack(const struct launch *work)
{
    _Alignas(64) char temp[SMALL_TEMP];
    return launch_run(work, temp);
}

static struct error *launch(struct device *device, const struct launch *work)
{
    uint64_t temp = work->program->temp_size;
    return temp && temp <= SMALL_TEMP ? launch_with_stack(work) : launch_with_space(device, work);
}

static struct error *copy(struct device *device, const struct device_copy *request)
{
    (void)device;
    return host_copy(request, NULL);
}

static void *address(struct device *device, const struct storage *storage)
{
    (void)device;
    return storage->address;
}

static const struct device_ops host_ops = {destroy, launch, copy, address};

/* ---- making ---------------------------------------------------------------------------------- */
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
        .supports_dot = kernels_library_supports_dot,
        .supports_convolution = kernels_library_supports_convolution,
        .parallel_cost = PARALLEL_COST,
        .region_cost = REGION_COST,
    };
}

struct error *device_host_add_spaces(struct device *device, const char *short_name,
                                     uint64_t capacity, bool modelled,
                                     const struct space_backing *backing)
{
    char name[64];
    uint64_t host = hostmem_limit();
    for (enum memory_kind kind = 0; kind < MEMORY_KIND_COUNT; kind++) {
        bool own = kind == MEMORY_DEVICE && capacity;
        snprintf(name, sizeof name, "%s_%d(%s)", short_name, device->id, memory_kind_name(kind));
        struct space_options options = {.kind = kind,
                                        .capacity = own ? capacity : host,
                                        .host_limited = !own,
                                        .node = -1,
                                        .name = name,
                                        .modelled = modelled && kind == MEMORY_DEVICE,
                                        .backing = backing};
        TRY(space_create(&options, &device->spaces[kind]));
        device->space_count++;
    }
    return NULL;
}

static struct error *create_one(const struct device_host_model *model,
                                const struct device_options *options, int id, struct device **out)
{
    struct device_host *host;
    uint64_t limit = options ? options->memory_limit : 0;
    uint64_t capacity = limit ? limit : model->memory_bytes;
    size_t attributes = (size_t)model->attribute_count * sizeof *model->attributes;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *host + attributes, &host));
    snprintf(host->text, sizeof host->text, model->text_format, id);
    snprintf(host->debug_text, sizeof host->debug_text, model->debug_format, id);
    if (attributes)
        memcpy(host->attributes, model->attributes, attributes);
    host->base = (struct device){.ops = &host_ops,
                                 .id = id,
                                 .local_ordinal = id,
                                 .kind = model->kind,
                                 .text = host->text,
                                 .debug_text = host->debug_text,
                                 .attribute_count = model->attribute_count,
                                 .attributes = host->attributes,
                                 .immediate_copy_bytes = HOST_COPY_IMMEDIATE_BYTES,
                                 .shares_host_memory = !capacity};
    device_host_target(model->name, capacity ? capacity : hostmem_limit(), &host->base.target);
    struct error *error =
        device_host_add_spaces(&host->base, model->short_name, capacity, model->modelled, NULL);
    if (error)
        destroy(&host->base);
    else
        *out = &host->base;
    return error;
}

struct error *device_host_create(const struct device_host_model *model,
                                 const struct device_options *options, int *count,
                                 struct device ***devices)
{
    int wanted = options && options->device_count > 0 ? options->device_count : 1;
    *count = 0;
    *devices = NULL;
    if (wanted > MAX_DEVICES)
        return ERROR(INVALID_ARGUMENT, "%d devices requested; at most %d are supported", wanted,
                     MAX_DEVICES);
    TRY(alloc_array((size_t)wanted, sizeof **devices, devices));
    struct error *error = NULL;
    for (; *count < wanted && !error; *count += !error)
        error = create_one(model, options, *count, &(*devices)[*count]);
    if (!error)
        return NULL;
    for (int i = 0; i < *count; i++)
        destroy((*devices)[i]);
    alloc_free(*devices);
    *devices = NULL;
    *count = 0;
    return error;
}
