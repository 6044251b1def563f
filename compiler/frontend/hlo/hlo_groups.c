#include "compiler/frontend/hlo/hlo_groups.h"

#include "compiler/ir/mesh_groups.h"

#define MAX_DEVICES (1 << 20) /* SHARDING_MAX_DEVICES */
#define DEVICES_PER_UNIT 64   /* devices for each unit of work of hlo_module_charge() */
#define MAX_PADDING 16        /* entries of the padded table for each device */

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

/* The devices of a mesh in its order; NULL: 0, 1, 2 ... */
static struct error *read_devices(struct hlo *h, const Gantry__Hlo__Mesh *from, int64_t count,
                                  const int64_t **out)
{
    Gantry__Hlo__IotaGroups iota = GANTRY__HLO__IOTA_GROUPS__INIT;
    struct pairs devices = {1, (int64_t)from->n_devices, from->devices};
    if (from->order) {
        int32_t permutation[SHAPE_MAX_RANK];
        size_t rank = from->order->n_permutation;
        for (size_t i = 0; i < rank && i < SHAPE_MAX_RANK; i++)
            permutation[i] = (int32_t)from->order->permutation[i];
        iota.groups = 1;
        iota.group_size = count;
        iota.n_dimensions = from->order->n_dimensions;
        iota.dimensions = from->order->dimensions;
        iota.n_permutation = rank;
        iota.permutation = permutation;
        TRY(read_iota(h, &iota, &devices));
    }
    *out = devices.columns ? devices.at : NULL;
    if (devices.columns && devices.columns != count)
        return ERROR(INVALID_ARGUMENT,
                     "the mesh of its replica groups has %lld devices and lists %lld",
                     (long long)count, (long long)devices.columns);
    return NULL;
}

static struct error *read_mesh(struct hlo *h, const Gantry__Hlo__Mesh *from, struct mesh *mesh)
{
    size_t count = from->n_axes;
    int64_t *sizes = ARENA_ARRAY(h->arena, int64_t, count);
    const char **names = ARENA_ARRAY(h->arena, const char *, count);
    *mesh = (struct mesh){.axis_names = names, .axis_sizes = sizes, .device_count = 1};
    for (size_t i = 0; i < count; i++) {
        sizes[i] = from->axes[i]->size;
        names[i] = arena_format(h->arena, "%zu", i);
        if (count > SHARDING_MAX_AXES || sizes[i] < 1 || sizes[i] > MAX_DEVICES ||
            mesh->device_count > MAX_DEVICES / sizes[i])
            return ERROR(INVALID_ARGUMENT,
                         "the mesh of its replica groups has %zu axes, one of them of size %lld; "
                         "allowed are %d axes of at least 1 and %d devices in total",
                         count, (long long)sizes[i], SHARDING_MAX_AXES, MAX_DEVICES);
        mesh->device_count *= sizes[i];
    }
    mesh->axis_count = (int)count;
    return read_devices(h, from, mesh->device_count, &mesh->device_ids);
}

static struct error *read_axes(struct hlo *h, const Gantry__Hlo__MeshGroups *from,
                               struct pairs *out)
{
    struct mesh mesh;
    struct axis_ref *axes = ARENA_ARRAY(h->arena, struct axis_ref, from->n_axes);
    if (!from->mesh || from->n_axes > 2 * SHARDING_MAX_AXES)
        return ERROR(INVALID_ARGUMENT,
                     "its replica groups must have a mesh and at most %d axes; they have %zu",
                     2 * SHARDING_MAX_AXES, from->n_axes);
    TRY(read_mesh(h, from->mesh, &mesh));
    TRY(hlo_module_charge(h, (size_t)mesh.device_count / DEVICES_PER_UNIT));
    for (size_t i = 0; i < from->n_axes; i++) {
        const Gantry__Hlo__AxisReference *axis = from->axes[i];
        bool fits = axis->axis >= 0 && axis->axis < mesh.axis_count &&
                    (!axis->part || axis->part->size > 0);
        axes[i].axis = fits ? (int)axis->axis : -1;
        if (axis->part) {
            axes[i].pre_size = axis->part->before;
            axes[i].size = axis->part->size;
        }
    }
    return mesh_groups(h->arena, &mesh, (struct axis_refs){(int)from->n_axes, axes}, out);
}

struct error *hlo_groups_read(struct hlo *h, const hlo_instruction *in, struct pairs *out)
{
    if (in->mesh_devices)
        return read_axes(h, in->mesh_devices, out);
    if (in->iota_devices)
        return read_iota(h, in->iota_devices, out);
    if (in->n_replica_groups || !in->devices)
        return read_written(h->arena, in->n_replica_groups, in->replica_groups, out);
    if (in->devices->iota && !in->devices->n_groups)
        return read_iota(h, in->devices->iota, out);
    return read_written(h->arena, in->devices->n_groups, in->devices->groups, out);
}
