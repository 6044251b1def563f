#include "compiler/ir/sharding.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/ir/print_attrs.h"

/* ---- equality -------------------------------------------------------------------------------- */

static bool text_equal(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool axes_equal(struct axis_refs a, struct axis_refs b)
{
    for (int i = 0; a.count == b.count && i < a.count; i++)
        if (a.at[i].axis != b.at[i].axis || a.at[i].pre_size != b.at[i].pre_size ||
            a.at[i].size != b.at[i].size)
            return false;
    return a.count == b.count;
}

static bool mesh_equal(const struct mesh *a, const struct mesh *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->axis_count != b->axis_count || a->device_count != b->device_count ||
        !text_equal(a->name, b->name) || !a->device_ids != !b->device_ids)
        return false;
    for (int i = 0; i < a->axis_count; i++)
        if (!text_equal(a->axis_names[i], b->axis_names[i]) || a->axis_sizes[i] != b->axis_sizes[i])
            return false;
    return !a->device_ids ||
           !memcmp(a->device_ids, b->device_ids, (size_t)a->device_count * sizeof *a->device_ids);
}

bool sharding_equal(const struct sharding *a, const struct sharding *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->kind != b->kind || a->device != b->device || a->rank != b->rank ||
        !mesh_equal(a->mesh, b->mesh))
        return false;
    for (int i = 0; i < a->rank; i++)
        if (a->dims[i].is_closed != b->dims[i].is_closed ||
            a->dims[i].priority != b->dims[i].priority ||
            !axes_equal(a->dims[i].axes, b->dims[i].axes))
            return false;
    return axes_equal(a->replicated, b->replicated) && axes_equal(a->unreduced, b->unreduced) &&
           axes_equal(a->manual, b->manual);
}

/* ---- axes ------------------------------------------------------------------------------------ */

int64_t sharding_axis_size(const struct mesh *mesh, struct axis_ref axis)
{
    return axis.size ? axis.size : mesh->axis_sizes[axis.axis];
}

int64_t sharding_axes_size(const struct mesh *mesh, struct axis_refs axes)
{
    int64_t size = 1;
    for (int i = 0; i < axes.count; i++)
        size *= sharding_axis_size(mesh, axes.at[i]);
    return size;
}

static int64_t begin_of(struct axis_ref axis)
{
    return axis.size ? axis.pre_size : 1;
}

/* The number of devices along the common part of two references; 1 when they have none. */
static int64_t overlap(const struct mesh *mesh, struct axis_ref a, struct axis_ref b)
{
    int64_t end_of_a = begin_of(a) * sharding_axis_size(mesh, a);
    int64_t end_of_b = begin_of(b) * sharding_axis_size(mesh, b);
    int64_t begin = begin_of(a) > begin_of(b) ? begin_of(a) : begin_of(b);
    int64_t end = end_of_a < end_of_b ? end_of_a : end_of_b;
    return a.axis == b.axis && begin < end ? end / begin : 1;
}

bool sharding_axes_overlap(const struct mesh *mesh, struct axis_ref a, struct axis_ref b)
{
    return overlap(mesh, a, b) > 1;
}

int64_t sharding_manual_size(const struct sharding *sharding, int dim)
{
    int64_t size = 1;
    struct axis_refs axes = {0};
    if (dim < sharding->rank)
        axes = sharding->dims[dim].axes;
    for (int i = 0; i < axes.count; i++)
        for (int k = 0; k < sharding->manual.count; k++)
            size *= overlap(sharding->mesh, axes.at[i], sharding->manual.at[k]);
    return size;
}

const struct sharding *sharding_replicated(struct arena *arena, const struct mesh *mesh, int rank,
                                           bool is_closed)
{
    struct sharding *sharding = ARENA_NEW(arena, struct sharding);
    struct dim_sharding *dims = ARENA_ARRAY(arena, struct dim_sharding, (size_t)rank);
    for (int i = 0; i < rank; i++)
        dims[i] = (struct dim_sharding){{0}, is_closed, -1};
    sharding->mesh = mesh;
    sharding->rank = rank;
    sharding->dims = dims;
    return sharding;
}

/* ---- checks ---------------------------------------------------------------------------------- */

struct used { /* the axes that a sharding has used so far */
    int count;
    struct axis_ref at[2 * SHARDING_MAX_AXES];
};

static struct error *check_mesh(const struct mesh *mesh)
{
    if (!mesh)
        return ERROR(INVALID_ARGUMENT, "a sharding has no mesh");
    if (mesh->axis_count > SHARDING_MAX_AXES || mesh->device_count > SHARDING_MAX_DEVICES)
        return ERROR(INVALID_ARGUMENT,
                     "a mesh has %d axes and %" PRId64 " devices; the limits are %d and %" PRId64,
                     mesh->axis_count, mesh->device_count, SHARDING_MAX_AXES, SHARDING_MAX_DEVICES);
    return NULL;
}

static struct error *check_axis(const struct mesh *mesh, struct axis_ref axis)
{
    if (axis.axis < 0 || axis.axis >= mesh->axis_count)
        return ERROR(INVALID_ARGUMENT, "a sharding refers to axis %d of a mesh of %d axes",
                     axis.axis, mesh->axis_count);
    int64_t whole = mesh->axis_sizes[axis.axis], length;
    if (!axis.size && !axis.pre_size)
        return NULL;
    if (axis.size < 1 || axis.pre_size < 1 ||
        __builtin_mul_overflow(axis.size, axis.pre_size, &length) || whole % length)
        return ERROR(INVALID_ARGUMENT,
                     "a sharding refers to the sub-axis (%" PRId64 ")%" PRId64
                     " of axis \"%s\"; the product must divide the axis' size %" PRId64,
                     axis.pre_size, axis.size, mesh->axis_names[axis.axis], whole);
    return NULL;
}

/* Each reference is valid; those of all lists with the same `used` are disjoint. */
static struct error *check_axes(const struct mesh *mesh, struct axis_refs axes, struct used *used)
{
    for (int i = 0; i < axes.count; i++) {
        TRY(check_axis(mesh, axes.at[i]));
        for (int k = 0; k < used->count; k++)
            if (sharding_axes_overlap(mesh, used->at[k], axes.at[i]))
                return ERROR(INVALID_ARGUMENT,
                             "a sharding uses axis \"%s\" twice; each axis may be used once",
                             mesh->axis_names[axes.at[i].axis]);
        if (used->count == 2 * SHARDING_MAX_AXES)
            return ERROR(INVALID_ARGUMENT, "a sharding uses more than %d axes",
                         2 * SHARDING_MAX_AXES);
        used->at[used->count++] = axes.at[i];
    }
    return NULL;
}

struct error *sharding_check(const struct sharding *sharding, int rank)
{
    struct used used = {0}, manual = {0};
    if (sharding->kind == SHARDING_MAXIMAL)
        return sharding->device >= 0 && sharding->device < SHARDING_MAX_DEVICES
                   ? NULL
                   : ERROR(INVALID_ARGUMENT,
                           "a maximal sharding is on device %" PRId64 "; it must be in [0, %" PRId64
                           ")",
                           sharding->device, SHARDING_MAX_DEVICES);
    TRY(check_mesh(sharding->mesh));
    if (sharding->rank != rank)
        return ERROR(INVALID_ARGUMENT,
                     "a sharding of %d dimensions is given for a tensor of %d; the numbers must be "
                     "equal",
                     sharding->rank, rank);
    for (int i = 0; i < rank; i++)
        TRY(check_axes(sharding->mesh, sharding->dims[i].axes, &used));
    TRY(check_axes(sharding->mesh, sharding->replicated, &used));
    TRY(check_axes(sharding->mesh, sharding->unreduced, &used));
    return check_axes(sharding->mesh, sharding->manual, &manual);
}

struct error *sharding_check_type(const struct type *type)
{
    if (!type->sharding)
        return NULL;
    if (type->kind != TYPE_TENSOR)
        return ERROR(INVALID_ARGUMENT, "a value that is not a tensor has a sharding");
    return sharding_check(type->sharding, type->shape.rank);
}

struct error *sharding_attach(struct arena *arena, const struct type *type,
                              const struct sharding *sharding, const struct type **out)
{
    *out = type;
    if (!sharding || type->kind != TYPE_TENSOR)
        return NULL;
    TRY(sharding_check(sharding, type->shape.rank));
    *out = type_with_sharding(arena, type, sharding);
    return NULL;
}

/* ---- printing -------------------------------------------------------------------------------- */

static void print_axes(const struct mesh *mesh, struct axis_refs axes, struct text *out)
{
    for (int i = 0; i < axes.count; i++) {
        const char *name = mesh->axis_names[axes.at[i].axis];
        text_add(out, "%s", i ? ", " : "");
        print_attrs_string(name, strlen(name), out);
        if (axes.at[i].size)
            text_add(out, ":(%" PRId64 ")%" PRId64, axes.at[i].pre_size, axes.at[i].size);
    }
}

static void print_dims(const struct sharding *sharding, struct text *out)
{
    text_add(out, "[");
    for (int i = 0; i < sharding->rank; i++) {
        const struct dim_sharding *dim = &sharding->dims[i];
        text_add(out, "%s{", i ? ", " : "");
        print_axes(sharding->mesh, dim->axes, out);
        if (!dim->is_closed)
            text_add(out, "%s?", dim->axes.count ? ", " : "");
        text_add(out, "}");
        if (dim->priority >= 0)
            text_add(out, "p%" PRId64, dim->priority);
    }
    text_add(out, "]");
}

void sharding_print_mesh(const struct mesh *mesh, struct text *out)
{
    text_add(out, "[");
    for (int i = 0; i < mesh->axis_count; i++) {
        text_add(out, "%s", i ? ", " : "");
        print_attrs_string(mesh->axis_names[i], strlen(mesh->axis_names[i]), out);
        text_add(out, "=%" PRId64, mesh->axis_sizes[i]);
    }
    text_add(out, "]");
    for (int64_t i = 0; mesh->device_ids && i < mesh->device_count; i++)
        text_add(out, "%s%" PRId64, i ? ", " : ", device_ids=[", mesh->device_ids[i]);
    text_add(out, "%s", mesh->device_ids && mesh->device_count ? "]" : "");
}

static void print_list(const struct sharding *sharding, const char *name, struct axis_refs axes,
                       struct text *out)
{
    if (!axes.count)
        return;
    text_add(out, ", %s={", name);
    print_axes(sharding->mesh, axes, out);
    text_add(out, "}");
}

void sharding_print_axes(const struct sharding *sharding, struct text *out)
{
    if (sharding->kind == SHARDING_MAXIMAL) {
        text_add(out, "on device %" PRId64, sharding->device);
        return;
    }
    print_dims(sharding, out);
    print_list(sharding, "replicated", sharding->replicated, out);
    print_list(sharding, "unreduced", sharding->unreduced, out);
    print_list(sharding, "manual", sharding->manual, out);
}

void sharding_print(const struct sharding *sharding, struct text *out)
{
    if (sharding->kind == SHARDING_MAXIMAL) {
        text_add(out, "#sdy.sharding<mesh<[], device_ids=[%" PRId64 "]>, []>", sharding->device);
        return;
    }
    text_add(out, "#sdy.sharding<");
    if (sharding->mesh->name) {
        print_attrs_symbol(sharding->mesh->name, out);
    } else {
        text_add(out, "mesh<");
        sharding_print_mesh(sharding->mesh, out);
        text_add(out, ">");
    }
    text_add(out, ", ");
    sharding_print_axes(sharding, out);
    text_add(out, ">");
}
