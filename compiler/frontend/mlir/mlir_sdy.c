#include "compiler/frontend/mlir/mlir_sdy.h"

#include <string.h>

enum mlir_sdy_op mlir_sdy_op(struct string name)
{
    static const struct {
        const char *name;
        enum mlir_sdy_op op;
    } ops[] = {
        {"sharding_constraint", MLIR_SDY_CONSTRAINT},
        {"reshard", MLIR_SDY_CONSTRAINT},
        {"propagation_barrier", MLIR_SDY_IDENTITY},
        {"data_flow_edge", MLIR_SDY_IDENTITY},
        {"manual_computation", MLIR_SDY_MANUAL},
        {"named_computation", MLIR_SDY_NAMED},
        {"sharding_group", MLIR_SDY_GROUP},
        {"return", MLIR_SDY_RETURN},
        {"mesh", MLIR_SDY_MESH},
    };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (strlen(ops[i].name) == name.size && memcmp(ops[i].name, name.data, name.size) == 0)
            return ops[i].op;
    return MLIR_SDY_UNKNOWN;
}

/* ---- meshes ---------------------------------------------------------------------------------- */

struct error *mlir_sdy_mesh(struct arena *arena, size_t axis_count, const char *const *names,
                            const int64_t *sizes, struct dims ids, const struct mesh **out)
{
    struct mesh *mesh = ARENA_NEW(arena, struct mesh);
    if (axis_count > SHARDING_MAX_AXES)
        return ERROR(INVALID_ARGUMENT, "sdy: a mesh has %zu axes; the limit is %d", axis_count,
                     SHARDING_MAX_AXES);
    mesh->device_count = 1;
    for (size_t i = 0; i < axis_count; i++) {
        if (sizes[i] < 1 || sizes[i] > SHARDING_MAX_DEVICES / mesh->device_count)
            return ERROR(INVALID_ARGUMENT,
                         "sdy: axis %zu of a mesh has size %lld; sizes must be positive and their "
                         "product at most %lld",
                         i, (long long)sizes[i], (long long)SHARDING_MAX_DEVICES);
        mesh->device_count *= sizes[i];
    }
    if (ids.count > 0 && ids.count != mesh->device_count)
        return ERROR(INVALID_ARGUMENT,
                     "sdy: a mesh of %lld devices has %lld ids; the numbers must be equal",
                     (long long)mesh->device_count, (long long)ids.count);
    mesh->axis_count = (int)axis_count;
    mesh->axis_names = names;
    mesh->axis_sizes = sizes;
    mesh->device_ids = ids.count > 0 ? ids.at : NULL;
    *out = mesh;
    return NULL;
}

struct error *mlir_sdy_define(struct mlir_program *program, struct string name,
                              const struct mlir_attr *attr)
{
    if (!attr || attr->kind != MLIR_MESH)
        return ERROR(INVALID_ARGUMENT, "sdy.mesh must have a mesh attribute");
    struct mesh *mesh = arena_copy(program->arena, attr->mesh, sizeof *attr->mesh);
    mesh->name = arena_string(program->arena, name.data, name.size);
    if (!map_put(program->module->meshes, name.data, name.size, mesh))
        return NULL;
    return ERROR(INVALID_ARGUMENT, "the mesh @%s is already defined", mesh->name);
}

/* ---- shardings ------------------------------------------------------------------------------- */

static struct error *find_axis(const struct mesh *mesh, const struct mlir_axis *from,
                               struct axis_ref *out)
{
    *out = (struct axis_ref){0, from->pre_size, from->size};
    while (out->axis < mesh->axis_count && strcmp(mesh->axis_names[out->axis], from->name) != 0)
        out->axis++;
    if (out->axis == mesh->axis_count)
        return ERROR(INVALID_ARGUMENT, "sdy: the mesh @%s has no axis \"%s\"",
                     mesh->name ? mesh->name : "", from->name);
    if (out->pre_size == 1 && out->size == mesh->axis_sizes[out->axis])
        out->pre_size = out->size = 0;
    return NULL;
}

static struct error *find_axes(struct arena *arena, const struct mesh *mesh, struct mlir_axes from,
                               struct axis_refs *out)
{
    struct axis_ref *axes = ARENA_ARRAY(arena, struct axis_ref, from.count);
    for (size_t i = 0; i < from.count; i++)
        TRY(find_axis(mesh, &from.at[i], &axes[i]));
    *out = (struct axis_refs){(int)from.count, axes};
    return NULL;
}

struct error *mlir_sdy_sharding(struct arena *arena, const struct mlir_sharding *from,
                                const struct sharding **out)
{
    const struct mesh *mesh = from->mesh;
    struct sharding *sharding = ARENA_NEW(arena, struct sharding);
    struct dim_sharding *dims = ARENA_ARRAY(arena, struct dim_sharding, from->rank);
    *out = sharding;
    if (mesh->axis_count == 0 && mesh->device_ids) {
        sharding->kind = SHARDING_MAXIMAL;
        sharding->device = mesh->device_ids[0];
        return sharding_check(sharding, 0);
    }
    for (size_t i = 0; i < from->rank; i++) {
        TRY(find_axes(arena, mesh, from->dims[i].axes, &dims[i].axes));
        dims[i].is_closed = from->dims[i].is_closed;
        dims[i].priority = from->dims[i].priority;
    }
    sharding->mesh = mesh;
    sharding->rank = (int)from->rank;
    sharding->dims = dims;
    TRY(find_axes(arena, mesh, from->replicated, &sharding->replicated));
    TRY(find_axes(arena, mesh, from->unreduced, &sharding->unreduced));
    TRY(find_axes(arena, mesh, from->manual, &sharding->manual));
    return sharding_check(sharding, sharding->rank);
}

/* ---- values ---------------------------------------------------------------------------------- */

void mlir_sdy_annotate(struct arena *arena, struct value *value, const struct sharding *sharding)
{
    if (!value->type || value->type->kind != TYPE_TENSOR || value->type->sharding)
        return;
    struct type *type = arena_copy(arena, value->type, sizeof *value->type);
    type->sharding = sharding;
    value->type = type;
}

static const struct mesh *first_mesh(const struct mlir_attr *shardings)
{
    bool any = shardings && shardings->kind == MLIR_ARRAY && shardings->array.count > 0;
    return any && shardings->array.at[0]->kind == MLIR_SHARDING
               ? shardings->array.at[0]->sharding->mesh
               : NULL;
}

static int64_t axis_size(const struct mesh *mesh, struct string name)
{
    for (int i = 0; mesh && i < mesh->axis_count; i++)
        if (strlen(mesh->axis_names[i]) == name.size &&
            memcmp(mesh->axis_names[i], name.data, name.size) == 0)
            return mesh->axis_sizes[i];
    return -1;
}

struct error *mlir_sdy_check_manual(const struct mlir_attr *in_shardings,
                                    const struct mlir_attr *out_shardings,
                                    const struct mlir_attr *manual_axes)
{
    const struct mesh *mesh = first_mesh(in_shardings);
    if (!mesh)
        mesh = first_mesh(out_shardings);
    for (size_t i = 0;
         manual_axes && manual_axes->kind == MLIR_ARRAY && i < manual_axes->array.count; i++) {
        const struct mlir_attr *axis = manual_axes->array.at[i];
        struct string name = axis->kind == MLIR_STRING ? axis->string : (struct string){1, "?"};
        int64_t size = axis->kind == MLIR_STRING ? axis_size(mesh, name) : -1;
        if (size != 1)
            return ERROR(UNIMPLEMENTED,
                         "manual axis \"%.*s\" has %lld devices; only manual axes of one device "
                         "are supported",
                         (int)name.size, name.data, (long long)size);
    }
    return NULL;
}
