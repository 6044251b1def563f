#include "compiler/frontend/mlir/mlir_groups.h"

#include "compiler/frontend/mlir/mlir_sdy.h"
#include "compiler/ir/mesh_groups.h"

static struct error *check_list(const struct mlir_attr *list, enum mlir_attr_kind kind,
                                const char *expected)
{
    if (list->kind != MLIR_ARRAY)
        return ERROR(INVALID_ARGUMENT, "is %s, expected a list of %s", list->name, expected);
    for (size_t i = 0; i < list->array.count; i++)
        if (list->array.at[i]->kind != kind)
            return ERROR(INVALID_ARGUMENT, "has %s in a list of %s", list->array.at[i]->name,
                         expected);
    return NULL;
}

struct error *mlir_groups_mesh(struct arena *arena, const struct mlir_attr *axes,
                               struct mlir_attr *ids, struct mlir_attr *out)
{
    size_t count = axes->kind == MLIR_ARRAY ? axes->array.count : 0;
    const char **names = ARENA_ARRAY(arena, const char *, count);
    int64_t *sizes = ARENA_ARRAY(arena, int64_t, count);
    const struct dims *devices = &(const struct dims){0};
    TRY(check_list(axes, MLIR_AXIS_SIZE, "mesh axes"));
    for (size_t i = 0; i < count; i++) {
        names[i] = axes->array.at[i]->axis->name;
        sizes[i] = axes->array.at[i]->axis->size;
    }
    if (ids)
        TRY(error_prefix(mlir_attr_ints(arena, ids, &devices), "device_ids"));
    out->kind = MLIR_MESH;
    return mlir_sdy_mesh(arena, count, names, sizes, *devices, &out->mesh);
}

struct error *mlir_groups_make(struct arena *arena, const struct mlir_attr *mesh,
                               const struct mlir_attr *axes, struct mlir_attr *out)
{
    size_t count = axes->kind == MLIR_ARRAY ? axes->array.count : 0;
    struct mlir_groups *groups = ARENA_NEW(arena, struct mlir_groups);
    struct mlir_axis *copies = ARENA_ARRAY(arena, struct mlir_axis, count);
    TRY(check_list(axes, MLIR_AXIS, "axes of a mesh"));
    if (mesh->kind != MLIR_MESH && mesh->kind != MLIR_SYMBOL && mesh->kind != MLIR_STRING)
        return ERROR(INVALID_ARGUMENT, "has %s where a mesh or its name is expected", mesh->name);
    for (size_t i = 0; i < count; i++)
        copies[i] = *axes->array.at[i]->axis;
    *groups = (struct mlir_groups){.mesh = mesh, .axes = {count, copies}};
    out->kind = MLIR_GROUPS;
    out->groups = groups;
    return NULL;
}

static struct error *find_mesh(const struct mlir_program *program, const struct mlir_attr *attr,
                               const struct mesh **out)
{
    *out = attr->kind == MLIR_MESH
               ? attr->mesh
               : map_get(program->module->meshes, attr->string.data, attr->string.size);
    return *out ? NULL
                : ERROR(INVALID_ARGUMENT,
                        "refers to an unknown mesh @%s; meshes must be defined "
                        "in the module",
                        attr->string.data);
}

static struct error *charge(struct mlir_program *program, int64_t work)
{
    if (work > MLIR_GROUPS_MAX_WORK - program->group_work)
        return ERROR(RESOURCE_EXHAUSTED,
                     "the program's replica groups list more than %d devices; define one mesh for "
                     "all of them, and give it no more devices than the program runs on",
                     MLIR_GROUPS_MAX_WORK);
    program->group_work += work;
    return NULL;
}

/* Equal groups of a mesh are listed once. */
static struct error *list_groups(struct mlir_program *program, const struct mesh *mesh,
                                 struct axis_refs axes, const struct pairs **out)
{
    size_t count = 1 + 3 * (size_t)axes.count, at = 0;
    int64_t *key = ARENA_ARRAY(program->arena, int64_t, count);
    key[at++] = (int64_t)(intptr_t)mesh;
    for (int i = 0; i < axes.count; i++) {
        key[at++] = axes.at[i].axis;
        key[at++] = axes.at[i].pre_size;
        key[at++] = axes.at[i].size;
    }
    *out = map_get(program->groups, key, count * sizeof *key);
    if (*out)
        return charge(program, mesh->device_count);
    struct pairs *groups = ARENA_NEW(program->arena, struct pairs);
    TRY(charge(program, MLIR_GROUPS_NEW * mesh->device_count));
    TRY(mesh_groups(program->arena, mesh, axes, groups));
    map_put(program->groups, key, count * sizeof *key, groups);
    *out = groups;
    return NULL;
}

struct error *mlir_groups_set(struct mlir_program *program, const struct mlir_attr *attr,
                              struct pairs *out)
{
    const struct mesh *mesh;
    struct axis_refs axes;
    const struct pairs *groups;
    TRY(find_mesh(program, attr->groups->mesh, &mesh));
    TRY(mlir_sdy_axes(program->arena, mesh, attr->groups->axes, &axes));
    TRY(list_groups(program, mesh, axes, &groups));
    *out = *groups;
    return NULL;
}
