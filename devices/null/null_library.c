/* null_library.c: see null_library.h. To add a device, copy this file and change: the names; the
 * target (its parameters, and the products supported by a library); the allocation of and access to
 * its memory; and launch (devices/host/launch.h computes on the host's cores). */
#include "devices/null/null_library.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "devices/host/device_host.h"
#include "devices/host/copies/host_copy.h"
#include "memory/blocks.h"
#include "memory/storage.h"
#include "version.h"

/* Device addresses are non-canonical, so dereferencing one faults. Bytes are stored encoded, so a
 * copy that bypasses the methods is detected. */
#define HIDDEN_BIT ((uintptr_t)1 << 62)
enum { HIDDEN_FORM = 0x5A };

struct null_device {
    struct device base; /* first */
    char text[32];
};

static atomic_int countdown;

void null_library_fail_at(int n)
{
    atomic_store(&countdown, n);
}

/* ---- memory ---------------------------------------------------------------------------------- */
static void *toggle_tag(void *address)
{
    return (void *)((uintptr_t)address ^ HIDDEN_BIT);
}

static struct error *memory_alloc(uint64_t size, const struct hostmem_place *place,
                                  struct block *out)
{
    TRY(blocks_alloc(size, place, out));
    out->bytes = toggle_tag(out->bytes);
    return NULL;
}

static void memory_free(const struct block *block)
{
    struct block known = *block;
    if (known.home)
        known.bytes = toggle_tag(known.bytes);
    blocks_free(&known);
}

static const struct space_backing backing = {memory_alloc, memory_free};

static void transcribe(unsigned char *to, const unsigned char *from, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++)
        to[i] = from[i] ^ HIDDEN_FORM;
}

static struct error *memory_read(const struct storage *storage, uint64_t offset, void *to,
                                 uint64_t size)
{
    transcribe(to, (const unsigned char *)toggle_tag(storage->address) + offset, size);
    return NULL;
}

static struct error *memory_write(const struct storage *storage, uint64_t offset, const void *from,
                                  uint64_t size)
{
    transcribe((unsigned char *)toggle_tag(storage->address) + offset, from, size);
    return NULL;
}

/* ---- methods --------------------------------------------------------------------------------- */
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
        memset(toggle_tag(work->results[i]), HIDDEN_FORM, work->program->results[i].bytes);
    return NULL;
}

static struct error *copy(struct device *device, const struct device_copy *request)
{
    static const struct host_copy_access access = {memory_read, memory_write};
    (void)device;
    return host_copy(request, &access);
}

static const struct device_ops null_ops = {.destroy = destroy, .launch = launch, .copy = copy};

/* ---- creation -------------------------------------------------------------------------------- */
static struct error *create_one(const struct device_options *options, int id, int count,
                                struct device **out)
{
    struct null_device *null;
    static const uint64_t unlimited[MEMORY_KIND_COUNT];
    const uint64_t *limits = options ? options->memory_limit : unlimited;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *null, &null));
    snprintf(null->text, sizeof null->text, "NULL_%d", id);
    null->base = (struct device){.ops = &null_ops,
                                 .id = id,
                                 .local_ordinal = id,
                                 .placement = numa_placement_of(id, count),
                                 .kind = "null",
                                 .text = null->text,
                                 .debug_text = null->text};
    device_host_target("null", limits[MEMORY_DEVICE], &null->base.target);
    null->base.target.supports_dot = NULL; /* no library: code is generated for all products */
    null->base.target.supports_convolution = NULL;
    null->base.target.supports_attention = false;
    null->base.target.supports_thin_dot = false;
    null->base.target.has_top_k = false;
    struct error *error = device_host_add_spaces(&null->base, "null", limits, false, &backing);
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
    TRY(alloc_array((size_t)wanted, sizeof **devices, devices));
    struct error *error = NULL;
    for (; *count < wanted && !error; *count += !error)
        error = create_one(options, *count, wanted, &(*devices)[*count]);
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
