#include "compiler/frontend/hlo/hlo_groups.h"

#define MAX_DEVICES (1 << 20)
#define MAX_AXES 64         /* of a mesh, including axes of one device */
#define DEVICES_PER_UNIT 64 /* devices for each unit of work of hlo_module_charge() */
#define MAX_PADDING 16      /* entries of the padded table for each device */

static struct error *read_written(struct arena *arena, size_t count,
                                  Gantry__Hlo__ReplicaGroup *const *groups, struct pairs *out)
{
    size_t columns = 0, ids = 0;
    for (size_t i = 0; i < count; i++) {
        columns = groups[i]->n_ids > columns ? groups[i]->n_ids : columns;
        ids += groups[i]->n_ids;
    }
    if (columns && (count > MAX_DEVICES / columns || count * columns > MAX_PADDING * ids + 64))
        return ERROR(INVALID_ARGUMENT,
                     "has %zu replica groups of up to %zu devices with %zu devices in total; the "
                     "groups are too many or too different in size",
                     count, columns, ids);
    int64_t *at = ARENA_ARRAY(arena, int64_t, count *columns);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < columns; k++)
            at[i * columns + k] = k < groups[i]->n_ids ? groups[i]->ids[k] : -1;
    *out = (struct pairs){(int64_t)count, (int64_t)columns, at};
    return NULL;
}

/* Numbers the devices row-major over `dimensions` and transposes them by `permutation`. */
static struct error *count_devices(struct arena *arena, const Gantry__Hlo__IotaGroups *iota,
                                   struct pairs *out)
{
    size_t rank = iota->n_dimensions;
    int64_t total = 1, strides[SHAPE_MAX_RANK], dims[SHAPE_MAX_RANK], index[SHAPE_MAX_RANK] = {0};
    int64_t step[SHAPE_MAX_RANK], device = 0;
    bool fits = rank <= SHAPE_MAX_RANK && iota->n_permutation == rank;
    for (size_t i = rank; fits && i-- > 0; total *= iota->dimensions[i]) {
        strides[i] = total;
        fits = iota->dimensions[i] >= 1 && iota->dimensions[i] <= MAX_DEVICES / total;
        if (!fits)
            break;
    }
    fits = fits && iota->groups >= 1 && iota->group_size >= 1 && iota->groups <= MAX_DEVICES &&
           iota->group_size <= MAX_DEVICES && iota->groups * iota->group_size == total;
    for (size_t i = 0; fits && i < rank; i++) {
        int32_t from = iota->permutation[i];
        fits = from >= 0 && (size_t)from < rank;
        dims[i] = fits ? iota->dimensions[from] : 1;
        step[i] = fits ? strides[from] : 0;
    }
    if (!fits)
        return ERROR(INVALID_ARGUMENT,
                     "its %lld replica groups of %lld devices do not match the %zu dimensions and "
                     "the permutation of its device list",
                     (long long)iota->groups, (long long)iota->group_size, rank);
    int64_t *at = ARENA_ARRAY(arena, int64_t, (size_t)total);
    for (int64_t i = 0; i < total; i++) {
        at[i] = device;
        for (size_t d = rank; d-- > 0;) {
            device += step[d];
            if (++index[d] < dims[d])
                break;
            device -= step[d] * dims[d];
            index[d] = 0;
        }
    }
    *out = (struct pairs){iota->groups, iota->group_size, at};
    return NULL;
}

/* Caches the groups by their description, since a short description may have many devices. */
static struct error *read_iota(struct hlo *h, const Gantry__Hlo__IotaGroups *iota,
                               struct pairs *out)
{
    int64_t key[4 + 2 * SHAPE_MAX_RANK] = {iota->groups, iota->group_size, 0, 0};
    size_t size = 2;
    bool fits = iota->n_dimensions <= SHAPE_MAX_RANK && iota->n_permutation <= SHAPE_MAX_RANK;
    for (size_t i = 0; fits && i < iota->n_dimensions; i++)
        key[size++] = iota->dimensions[i];
    for (size_t i = 0; fits && i < iota->n_permutation; i++)
        key[size++] = iota->permutation[i];
    const struct pairs *known = map_get(h->groups, key, size * sizeof *key);
    if (!known) {
        struct pairs *made = ARENA_NEW(h->arena, struct pairs);
        TRY(count_devices(h->arena, iota, made));
        TRY(hlo_module_charge(h, (size_t)(made->rows * made->columns) / DEVICES_PER_UNIT));
        map_put(h->groups, key, size * sizeof *key, made);
        known = made;
    }
    *out = *known;
    return NULL;
}

/* ---- axes of a mesh -------------------------------------------------------------------------- */

struct axes { /* the mesh with its axes split at the sub-axes that the groups refer to */
    size_t count;
    int32_t dims[SHAPE_MAX_RANK];
    bool named[SHAPE_MAX_RANK];   /* the groups refer to it */
    size_t order[SHAPE_MAX_RANK]; /* of named ones: the position of the reference */
};

static bool add_axis(struct axes *axes, int64_t size, bool named, size_t order)
{
    if (axes->count == SHAPE_MAX_RANK || size < 1 || size > MAX_DEVICES)
        return false;
    axes->dims[axes->count] = (int32_t)size;
    axes->named[axes->count] = named;
    axes->order[axes->count++] = order;
    return true;
}

/* Splits axis i of the mesh, starting at its major end, at the sub-axes that are referred to. */
static bool split_axis(const Gantry__Hlo__MeshGroups *from, size_t i, struct axes *axes)
{
    int64_t size = from->mesh->axes[i]->size, done = 1;
    while (size >= 1 && done < size) {
        const Gantry__Hlo__AxisReference *next = NULL;
        size_t order = 0;
        int64_t begin = size, length = 0;
        for (size_t k = 0; k < from->n_axes; k++) {
            const Gantry__Hlo__AxisReference *axis = from->axes[k];
            int64_t before = axis->part ? axis->part->before : 1;
            if (axis->axis != (int64_t)i || before < done || before >= begin)
                continue;
            next = axis;
            order = k;
            begin = before;
            length = axis->part ? axis->part->size : size;
        }
        if (begin > done && (begin % done || !add_axis(axes, begin / done, false, 0)))
            return false;
        if (!next)
            return true;
        if (length < 1 || length > size / begin || size % (begin * length) ||
            !add_axis(axes, length, true, order))
            return false;
        done = begin * length;
        if (length == 1)
            return done <= size; /* an axis of one device */
    }
    return size >= 1;
}

/* The named axes number the devices within a group; the other axes number the groups. */
static struct error *read_mesh(struct hlo *h, const Gantry__Hlo__MeshGroups *from,
                               struct pairs *out)
{
    struct axes axes = {0};
    bool fits = from->mesh && from->mesh->n_axes <= MAX_AXES && from->n_axes <= MAX_AXES;
    int64_t dims[SHAPE_MAX_RANK], group = 1, total = 1;
    int32_t permutation[SHAPE_MAX_RANK];
    size_t at = 0;
    for (size_t i = 0; fits && i < from->mesh->n_axes; i++)
        fits = split_axis(from, i, &axes);
    for (size_t i = 0; fits && i < axes.count; i++) {
        dims[i] = axes.dims[i];
        group *= axes.named[i] ? dims[i] : 1;
        fits = !__builtin_mul_overflow(total, dims[i], &total) && total <= MAX_DEVICES;
        if (!axes.named[i])
            permutation[at++] = (int32_t)i;
    }
    for (size_t k = 0; fits && k < from->n_axes; k++)
        for (size_t i = 0; i < axes.count; i++)
            if (axes.named[i] && axes.order[i] == k)
                permutation[at++] = (int32_t)i;
    if (!fits || at != axes.count)
        return ERROR(INVALID_ARGUMENT,
                     "its replica groups refer to axes that its mesh does not have");
    if (from->mesh->order || (from->mesh->n_devices && from->mesh->n_devices != (size_t)total))
        return ERROR(UNIMPLEMENTED,
                     "replica groups over a mesh with transposed devices are unsupported");
    Gantry__Hlo__IotaGroups iota = GANTRY__HLO__IOTA_GROUPS__INIT;
    iota.groups = total / group;
    iota.group_size = group;
    iota.dimensions = dims;
    iota.permutation = permutation;
    iota.n_dimensions = iota.n_permutation = axes.count;
    TRY(read_iota(h, &iota, out));
    if (!from->mesh->n_devices)
        return NULL;
    int64_t *devices = ARENA_ARRAY(h->arena, int64_t, (size_t)total);
    for (int64_t i = 0; i < total; i++)
        devices[i] = from->mesh->devices[out->at[i]];
    out->at = devices;
    return NULL;
}

struct error *hlo_groups_read(struct hlo *h, const hlo_instruction *in, struct pairs *out)
{
    if (in->mesh_devices)
        return read_mesh(h, in->mesh_devices, out);
    if (in->iota_devices)
        return read_iota(h, in->iota_devices, out);
    if (in->n_replica_groups || !in->devices)
        return read_written(h->arena, in->n_replica_groups, in->replica_groups, out);
    if (in->devices->iota && !in->devices->n_groups)
        return read_iota(h, in->devices->iota, out);
    return read_written(h->arena, in->devices->n_groups, in->devices->groups, out);
}
