/* null_library.c: see null_library.h. A new device copies this file and changes: the names; the
 * target (its numbers, and which products a library does); what launch does (devices/host/launch.h
 * computes on the host's cores); memory. */
#include "devices/null/null_library.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "devices/host/device_host.h"
#include "version.h"

struct null_device {
    struct device base; /* first */
    char text[32];
};

static atomic_int countdown;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct target target;

void null_library_fail_at(int n)
{
    atomic_store(&countdown, n);
}

static void fill_target(void)
{
    device_host_target("null", 0, &target);
    target.serves_dot = NULL; /* no library: everything is generated */
    target.serves_convolution = NULL;
}

static void destroy(struct device *device)
{
    for (int i = 0; i < device->space_count; i++)
        space_release(device->spaces[i]);
    alloc_free(device);
}

static struct error *launch(struct device *device, const struct launch *work)
{
    (void)device;
    if (atomic_load(&countdown) > 0 && atomic_fetch_sub(&countdown, 1) == 1)
        return ERROR(INTERNAL, "%s: the null device fails on demand", work->program->name);
    for (int i = 0; i < work->program->result_count; i++)
        memset(work->results[i], 0, work->program->results[i].bytes);
    return NULL;
}

static const struct device_ops null_ops = {destroy, launch};

static struct error *add_spaces(struct device *device, const struct device_options *options)
{
    static const char *const names[] = {"null(device)", "null(pinned_host)", "null(unpinned_host)"};
    for (int kind = 0; kind < MEMORY_KIND_COUNT; kind++) {
        struct space_options space = {.kind = kind, .node = -1, .name = names[kind]};
        space.capacity = kind == MEMORY_DEVICE && options ? options->memory_limit : 0;
        TRY(space_create(&space, &device->spaces[kind]));
        device->space_count++;
    }
    return NULL;
}

static struct error *create_one(const struct device_options *options, int id, struct device **out)
{
    struct null_device *null;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *null, &null));
    snprintf(null->text, sizeof null->text, "NULL_%d", id);
    null->base = (struct device){.ops = &null_ops,
                                 .id = id,
                                 .local_ordinal = id,
                                 .kind = "null",
                                 .text = null->text,
                                 .debug_text = null->text,
                                 .target = &target};
    struct error *error = add_spaces(&null->base, options);
    if (error)
        destroy(&null->base);
    else
        *out = &null->base;
    return error;
}

static struct error *create(const struct device_options *options, int *count,
                            struct device ***devices)
{
    int wanted = options && options->device_count > 0 ? options->device_count : 1;
    *count = 0;
    pthread_once(&once, fill_target);
    TRY(alloc_array((size_t)wanted, sizeof **devices, devices));
    struct error *error = NULL;
    for (; *count < wanted && !error; *count += !error)
        error = create_one(options, *count, &(*devices)[*count]);
    if (!error)
        return NULL;
    while (*count > 0)
        destroy((*devices)[--*count]);
    alloc_free(*devices);
    *devices = NULL;
    return error;
}

static const struct device_library library = {
    .name = "null", .platform_name = "null", .create = create};

const char *null_build(void)
{
    return GANTRY_BUILD_ID;
}

const struct device_library *null_library(void)
{
    return &library;
}
