#include "compiler/passes/spmd/spmd_mesh.h"

#include <inttypes.h>

struct spmd_mesh {
    struct device_grid grid;
    const struct mesh *mesh; /* the same as a mesh of the IR */
    struct map *strides;     /* struct mesh -> the strides of its axes over partition ids */
    int groups[TILING_MAX_AXES];
};

/* Boundaries between axes: numbers b of consecutive partitions such that an axis or a part of one
 * begins or ends there. */
struct maker {
    struct module *module;
    struct spmd_mesh *mesh;
    int count;
    int64_t boundaries[2 * TILING_MAX_AXES + 2]; /* descending; each divides the one before */
};

/* ---- the order of devices -------------------------------------------------------------------- */
/* The strides of the axes over the positions in the mesh. */
static int64_t *row_major_strides(struct arena *arena, const struct mesh *mesh)
{
    int64_t *strides = ARENA_ARRAY(arena, int64_t, (size_t)mesh->axis_count), stride = 1;
    for (int axis = mesh->axis_count - 1; axis >= 0; axis--) {
        strides[axis] = stride;
        stride *= mesh->axis_sizes[axis];
    }
    return strides;
}

/* Whether device_ids[position] is the sum of the coordinates times `strides`, and each id of
 * [0, device_count) occurs once. */
static bool are_strides(struct arena *arena, const struct mesh *mesh, const int64_t *positions,
                        const int64_t *strides)
{
    bool *seen = ARENA_ARRAY(arena, bool, (size_t)mesh->device_count);
    for (int axis = 0; axis < mesh->axis_count; axis++)
        if (strides[axis] < 0 || strides[axis] >= mesh->device_count)
            return false;
    for (int64_t i = 0; i < mesh->device_count; i++) {
        int64_t id = 0;
        for (int axis = 0; axis < mesh->axis_count; axis++)
            id += i / positions[axis] % mesh->axis_sizes[axis] * strides[axis];
        if (id != mesh->device_ids[i] || id >= mesh->device_count || seen[id])
            return false;
        seen[id] = true;
    }
    return true;
}

/* The strides of the axes over the partition ids. */
static struct error *strides_of(struct arena *arena, const struct mesh *mesh, int64_t **out)
{
    int64_t *positions = row_major_strides(arena, mesh);
    *out = positions;
    if (!mesh->device_ids)
        return NULL;
    int64_t *strides = ARENA_ARRAY(arena, int64_t, (size_t)mesh->axis_count);
    for (int axis = 0; axis < mesh->axis_count; axis++)
        if (mesh->axis_sizes[axis] > 1)
            strides[axis] = mesh->device_ids[positions[axis]];
    *out = strides;
    return are_strides(arena, mesh, positions, strides)
               ? NULL
               : ERROR(UNIMPLEMENTED,
                       "the devices of a mesh of %" PRId64 " devices are in an order that its "
                       "axes do not describe; use a mesh whose device ids are 0, 1, 2, ... and "
                       "permute the device assignment",
                       mesh->device_count);
}

/* ---- boundaries ------------------------------------------------------------------------------ */
static struct error *no_refinement(int64_t a, int64_t b)
{
    return ERROR(UNIMPLEMENTED,
                 "the meshes of this program have no common refinement: one has a boundary every "
                 "%" PRId64 " partitions, another every %" PRId64 ", and neither divides the other",
                 a, b);
}

static struct error *add_boundary(struct maker *m, int64_t boundary)
{
    int i = 0;
    while (i < m->count && m->boundaries[i] > boundary)
        i++;
    if (i < m->count && m->boundaries[i] == boundary)
        return NULL;
    if (i && m->boundaries[i - 1] % boundary)
        return no_refinement(m->boundaries[i - 1], boundary);
    if (i < m->count && boundary % m->boundaries[i])
        return no_refinement(boundary, m->boundaries[i]);
    for (int k = m->count++; k > i; k--) /* fits: each is at least twice the next */
        m->boundaries[k] = m->boundaries[k - 1];
    m->boundaries[i] = boundary;
    return NULL;
}

/* The partition ids that a reference is about: `size` coordinates, `stride` apart. */
static void extent_of(const struct mesh *mesh, const int64_t *strides, struct axis_ref ref,
                      int64_t *size, int64_t *stride)
{
    int64_t whole = mesh->axis_sizes[ref.axis];
    *size = ref.size ? ref.size : whole;
    *stride =
        ref.size ? strides[ref.axis] * (whole / (ref.pre_size * ref.size)) : strides[ref.axis];
}

static struct error *add_axes(struct maker *m, const struct mesh *mesh, struct axis_refs axes)
{
    const int64_t *strides = map_get_pointer(m->mesh->strides, mesh);
    for (int i = 0; i < axes.count; i++) {
        int64_t size, stride;
        extent_of(mesh, strides, axes.at[i], &size, &stride);
        if (size == 1)
            continue;
        TRY(add_boundary(m, stride));
        TRY(add_boundary(m, stride * size));
    }
    return NULL;
}

/* ---- collecting ------------------------------------------------------------------------------ */
static struct error *add_mesh(struct maker *m, const struct mesh *mesh)
{
    int64_t *strides;
    if (map_get_pointer(m->mesh->strides, mesh))
        return NULL;
    if (mesh->device_count != m->module->num_partitions && mesh->device_count != 1)
        return ERROR(INVALID_ARGUMENT,
                     "a mesh has %" PRId64 " devices, but the program has %d partitions; the "
                     "numbers must be equal",
                     mesh->device_count, m->module->num_partitions);
    TRY(strides_of(m->module->arena, mesh, &strides));
    map_put_pointer(m->mesh->strides, mesh, strides);
    return NULL;
}

static struct error *add_sharding(struct maker *m, const struct sharding *sharding)
{
    if (!sharding || sharding->kind == SHARDING_MAXIMAL)
        return NULL;
    TRY(add_mesh(m, sharding->mesh));
    for (int dim = 0; dim < sharding->rank; dim++)
        TRY(add_axes(m, sharding->mesh, sharding->dims[dim].axes));
    TRY(add_axes(m, sharding->mesh, sharding->replicated));
    TRY(add_axes(m, sharding->mesh, sharding->unreduced));
    return add_axes(m, sharding->mesh, sharding->manual);
}

static struct error *add_block(struct maker *m, const struct block *block)
{
    for (int i = 0; i < block->argument_count; i++)
        TRY(add_sharding(m, block->arguments[i].type->sharding));
    for (const struct op *op = block->first; op; op = op->next) {
        for (int i = 0; i < op->result_count; i++)
            TRY(add_sharding(m, op->results[i].type->sharding));
        if (op->code == OP_sharding_constraint)
            TRY(add_sharding(m, op->attrs.sharding.sharding));
        if (op->code == OP_full_to_shard || op->code == OP_shard_to_full)
            TRY(add_sharding(m, op->attrs.manual.sharding));
        for (int r = 0; r < op->region_count; r++)
            TRY(add_block(m, op->regions[r]));
    }
    return NULL;
}

/* ---- the mesh -------------------------------------------------------------------------------- */
static int64_t smallest_divisor(int64_t number)
{
    for (int64_t divisor = 2; divisor * divisor <= number; divisor++)
        if (number % divisor == 0)
            return divisor;
    return number;
}

/* Splits the partitions between two boundaries into axes of prime sizes, so that the factors of a
 * reshaped dimension can be sharded by whole axes. */
static void make_grid(struct maker *m)
{
    struct device_grid *grid = &m->mesh->grid;
    grid->device_count = m->module->num_partitions;
    for (int i = 0; i + 1 < m->count; i++) {
        int64_t left = m->boundaries[i] / m->boundaries[i + 1];
        while (left > 1) {
            int64_t size = smallest_divisor(left);
            left /= size;
            m->mesh->groups[grid->axis_count] = i;
            grid->sizes[grid->axis_count] = size;
            grid->strides[grid->axis_count++] = left * m->boundaries[i + 1];
        }
    }
}

/* The grid as a mesh of the IR, with axes "axis_0", "axis_1", ... */
static const struct mesh *make_mesh(struct arena *arena, const struct device_grid *grid)
{
    struct mesh *mesh = ARENA_NEW(arena, struct mesh);
    size_t count = (size_t)grid->axis_count;
    const char **names = ARENA_ARRAY(arena, const char *, count);
    for (size_t i = 0; i < count; i++)
        names[i] = arena_format(arena, "axis_%zu", i);
    *mesh = (struct mesh){.axis_count = grid->axis_count,
                          .axis_names = names,
                          .axis_sizes = arena_copy(arena, grid->sizes, count * sizeof(int64_t)),
                          .device_count = grid->device_count};
    return mesh;
}

struct error *spmd_mesh_create(struct module *module, const struct spmd_mesh **out)
{
    struct arena *arena = module->arena;
    struct spmd_mesh *mesh = ARENA_NEW(arena, struct spmd_mesh);
    struct maker m = {.module = module, .mesh = mesh};
    const struct func *entry = module->entry;
    if (module->num_partitions > SHARDING_MAX_DEVICES)
        return ERROR(INVALID_ARGUMENT, "the program has %d partitions; at most %d are supported",
                     module->num_partitions, (int)SHARDING_MAX_DEVICES);
    mesh->strides = map_create(arena);
    TRY(add_boundary(&m, module->num_partitions));
    TRY(add_boundary(&m, 1));
    TRY(add_block(&m, entry->body));
    for (int i = 0; i < entry->body->argument_count; i++)
        TRY(add_sharding(&m, ir_argument_type(entry, i)->sharding));
    for (int i = 0; i < entry->result_count; i++)
        TRY(add_sharding(&m, entry->result_types[i]->sharding));
    if (m.boundaries[0] != module->num_partitions)
        return no_refinement(m.boundaries[0], module->num_partitions);
    make_grid(&m);
    mesh->mesh = make_mesh(arena, &mesh->grid);
    map_put_pointer(mesh->strides, mesh->mesh, row_major_strides(arena, mesh->mesh));
    *out = mesh;
    return NULL;
}

const struct device_grid *spmd_mesh_grid(const struct spmd_mesh *mesh)
{
    return &mesh->grid;
}

int spmd_mesh_group(const struct spmd_mesh *mesh, int axis)
{
    return mesh->groups[axis];
}

/* ---- conversions ----------------------------------------------------------------------------- */
/* Appends the axes of the grid that a reference covers. */
static void append_axes(const struct spmd_mesh *mesh, const struct sharding *sharding,
                        struct axis_ref ref, struct axis_list *list)
{
    const int64_t *strides = map_get_pointer(mesh->strides, sharding->mesh);
    int64_t size, stride;
    extent_of(sharding->mesh, strides, ref, &size, &stride);
    for (int axis = 0; axis < mesh->grid.axis_count; axis++)
        if (mesh->grid.strides[axis] >= stride &&
            mesh->grid.strides[axis] * mesh->grid.sizes[axis] <= stride * size)
            list->at[list->count++] = (uint8_t)axis;
}

static struct axis_list list_of(const struct spmd_mesh *mesh, const struct sharding *sharding,
                                struct axis_refs axes)
{
    struct axis_list list = {0};
    for (int i = 0; i < axes.count; i++)
        append_axes(mesh, sharding, axes.at[i], &list);
    return list;
}

uint32_t spmd_mesh_axes(const struct spmd_mesh *mesh, const struct sharding *sharding,
                        struct axis_refs axes)
{
    struct axis_list list = list_of(mesh, sharding, axes);
    return axis_list_set(&list);
}

uint32_t spmd_mesh_manual_axes(const struct spmd_mesh *mesh, const struct sharding *sharding)
{
    return sharding->kind == SHARDING_TILED ? spmd_mesh_axes(mesh, sharding, sharding->manual) : 0;
}

struct tiling *spmd_mesh_tiling(struct arena *arena, const struct spmd_mesh *mesh,
                                const struct sharding *sharding)
{
    struct tiling *tiling = tiling_replicated(arena, sharding->rank);
    if (sharding->kind == SHARDING_MAXIMAL)
        return tiling;
    for (int dim = 0; dim < sharding->rank; dim++) {
        tiling->dims[dim] = list_of(mesh, sharding, sharding->dims[dim].axes);
        if (!sharding->dims[dim].is_closed)
            tiling->open |= UINT32_C(1) << dim;
    }
    tiling->unreduced = spmd_mesh_axes(mesh, sharding, sharding->unreduced);
    return tiling;
}

static struct axis_refs refs_of(struct arena *arena, const struct axis_list *list)
{
    struct axis_ref *at = ARENA_ARRAY(arena, struct axis_ref, list->count);
    for (int i = 0; i < list->count; i++)
        at[i] = (struct axis_ref){.axis = list->at[i]};
    return (struct axis_refs){list->count, at};
}

const struct sharding *spmd_mesh_sharding(struct arena *arena, const struct spmd_mesh *mesh,
                                          const struct tiling *tiling)
{
    struct sharding *sharding = ARENA_NEW(arena, struct sharding);
    struct dim_sharding *dims = ARENA_ARRAY(arena, struct dim_sharding, (size_t)tiling->rank);
    struct axis_list unreduced = {0};
    for (int dim = 0; dim < tiling->rank; dim++)
        dims[dim] = (struct dim_sharding){.axes = refs_of(arena, &tiling->dims[dim]),
                                          .is_closed = !(tiling->open >> dim & 1),
                                          .priority = -1};
    for (int axis = 0; axis < mesh->grid.axis_count; axis++)
        if (tiling->unreduced >> axis & 1)
            unreduced.at[unreduced.count++] = (uint8_t)axis;
    *sharding = (struct sharding){.kind = SHARDING_TILED,
                                  .mesh = mesh->mesh,
                                  .rank = tiling->rank,
                                  .dims = dims,
                                  .unreduced = refs_of(arena, &unreduced)};
    return sharding;
}
