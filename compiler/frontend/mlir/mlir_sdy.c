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

struct error *mlir_sdy_axes(struct arena *arena, const struct mesh *mesh, struct mlir_axes from,
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
        TRY(mlir_sdy_axes(arena, mesh, from->dims[i].axes, &dims[i].axes));
        dims[i].is_closed = from->dims[i].is_closed;
        dims[i].priority = from->dims[i].priority;
    }
    sharding->mesh = mesh;
    sharding->rank = (int)from->rank;
    sharding->dims = dims;
    TRY(mlir_sdy_axes(arena, mesh, from->replicated, &sharding->replicated));
    TRY(mlir_sdy_axes(arena, mesh, from->unreduced, &sharding->unreduced));
    TRY(mlir_sdy_axes(arena, mesh, from->manual, &sharding->manual));
    return sharding_check(sharding, sharding->rank);
}

struct error *mlir_sdy_parse(const struct mlir_program *program, const struct mlir_attr *attr,
                             int count, const struct type *const *types, struct sharding_note *out)
{
    int *ranks = ARENA_ARRAY(program->arena, int, (size_t)count);
    if (attr->kind != MLIR_STRING)
        return ERROR(INVALID_ARGUMENT, "mhlo.sharding must be a string; it is %s", attr->name);
    for (int i = 0; i < count; i++)
        ranks[i] = types[i] && types[i]->kind == TYPE_TENSOR ? types[i]->shape.rank : -1;
    return sharding_parse(program->arena, attr->string, count, ranks,
                          program->module->num_partitions, out);
}

/* ---- values ---------------------------------------------------------------------------------- */

struct error *mlir_sdy_annotate(struct arena *arena, struct value *value,
                                const struct sharding *sharding)
{
    bool has_one = !value->type || value->type->sharding;
    return has_one ? NULL : sharding_attach(arena, value->type, sharding, &value->type);
}

struct error *mlir_sdy_check_results(const char *name, const struct mlir_attr *list,
                                     const struct op *op)
{
    size_t count = list->array.count;
    for (size_t i = 0; i < count; i++)
        if (list->array.at[i]->kind != MLIR_SHARDING)
            return ERROR(INVALID_ARGUMENT, "%s has %s in a list of shardings", name,
                         list->array.at[i]->name);
    if (count == (size_t)op->result_count ||
        (count == 1 &&
         (!op->result_count || list->array.at[0]->sharding->kind == SHARDING_MAXIMAL)))
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "%s has %zu shardings for %d results of %s; the numbers must be equal", name,
                 count, op->result_count, op_info(op->code)->name);
}

/* ---- operations ------------------------------------------------------------------------------ */

static struct value *add(const struct mlir_sdy_place *place, enum op_code code,
                         struct value *operand, const struct type *type, union attrs attrs)
{
    struct op *op = ir_op(place->program->module, code, 1, &operand, 1, &type, 0);
    op->attrs = attrs;
    op->location = place->location;
    if (place->before)
        ir_insert_before(place->before, op);
    else
        ir_append(place->block, op);
    return &op->results[0];
}

static bool is_tensor(const struct value *value)
{
    return value->type && value->type->kind == TYPE_TENSOR;
}

struct value *mlir_sdy_constrain(const struct mlir_sdy_place *place, struct value *value,
                                 const struct sharding *sharding)
{
    if (!is_tensor(value))
        return value;
    const struct type *type = type_plain(place->program->arena, value->type);
    union attrs attrs = {.sharding = {.sharding = sharding}};
    return add(place, OP_sharding_constraint, value, type, attrs);
}

void mlir_sdy_join(const struct mlir_sdy_place *place, struct value *value, int64_t group)
{
    union attrs attrs = {.sharding_group = {.group = group}};
    if (is_tensor(value))
        add(place, OP_sharding_group, value, type_plain(place->program->arena, value->type), attrs);
}

/* The sharding of operand or result i; NULL where none is given. */
static struct error *find_sharding(const struct mlir_sdy_region *region,
                                   const struct mlir_attr *list, size_t i,
                                   const struct sharding **out)
{
    *out = NULL;
    if (!list && !region->is_manual)
        return NULL;
    if (!list || !region->axes != !region->is_manual || list->kind != MLIR_ARRAY ||
        i >= list->array.count || list->array.at[i]->kind != MLIR_SHARDING)
        return ERROR(INVALID_ARGUMENT,
                     "sdy: a computation must have a sharding for each operand and result, and a "
                     "manual one manual_axes; number %zu has none",
                     i);
    *out = list->array.at[i]->sharding;
    return NULL;
}

/* The sharding with the manual axes of the computation. */
static struct error *with_manual(struct arena *arena, const struct sharding *sharding,
                                 const struct mlir_attr *axes, const struct sharding **out)
{
    if (sharding->kind == SHARDING_MAXIMAL || axes->kind != MLIR_ARRAY)
        return ERROR(INVALID_ARGUMENT, "sdy: a manual computation must have tiled shardings and a "
                                       "list of axes");
    size_t count = axes->array.count;
    struct mlir_axis *names = ARENA_ARRAY(arena, struct mlir_axis, count);
    for (size_t i = 0; i < count; i++) {
        if (axes->array.at[i]->kind != MLIR_STRING)
            return ERROR(INVALID_ARGUMENT, "sdy: manual axis %zu is not a name", i);
        names[i] = (struct mlir_axis){axes->array.at[i]->string.data, 0, 0};
    }
    struct sharding *manual = arena_copy(arena, sharding, sizeof *sharding);
    TRY(mlir_sdy_axes(arena, sharding->mesh, (struct mlir_axes){count, names}, &manual->manual));
    *out = manual;
    return NULL;
}

struct error *mlir_sdy_enter(const struct mlir_sdy_place *place,
                             const struct mlir_sdy_region *region, size_t i, struct value *operand,
                             const struct type *type, struct value **out)
{
    struct arena *arena = place->program->arena;
    const struct sharding *sharding;
    *out = operand;
    TRY(find_sharding(region, region->in_shardings, i, &sharding));
    if (!sharding || !is_tensor(operand))
        return NULL;
    *out = mlir_sdy_constrain(place, operand, sharding);
    if (!region->is_manual)
        return NULL;
    TRY(with_manual(arena, sharding, region->axes, &sharding));
    union attrs attrs = {.manual = {.sharding = sharding}};
    *out = add(place, OP_full_to_shard, *out, type, attrs);
    return NULL;
}

struct error *mlir_sdy_leave(const struct mlir_sdy_place *place,
                             const struct mlir_sdy_region *region, size_t i, struct value *value,
                             const struct type *type, struct value **out)
{
    const struct sharding *sharding;
    *out = value;
    TRY(find_sharding(region, region->out_shardings, i, &sharding));
    if (!sharding || !is_tensor(value))
        return NULL;
    if (!region->is_manual) {
        *out = mlir_sdy_constrain(place, value, sharding);
        return NULL;
    }
    TRY(with_manual(place->program->arena, sharding, region->axes, &sharding));
    union attrs attrs = {.manual = {.sharding = sharding}};
    *out = add(place, OP_shard_to_full, value, type, attrs);
    return NULL;
}
