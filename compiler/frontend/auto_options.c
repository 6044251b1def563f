#include "compiler/frontend/auto_options.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/sharding.h"

static const char PREFIX[] = "gantry_auto_sharding_";

static const char *suffix_of(const char *name)
{
    size_t size = sizeof PREFIX - 1;
    return strncmp(name, PREFIX, size) ? "" : name + size;
}

bool auto_options_is_known(const char *name)
{
    const char *suffix = suffix_of(name);
    return !strcmp(suffix, "mesh") || !strcmp(suffix, "memory") || !strcmp(suffix, "seconds");
}

/* ---- meshes ---------------------------------------------------------------------------------- */
static struct error *check_sizes(size_t axes, const int64_t *sizes, int64_t *devices)
{
    *devices = 1;
    if (axes > AUTO_MAX_AXES)
        return ERROR(INVALID_ARGUMENT,
                     "the mesh of automatic sharding has %zu axes; allowed: 1 to %d", axes,
                     AUTO_MAX_AXES);
    for (size_t i = 0; i < axes; i++) {
        if (sizes[i] < 1 || sizes[i] > SHARDING_MAX_DEVICES / *devices)
            return ERROR(INVALID_ARGUMENT,
                         "axis %zu of the mesh of automatic sharding has size %" PRId64
                         "; sizes must be at least 1, and their product at most %" PRId64,
                         i, sizes[i], (int64_t)SHARDING_MAX_DEVICES);
        *devices *= sizes[i];
    }
    return NULL;
}

static struct error *check_ids(struct arena *arena, int64_t devices, size_t count,
                               const int64_t *ids, bool *in_order)
{
    *in_order = true;
    if ((int64_t)count != devices)
        return ERROR(INVALID_ARGUMENT,
                     "the mesh of automatic sharding has %" PRId64 " devices and %zu device ids; "
                     "the numbers must be equal",
                     devices, count);
    bool *seen = ARENA_ARRAY(arena, bool, count);
    for (size_t i = 0; i < count; i++) {
        if (ids[i] < 0 || ids[i] >= devices || seen[ids[i]])
            return ERROR(INVALID_ARGUMENT,
                         "device id %" PRId64 " of the mesh of automatic sharding is %s; each of 0 "
                         "to %" PRId64 " must occur once",
                         ids[i], ids[i] < 0 || ids[i] >= devices ? "out of range" : "there twice",
                         devices - 1);
        seen[ids[i]] = true;
        *in_order &= ids[i] == (int64_t)i;
    }
    return NULL;
}

struct error *auto_options_ids(struct arena *arena, int64_t devices, size_t id_count,
                               const int64_t *ids)
{
    bool in_order;
    return id_count ? check_ids(arena, devices, id_count, ids, &in_order) : NULL;
}

struct error *auto_options_mesh(struct arena *arena, size_t axes, const int64_t *sizes,
                                size_t id_count, const int64_t *ids, struct auto_request *out)
{
    int64_t devices;
    bool in_order = true;
    TRY(check_sizes(axes, sizes, &devices));
    if (id_count && axes)
        TRY(check_ids(arena, devices, id_count, ids, &in_order));
    out->axis_count = (int)axes;
    for (size_t i = 0; i < axes; i++)
        out->axis_sizes[i] = sizes[i];
    out->device_ids = in_order ? NULL : arena_copy(arena, ids, id_count * sizeof *ids);
    return NULL;
}

static struct error *read_mesh(const char *text, struct auto_request *out)
{
    int64_t sizes[AUTO_MAX_AXES + 1], devices;
    size_t axes = 0;
    const char *at = text;
    char *end;
    for (; axes <= AUTO_MAX_AXES; at = end + 1) {
        sizes[axes++] = strtoll(at, &end, 10);
        if (end == at || isspace((unsigned char)*at) || *at == '+' || (*end != 'x' && *end))
            return ERROR(INVALID_ARGUMENT,
                         "%smesh is '%.100s'; allowed: the sizes of 1 to %d axes, like 4x4", PREFIX,
                         text, AUTO_MAX_AXES);
        if (!*end)
            break;
    }
    TRY(check_sizes(axes, sizes, &devices));
    out->axis_count = (int)axes;
    memcpy(out->axis_sizes, sizes, axes * sizeof *sizes);
    return NULL;
}

/* ---- numbers --------------------------------------------------------------------------------- */
/* A number, or a text that is one, with a unit of 1024 if it may have one. */
static bool read_number(const struct auto_option *option, bool has_unit, double *out)
{
    static const char units[] = "KMGT";
    char *end;
    *out = option->number;
    if (!option->text)
        return true;
    *out = strtod(option->text, &end);
    const char *unit = has_unit && *end ? strchr(units, *end) : NULL;
    for (const char *u = units; unit && u <= unit; u++)
        *out *= 1024;
    return end != option->text && !*(unit ? end + 1 : end);
}

static struct error *read_memory(const struct auto_option *option, struct auto_request *out)
{
    double bytes;
    if (!read_number(option, true, &bytes) || !(bytes >= 1) || bytes > 1e18)
        return ERROR(INVALID_ARGUMENT,
                     "%smemory is '%.100s'; allowed: 1 to 1e18 bytes, as a number or like 12G",
                     PREFIX, option->text ? option->text : "a number out of range");
    out->memory_bytes = (uint64_t)bytes;
    return NULL;
}

static struct error *read_seconds(const struct auto_option *option, struct auto_request *out)
{
    double seconds;
    if (!read_number(option, false, &seconds) || !(seconds >= 1) || seconds > AUTO_MAX_EFFORT)
        return ERROR(INVALID_ARGUMENT, "%sseconds is '%.100s'; allowed: 1 to %d", PREFIX,
                     option->text ? option->text : "a number out of range", AUTO_MAX_EFFORT);
    out->effort = (int64_t)seconds;
    return NULL;
}

struct error *auto_options_read(const struct auto_option *option, struct auto_request *out)
{
    const char *suffix = suffix_of(option->name);
    if (!strcmp(suffix, "mesh"))
        return read_mesh(option->text ? option->text : "a number", out);
    return !strcmp(suffix, "memory") ? read_memory(option, out) : read_seconds(option, out);
}
