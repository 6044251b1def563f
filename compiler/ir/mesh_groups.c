#include "compiler/ir/mesh_groups.h"

#include <inttypes.h>
#include <stdlib.h>

/* Each part has at least 2 devices; their product is at most SHARDING_MAX_DEVICES. */
enum { MAX_PARTS = 20 };

struct part { /* of an axis: a factor of its size */
    int64_t size, stride;
};

struct parts { /* major to minor */
    int count;
    struct part at[MAX_PARTS];
};

static void add(struct parts *parts, int64_t size, int64_t stride)
{
    if (size > 1)
        parts->at[parts->count++] = (struct part){size, stride};
}

/* As of a sharding of one dimension: valid references without overlaps. */
static struct error *check(const struct mesh *mesh, struct axis_refs axes)
{
    struct dim_sharding dim = {.axes = axes, .is_closed = true};
    struct sharding sharding = {.mesh = mesh, .rank = 1, .dims = &dim};
    return error_prefix(sharding_check(&sharding, 1), "replica groups by axes of a mesh");
}

/* The number of devices that separates neighbors along each axis. */
static void find_strides(const struct mesh *mesh, int64_t *strides)
{
    int64_t stride = 1;
    for (int i = mesh->axis_count - 1; i >= 0; i--) {
        strides[i] = stride;
        stride *= mesh->axis_sizes[i];
    }
}

static int64_t begin_of(struct axis_ref axis)
{
    return axis.size ? axis.pre_size : 1;
}

static int by_begin(const void *a, const void *b)
{
    int64_t left = begin_of(*(const struct axis_ref *)a);
    int64_t right = begin_of(*(const struct axis_ref *)b);
    return (left > right) - (left < right);
}

/* Adds what the references leave of an axis. */
static struct error *add_rest(const struct mesh *mesh, struct axis_refs axes, int axis,
                              int64_t stride, struct parts *groups)
{
    struct axis_ref used[MAX_PARTS];
    int64_t size = mesh->axis_sizes[axis], done = 1;
    int count = 0;
    for (int i = 0; i < axes.count; i++)
        if (axes.at[i].axis == axis && sharding_axis_size(mesh, axes.at[i]) > 1)
            used[count++] = axes.at[i];
    qsort(used, (size_t)count, sizeof *used, by_begin);
    for (int i = 0; i < count; i++) {
        int64_t begin = begin_of(used[i]);
        if (begin % done)
            return ERROR(INVALID_ARGUMENT,
                         "replica groups refer to the sub-axis (%" PRId64 ")%" PRId64
                         " of axis \"%s\"; it must begin at a multiple of %" PRId64
                         ", the end of another one",
                         used[i].pre_size, used[i].size, mesh->axis_names[axis], done);
        add(groups, begin / done, size / begin * stride);
        done = begin * sharding_axis_size(mesh, used[i]);
    }
    add(groups, size / done, stride);
    return NULL;
}

static void add_members(const struct mesh *mesh, struct axis_refs axes, const int64_t *strides,
                        struct parts *members)
{
    for (int i = 0; i < axes.count; i++) {
        struct axis_ref axis = axes.at[i];
        int64_t size = sharding_axis_size(mesh, axis);
        int64_t after = mesh->axis_sizes[axis.axis] / (begin_of(axis) * size);
        add(members, size, after * strides[axis.axis]);
    }
}

/* Lists the devices with the last part of `parts` as the fastest. */
static void list_devices(const struct mesh *mesh, const struct parts *parts, int64_t *out)
{
    int64_t index[MAX_PARTS] = {0}, device = 0;
    for (int64_t i = 0; i < mesh->device_count; i++) {
        out[i] = mesh->device_ids ? mesh->device_ids[device] : device;
        for (int k = parts->count - 1; k >= 0; k--) {
            device += parts->at[k].stride;
            if (++index[k] < parts->at[k].size)
                break;
            device -= parts->at[k].stride * parts->at[k].size;
            index[k] = 0;
        }
    }
}

struct error *mesh_groups(struct arena *arena, const struct mesh *mesh, struct axis_refs axes,
                          struct pairs *out)
{
    struct parts parts = {0};
    int64_t strides[SHARDING_MAX_AXES], columns;
    TRY(check(mesh, axes));
    find_strides(mesh, strides);
    for (int i = 0; i < mesh->axis_count; i++)
        TRY(add_rest(mesh, axes, i, strides[i], &parts));
    add_members(mesh, axes, strides, &parts);
    columns = sharding_axes_size(mesh, axes);
    int64_t *devices = ARENA_ARRAY(arena, int64_t, (size_t)mesh->device_count);
    list_devices(mesh, &parts, devices);
    *out = (struct pairs){mesh->device_count / columns, columns, devices};
    return NULL;
}
