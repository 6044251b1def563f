#include "compiler/passes/spmd/spmd_mesh.h"

#include <inttypes.h>
#include <string.h>

#include "base/intern.h"

struct spmd_mesh {
    struct device_grid grid;
    const struct mesh *mesh; /* the same as a mesh of the IR */
    struct map *strides;     /* struct mesh -> the strides of its axes over positions */
    struct map *moves;       /* struct mesh -> int64_t[devices]: spmd_mesh_moves() */
    int groups[TILING_MAX_AXES];
};

/* Boundaries between axes: numbers b of consecutive positions such that an axis or a part of one
 * begins or ends there. */
struct maker {
    struct module *module;
    struct spmd_mesh *mesh;
    struct map *checked; /* meshes whose device ids each occur once */
    int64_t *positions;  /* of each partition; NULL: 0, 1, 2 ... */
    bool has_order;      /* `positions` are those of a manual computation */
    int64_t compared;    /* devices of meshes whose order was compared with that of the positions */
    int count;
    int64_t boundaries[2 * TILING_MAX_AXES + 2]; /* descending; each divides the one before */
};

enum { MOST_COMPARED = 1 << 26 };

/* ---- the order of devices -------------------------------------------------------------------- */
/* The strides of the axes over the positions in the mesh itself. */
static int64_t *row_major_strides(struct arena *arena, const struct mesh *mesh)
{
    int64_t *strides = ARENA_ARRAY(arena, int64_t, (size_t)mesh->axis_count), stride = 1;
    for (int axis = mesh->axis_count - 1; axis >= 0; axis--) {
        strides[axis] = stride;
        stride *= mesh->axis_sizes[axis];
    }
    return strides;
}

/* The grid's position of device i of a mesh. */
static int64_t position_of(const struct maker *m, const struct mesh *mesh, int64_t i)
{
    int64_t partition = mesh->device_ids ? mesh->device_ids[i] : i;
    return m->positions ? m->positions[partition] : partition;
}

/* Whether the position of each device is the sum of its coordinates times `strides`. */
static bool are_strides(const struct maker *m, const struct mesh *mesh, const int64_t *row_major,
                        const int64_t *strides)
{
    for (int64_t i = 0; i < mesh->device_count; i++) {
        int64_t position = 0;
        for (int axis = 0; axis < mesh->axis_count; axis++)
            position += i / row_major[axis] % mesh->axis_sizes[axis] * strides[axis];
        if (position != position_of(m, mesh, i))
            return false;
    }
    return true;
}

/* Sets the strides of the axes over the grid's positions; false if the axes do not describe the
 * mesh's order of devices. */
static bool find_strides(const struct maker *m, const struct mesh *mesh, int64_t **out)
{
    int64_t *row_major = row_major_strides(m->module->arena, mesh);
    *out = row_major;
    if (!mesh->device_ids && !m->positions)
        return true;
    int64_t *strides = ARENA_ARRAY(m->module->arena, int64_t, (size_t)mesh->axis_count);
    for (int axis = 0; axis < mesh->axis_count; axis++)
        if (mesh->axis_sizes[axis] > 1)
            strides[axis] = position_of(m, mesh, row_major[axis]);
    *out = strides;
    return are_strides(m, mesh, row_major, strides);
}

/* The position of each device in a mesh: the inverse of its device ids. */
static struct error *invert_order(struct arena *arena, const struct mesh *mesh, int64_t **out)
{
    int64_t count = mesh->device_count;
    int64_t *positions = ARENA_ARRAY(arena, int64_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        positions[i] = -1;
    for (int64_t i = 0; i < count; i++) {
        int64_t id = mesh->device_ids[i];
        if (id < 0 || id >= count || positions[id] >= 0)
            return ERROR(INVALID_ARGUMENT,
                         "the device ids of a mesh of %" PRId64 " devices have %" PRId64
                         " %s; each of 0 to %" PRId64 " must occur once",
                         count, id, id < 0 || id >= count ? "out of range" : "twice", count - 1);
        positions[id] = i;
    }
    *out = positions;
    return NULL;
}

/* A manual computation gives the grid its order, since what it computes depends on it; else the
 * first mesh whose axes do not describe its order of devices. */
static struct error *check_order(struct maker *m, const struct mesh *mesh)
{
    int64_t *strides, *positions = NULL;
    if (!mesh->device_ids || map_get_pointer(m->checked, mesh))
        return NULL;
    TRY(invert_order(m->module->arena, mesh, &positions));
    map_put_pointer(m->checked, mesh, positions);
    if (m->has_order || m->positions || find_strides(m, mesh, &strides))
        return NULL;
    m->positions = positions;
    m->mesh->grid.partitions = mesh->device_ids;
    return NULL;
}

/* The grid's position of each device of a mesh of another order. */
static int64_t *list_moves(const struct maker *m, const struct mesh *mesh)
{
    int64_t *moves = ARENA_ARRAY(m->module->arena, int64_t, (size_t)mesh->device_count);
    for (int64_t i = 0; i < mesh->device_count; i++)
        moves[i] = position_of(m, mesh, i);
    return moves;
}

static struct error *add_strides(struct maker *m, const struct mesh *mesh)
{
    int64_t *strides;
    m->compared += m->positions || mesh->device_ids ? mesh->device_count : 0;
    if (m->compared > MOST_COMPARED)
        return ERROR(RESOURCE_EXHAUSTED,
                     "the meshes of this program list more than %d device ids in total; use fewer "
                     "meshes, or meshes in iota order",
                     MOST_COMPARED);
    if (!find_strides(m, mesh, &strides)) {
        map_put_pointer(m->mesh->moves, mesh, list_moves(m, mesh));
        strides = row_major_strides(m->module->arena, mesh);
    }
    map_put_pointer(m->mesh->strides, mesh, strides);
    return NULL;
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

/* The positions that a reference is about: `size` coordinates, `stride` apart. */
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
typedef struct error *visit_sharding(struct maker *m, const struct sharding *sharding);

static bool uses_axes(const struct sharding *sharding)
{
    int count = sharding->replicated.count + sharding->unreduced.count + sharding->manual.count;
    for (int dim = 0; dim < sharding->rank; dim++)
        count += sharding->dims[dim].axes.count;
    return count > 0;
}

static struct error *check_mesh(struct maker *m, const struct sharding *sharding)
{
    const struct mesh *mesh = sharding->mesh;
    if (mesh->device_count != m->module->num_partitions && mesh->device_count != 1)
        return ERROR(INVALID_ARGUMENT,
                     "a mesh has %" PRId64 " devices, but the program has %d partitions; the "
                     "numbers must be equal",
                     mesh->device_count, m->module->num_partitions);
    return mesh->device_count > 1 && uses_axes(sharding) ? check_order(m, mesh) : NULL;
}

static struct error *check_manual(struct maker *m, const struct sharding *sharding)
{
    if (!sharding->manual.count || sharding->mesh->device_count == 1)
        return NULL;
    TRY(check_mesh(m, sharding));
    m->has_order = true;
    return NULL;
}

static struct error *add_sharding(struct maker *m, const struct sharding *sharding)
{
    if (!uses_axes(sharding))
        return NULL;
    if (!map_get_pointer(m->mesh->strides, sharding->mesh))
        TRY(add_strides(m, sharding->mesh));
    if (sharding->manual.count && map_get_pointer(m->mesh->moves, sharding->mesh))
        return ERROR(UNIMPLEMENTED,
                     "the manual computations of this program have their devices in different "
                     "orders; use one order for all of them, and permute the device assignment");
    for (int dim = 0; dim < sharding->rank; dim++)
        TRY(add_axes(m, sharding->mesh, sharding->dims[dim].axes));
    TRY(add_axes(m, sharding->mesh, sharding->replicated));
    TRY(add_axes(m, sharding->mesh, sharding->unreduced));
    return add_axes(m, sharding->mesh, sharding->manual);
}

/* The sharding of a value of this type. Tilings are made of the shardings that pass here, so this
 * asserts that each has the rank of its value. */
static struct error *visit(struct maker *m, visit_sharding *call, const struct sharding *sharding,
                           const struct type *type)
{
    if (!sharding || sharding->kind == SHARDING_MAXIMAL)
        return NULL;
    if (type->kind != TYPE_TENSOR || sharding->rank != type->shape.rank)
        return ERROR(INTERNAL, "a sharding of %d dimensions was attached to %s", sharding->rank,
                     type_text(m->module->arena, type));
    return call(m, sharding);
}

static struct error *visit_type(struct maker *m, visit_sharding *call, const struct type *type)
{
    return visit(m, call, type->sharding, type);
}

/* An argument or a result of the entry function. */
static struct error *visit_boundary(struct maker *m, visit_sharding *call, const char *what, int i,
                                    const struct type *type)
{
    return error_prefix(visit_type(m, call, type), "%s %d of '%s'", what, i, m->module->name);
}

static struct error *visit_op(struct maker *m, visit_sharding *call, const struct op *op)
{
    for (int i = 0; i < op->result_count; i++)
        TRY(visit_type(m, call, op->results[i].type));
    for (int r = 0; r < op->region_count; r++)
        for (int i = 0; i < op->regions[r]->argument_count; i++)
            TRY(visit_type(m, call, op->regions[r]->arguments[i].type));
    if (op->code == OP_sharding_constraint)
        return visit(m, call, op->attrs.sharding.sharding, op->results[0].type);
    if (op->code == OP_full_to_shard || op->code == OP_shard_to_full)
        return visit(m, call, op->attrs.manual.sharding, op->results[0].type);
    return NULL;
}

static struct error *visit_block(struct maker *m, visit_sharding *call, const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next) {
        struct error *error = visit_op(m, call, op);
        if (error)
            return error_prefix(error, "%s", ir_where(m->module->arena, op));
        for (int r = 0; r < op->region_count; r++)
            TRY(visit_block(m, call, op->regions[r]));
    }
    return NULL;
}

static struct error *visit_entry(struct maker *m, visit_sharding *call)
{
    const struct func *entry = m->module->entry;
    for (int i = 0; i < entry->body->argument_count; i++)
        TRY(visit_boundary(m, call, "argument", i, entry->body->arguments[i].type));
    TRY(visit_block(m, call, entry->body));
    for (int i = 0; i < entry->body->argument_count; i++)
        TRY(visit_boundary(m, call, "argument", i, ir_argument_type(entry, i)));
    for (int i = 0; i < entry->result_count; i++)
        TRY(visit_boundary(m, call, "result", i, entry->result_types[i]));
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

/* Splits the positions between two boundaries into axes of prime sizes, so that the factors of a
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
                          .device_count = grid->device_count,
                          .device_ids = grid->partitions};
    return mesh;
}

struct error *spmd_mesh_create(struct module *module, const struct spmd_mesh **out)
{
    struct arena *arena = module->arena;
    struct spmd_mesh *mesh = ARENA_NEW(arena, struct spmd_mesh);
    struct maker m = {.module = module, .mesh = mesh, .checked = map_create(arena)};
    if (module->num_partitions > SHARDING_MAX_DEVICES)
        return ERROR(INVALID_ARGUMENT, "the program has %d partitions; at most %d are supported",
                     module->num_partitions, (int)SHARDING_MAX_DEVICES);
    mesh->strides = map_create(arena);
    mesh->moves = map_create(arena);
    TRY(add_boundary(&m, module->num_partitions));
    TRY(add_boundary(&m, 1));
    TRY(visit_entry(&m, check_manual));
    TRY(visit_entry(&m, check_mesh));
    TRY(visit_entry(&m, add_sharding));
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

const int64_t *spmd_mesh_moves(const struct spmd_mesh *mesh, const struct sharding *sharding)
{
    return sharding && sharding->kind == SHARDING_TILED
               ? map_get_pointer(mesh->moves, sharding->mesh)
               : NULL;
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
                                const struct sharding *sharding, int rank)
{
    struct tiling *tiling = tiling_replicated(arena, rank);
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
    struct axis_ref at[TILING_MAX_AXES];
    memset(at, 0, sizeof at);
    for (int i = 0; i < list->count; i++)
        at[i].axis = list->at[i];
    return (struct axis_refs){list->count, INTERN_ARRAY(arena, struct axis_ref, at, list->count)};
}

const struct sharding *spmd_mesh_sharding(struct arena *arena, const struct spmd_mesh *mesh,
                                          const struct tiling *tiling)
{
    struct sharding sharding;
    struct dim_sharding dims[SHAPE_MAX_RANK];
    struct axis_list unreduced = {0};
    memset(&sharding, 0, sizeof sharding);
    memset(dims, 0, sizeof dims);
    for (int dim = 0; dim < tiling->rank; dim++) {
        dims[dim].axes = refs_of(arena, &tiling->dims[dim]);
        dims[dim].is_closed = !(tiling->open >> dim & 1);
        dims[dim].priority = -1;
    }
    for (int axis = 0; axis < mesh->grid.axis_count; axis++)
        if (tiling->unreduced >> axis & 1)
            unreduced.at[unreduced.count++] = (uint8_t)axis;
    sharding.kind = SHARDING_TILED;
    sharding.mesh = mesh->mesh;
    sharding.rank = tiling->rank;
    sharding.dims = INTERN_ARRAY(arena, struct dim_sharding, dims, tiling->rank);
    sharding.unreduced = refs_of(arena, &unreduced);
    return INTERN_ARRAY(arena, struct sharding, &sharding, 1);
}
