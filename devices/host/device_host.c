/* device_host.c: see device_host.h. */
#include "devices/host/device_host.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/pool.h"
#include "compiler/tiled_shape.h"
#include "devices/host/collectives/rendezvous.h"
#include "devices/host/copies/host_copy.h"
#include "devices/host/fft/fft_split.h"
#include "devices/host/kernels_library.h"
#include "devices/host/launch.h"
#include "memory/hostmem.h"
#include "memory/numa.h"
#include "memory/storage.h"

enum {
    PARALLEL_COST =
        /* about 64K elements, read twice and written: smaller kernels do not gain from threads */
    200000,
    REGION_COST = 20000,
    SMALL_TEMP = 4096, /* up to this many bytes of temporaries are on the stack */
};

struct device_host {
    struct device base;
    struct device_host_identity identity;
};

/* ---- methods --------------------------------------------------------------------------------- */
static void destroy(struct device *device)
{
    for (int i = 0; i < device->space_count; i++)
        space_release(device->spaces[i]);
    alloc_free(device);
}

/* The program outlives its execution, and therefore the temporaries. */
static void print_temporaries(const void *program, int index, struct text *out)
{
    (void)index;
    text_add(out, "temporaries of '%s'", ((const struct program *)program)->name);
}

static const struct label_kind temporaries = {.print = print_temporaries};

/* What a modeled device would need. */
static uint64_t counted_temps(const struct program *program, enum memory_kind kind)
{
    const struct model_plan *model = kind == MEMORY_DEVICE ? program->model : NULL;
    return model ? model->temp_bytes + model->table_bytes : program_temp_size(program, kind);
}

/* Temporaries of one execution, by memory kind. */
static struct error *allocate_temps(struct device *device, const struct program *program,
                                    struct storage *temps[MEMORY_KIND_COUNT])
{
    struct label label = {&temporaries, (void *)(uintptr_t)program, 0};
    for (int kind = 0; kind < device->space_count; kind++) {
        uint64_t size = program_temp_size(program, (enum memory_kind)kind);
        uint64_t counted = counted_temps(program, (enum memory_kind)kind);
        if (size || counted)
            TRY(space_alloc_counted(device->spaces[kind], size, counted, &label, &temps[kind]));
    }
    return NULL;
}

static struct error *launch_with_spaces(struct device *device, const struct launch *work)
{
    struct storage *temps[MEMORY_KIND_COUNT] = {NULL};
    void *addresses[MEMORY_KIND_COUNT] = {NULL};
    struct error *error = allocate_temps(device, work->program, temps);
    for (int kind = 0; kind < MEMORY_KIND_COUNT && !error; kind++)
        addresses[kind] = temps[kind] ? temps[kind]->address : NULL;
    if (!error)
        error = launch_run(work, addresses);
    for (int kind = 0; kind < MEMORY_KIND_COUNT; kind++)
        storage_release(temps[kind]);
    return error;
}

/* They count as memory of the device anyway, to match the memory plan of the program. */
static struct error *launch_with_stack(struct device *device, const struct launch *work)
{
    _Alignas(64) char temp[SMALL_TEMP];
    struct label label = {&temporaries, (void *)(uintptr_t)work->program, 0};
    void *temps[MEMORY_KIND_COUNT] = {[MEMORY_DEVICE] = temp};
    uint64_t size = counted_temps(work->program, MEMORY_DEVICE);
    if (!size)
        return launch_run(work, temps);
    TRY(space_count(device->spaces[MEMORY_DEVICE], size, &label));
    struct error *error = launch_run(work, temps);
    space_uncount(device->spaces[MEMORY_DEVICE], size);
    return error;
}

static bool fits_stack(const struct program *program)
{
    return program_temp_size(program, MEMORY_DEVICE) <= SMALL_TEMP &&
           !program_temp_size(program, MEMORY_PINNED_HOST) &&
           !program_temp_size(program, MEMORY_UNPINNED_HOST);
}

static struct error *launch(struct device *device, const struct launch *work)
{
    return fits_stack(work->program) ? launch_with_stack(device, work)
                                     : launch_with_spaces(device, work);
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

static uint64_t tiled_bytes(const struct device *device, const struct shape *shape)
{
    return tiled_shape_bytes_laid_out(device->target.accelerator, shape);
}

static void lay_out(const struct device *device, bool ordered, struct shape *shape,
                    struct shape_layout *room)
{
    if (ordered)
        tiled_shape_tile(device->target.accelerator, shape, room);
    else
        tiled_shape_choose(device->target.accelerator, TILED_DEFAULT, shape, room);
}

static struct error *connect_participants(struct device *device,
                                          const struct communicator_setup *setup,
                                          struct communicator **out)
{
    (void)device;
    return rendezvous_create(setup, out);
}

static const struct device_ops host_ops = {.destroy = destroy,
                                           .launch = launch,
                                           .copy = copy,
                                           .connect = connect_participants,
                                           .address = address};
static const struct device_ops modeled_ops = {.destroy = destroy,
                                              .launch = launch,
                                              .copy = copy,
                                              .connect = connect_participants,
                                              .address = address,
                                              .array_bytes = tiled_bytes,
                                              .lay_out = lay_out};

/* ---- creation -------------------------------------------------------------------------------- */
void device_host_target(const char *name, uint64_t memory_bytes, struct target *out)
{
    *out = (struct target){
        .name = name,
        .cores = cpu_usable_cores(),
        .isa = isa_of(cpu_features()),
        .memory_bytes = {[MEMORY_DEVICE] = memory_bytes},
        .cache_bytes = cpu_cache_bytes(2),
        .last_cache_bytes = cpu_cache_bytes(3),
        .alignment = 64,
        .memory_kinds = MEMORY_KINDS_ALL,
        .supports_dot = kernels_library_supports_dot,
        .supports_convolution = kernels_library_supports_convolution,
        .supports_attention = true,
        .supports_thin_dot = true,
        .fft_scratch = fft_split_scratch,
        .has_top_k = true,
        .parallel_cost = PARALLEL_COST,
        .region_cost = REGION_COST,
    };
}

/* Advice for the user when a memory is full. */
static const char *advice_of(enum memory_kind kind)
{
    switch (kind) {
    case MEMORY_DEVICE:
        return "Delete buffers that are not needed, donate arguments, keep arrays in pinned_host "
               "memory, or raise the limit: create option memory_limit or GANTRY_DEVICE_MEMORY.";
    case MEMORY_PINNED_HOST:
        return "Delete buffers that are not needed, or raise the limit: create option "
               "pinned_host_memory_limit or GANTRY_PINNED_HOST_MEMORY.";
    default:
        return "Delete buffers that are not needed, or raise the limit: create option "
               "unpinned_host_memory_limit or GANTRY_UNPINNED_HOST_MEMORY.";
    }
}

struct error *device_host_add_spaces(struct device *device, const char *short_name,
                                     const uint64_t limits[MEMORY_KIND_COUNT], bool modeled,
                                     const struct space_backing *backing)
{
    char name[64];
    for (enum memory_kind kind = 0; kind < MEMORY_KIND_COUNT; kind++) {
        bool own = kind == MEMORY_DEVICE && limits[kind];
        snprintf(name, sizeof name, "%s_%d(%s)", short_name, device->id, memory_kind_name(kind));
        struct space_options options = {.kind = kind,
                                        .capacity = limits[kind],
                                        .host_limit = own ? 0 : hostmem_limit(),
                                        .place = device->placement.memory[kind],
                                        .name = name,
                                        .advice = advice_of(kind),
                                        .modeled = modeled && kind == MEMORY_DEVICE,
                                        .backing = backing};
        TRY(space_create(&options, &device->spaces[kind]));
        device->target.memory_bytes[kind] = space_capacity(device->spaces[kind]);
        device->space_count++;
    }
    return NULL;
}

static void init_base(const struct device_host_model *model, struct device_host *host, int index,
                      int count)
{
    const struct device_host_identity *identity = &host->identity;
    host->base = (struct device){.ops = model->accelerator ? &modeled_ops : &host_ops,
                                 .id = identity->id,
                                 .local_ordinal = index,
                                 .process_index = identity->process_index,
                                 .placement = numa_placement_of(index, count),
                                 .kind = model->kind,
                                 .text = identity->text,
                                 .debug_text = identity->debug_text,
                                 .version = *identity->version ? identity->version : NULL,
                                 .topology = *identity->topology ? identity->topology : NULL,
                                 .grid = identity->grid.slices ? &identity->grid : NULL,
                                 .core_on_chip = identity->core_on_chip,
                                 .attribute_count = identity->attribute_count,
                                 .attributes = identity->attributes,
                                 .immediate_copy_bytes = HOST_COPY_IMMEDIATE_BYTES};
    memcpy(host->base.coords, identity->coords, sizeof identity->coords);
}

static struct error *create_one(const struct device_host_model *model,
                                const struct device_options *options, int index, int count,
                                struct device **out)
{
    struct device_host *host;
    uint64_t limits[MEMORY_KIND_COUNT] = {0};
    if (options)
        memcpy(limits, options->memory_limit, sizeof limits);
    if (!limits[MEMORY_DEVICE])
        limits[MEMORY_DEVICE] = model->memory_bytes;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *host, &host));
    model->describe(model, index + (options ? options->first_id : 0), &host->identity);
    if (options && options->process_index)
        host->identity.process_index = options->process_index;
    init_base(model, host, index, count);
    host->base.is_apart = model->modeled;
    host->base.shares_host_memory = !limits[MEMORY_DEVICE];
    device_host_target(model->name, limits[MEMORY_DEVICE] ? limits[MEMORY_DEVICE] : hostmem_limit(),
                       &host->base.target);
    host->base.target.plans_only = options && options->plans_only;
    host->base.target.numerics = model->numerics;
    host->base.target.excess_precision = model->excess_precision;
    host->base.target.accelerator = model->accelerator;
    host->base.target.interconnect.slices = host->identity.grid.slices;
    memcpy(host->base.target.interconnect.bounds, host->identity.grid.bounds,
           sizeof host->identity.grid.bounds);
    struct error *error =
        device_host_add_spaces(&host->base, model->short_name, limits, model->modeled, NULL);
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
    if (numa_count() > 1)
        pool_group_cores(pool_shared(), numa_node_of_cpu);
    if (wanted > model->max_devices)
        return ERROR(INVALID_ARGUMENT, "%d devices requested; at most %d are supported", wanted,
                     model->max_devices);
    TRY(alloc_array((size_t)wanted, sizeof **devices, devices));
    struct error *error = NULL;
    for (; *count < wanted && !error; *count += !error)
        error = create_one(model, options, *count, wanted, &(*devices)[*count]);
    if (!error)
        return NULL;
    for (int i = 0; i < *count; i++)
        destroy((*devices)[i]);
    alloc_free(*devices);
    *devices = NULL;
    *count = 0;
    return error;
}
