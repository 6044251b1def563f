#include "compiler/frontend/bytecode/sdy.h"

#include <string.h>

#define MAX_MESH_AXES 64

enum sdy_attr {
    SDY_MANUAL_AXES = 0,
    SDY_MESH_AXIS = 1,
    SDY_MESH = 2,
    SDY_SUB_AXIS_INFO = 3,
    SDY_AXIS_REF = 4,
    SDY_DIMENSION_SHARDING = 5,
    SDY_SHARDING = 6,
    SDY_SHARDING_PER_VALUE = 7,
    SDY_SHARDING_UNREDUCED = 15,
    SDY_SHARDING_PER_VALUE_AGAIN = 16,
    SDY_SHARDING_REDUCTION = 17
};

/* ---- attributes ------------------------------------------------------------------------------ */

static struct error *read_list(struct mlir_file *file, struct bytes *in, enum mlir_attr_kind kind,
                               struct mlir_attr *list)
{
    list->weight = 1;
    TRY(mlir_attr_list(file, in, list));
    for (size_t i = 0; i < list->array.count; i++)
        if (list->array.at[i]->kind != kind)
            return ERROR(INVALID_ARGUMENT, "sdy: %s inside of a list at byte %zu",
                         list->array.at[i]->name, in->at);
    return NULL;
}

static void read_axis(struct mlir_file *file, struct bytes *in, enum mlir_attr_kind kind,
                      struct mlir_attr *out)
{
    struct axis_ref *axis = ARENA_NEW(file->arena, struct axis_ref);
    if (kind == MLIR_SUB_AXIS)
        axis->pre_size = bytes_svarint(in);
    else
        axis->name = mlir_file_string(file, in).data;
    axis->size = bytes_svarint(in);
    if (!in->failure && (axis->size < 1 || (kind == MLIR_SUB_AXIS && axis->pre_size < 1)))
        bytes_fail(in, "a mesh axis has no positive size");
    out->kind = kind;
    out->axis = axis;
}

static struct error *read_axis_ref(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    struct axis_ref *axis = ARENA_NEW(file->arena, struct axis_ref);
    const char *name = mlir_file_string(file, in).data;
    uint64_t sub = bytes_varint(in);
    if (!in->failure && sub & 1) {
        struct mlir_attr *info;
        if (sub >> 1 >= file->attr_count)
            bytes_fail(in, "an index lies outside of the attribute table");
        TRY(bytes_error(in, "sdy axis"));
        TRY(mlir_attr_get(file, (size_t)(sub >> 1), &info));
        if (info->kind != MLIR_SUB_AXIS)
            return ERROR(INVALID_ARGUMENT, "sdy: %s instead of a sub-axis at byte %zu", info->name,
                         in->at);
        *axis = *info->axis;
    }
    axis->name = name;
    out->kind = MLIR_AXIS;
    out->axis = axis;
    return NULL;
}

static struct error *read_mesh(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    struct mlir_attr axes;
    struct mesh *mesh = ARENA_NEW(file->arena, struct mesh);
    TRY(read_list(file, in, MLIR_AXIS_SIZE, &axes));
    if (axes.array.count > MAX_MESH_AXES)
        return ERROR(INVALID_ARGUMENT, "sdy: a mesh of %zu axes, at most %d are read",
                     axes.array.count, MAX_MESH_AXES);
    const char **names = ARENA_ARRAY(file->arena, const char *, axes.array.count);
    int64_t *sizes = ARENA_ARRAY(file->arena, int64_t, axes.array.count);
    mesh->device_count = 1;
    for (size_t i = 0; i < axes.array.count; i++) {
        names[i] = axes.array.at[i]->axis->name;
        sizes[i] = axes.array.at[i]->axis->size;
        if (__builtin_mul_overflow(mesh->device_count, sizes[i], &mesh->device_count))
            return ERROR(INVALID_ARGUMENT, "sdy: a mesh of too many devices at byte %zu", in->at);
    }
    struct dims ids = mlir_type_dims(file, in);
    if (!in->failure && ids.count > 0 && ids.count != mesh->device_count)
        bytes_fail(in, "a mesh has a wrong number of device ids");
    mesh->axis_count = (int)axes.array.count;
    mesh->axis_names = names;
    mesh->axis_sizes = sizes;
    mesh->device_ids = ids.count > 0 ? ids.at : NULL;
    out->kind = MLIR_MESH;
    out->mesh = mesh;
    return mlir_type_weigh(&out->weight, axes.weight);
}

static struct error *read_axes(struct mlir_file *file, struct bytes *in, int *count,
                               const struct axis_ref **out, int64_t *weight)
{
    struct mlir_attr list;
    TRY(read_list(file, in, MLIR_AXIS, &list));
    struct axis_ref *axes = ARENA_ARRAY(file->arena, struct axis_ref, list.array.count);
    for (size_t i = 0; i < list.array.count; i++)
        axes[i] = *list.array.at[i]->axis;
    *count = (int)list.array.count;
    *out = axes;
    return mlir_type_weigh(weight, list.weight);
}

static struct error *read_dimension(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    struct dim_sharding *dim = ARENA_NEW(file->arena, struct dim_sharding);
    TRY(read_axes(file, in, &dim->count, &dim->axes, &out->weight));
    dim->is_closed = bytes_u8(in) != 0;
    uint64_t priority = bytes_varint(in);
    dim->priority = priority & 1 ? (int64_t)(priority >> 1) : -1;
    out->kind = MLIR_DIM_SHARDING;
    out->dim_sharding = dim;
    return NULL;
}

static struct error *mesh_of(struct mlir_file *file, const struct mlir_attr *attr,
                             const struct mesh **out)
{
    *out = attr->kind == MLIR_MESH     ? attr->mesh
           : attr->kind == MLIR_SYMBOL ? map_get(file->meshes, attr->string.data, attr->string.size)
                                       : NULL;
    if (*out)
        return NULL;
    return ERROR(INVALID_ARGUMENT, "sdy: a sharding names the unknown mesh @%s",
                 attr->kind == MLIR_SYMBOL ? attr->string.data : "?");
}

static struct error *read_sharding(struct mlir_file *file, struct bytes *in, uint64_t code,
                                   struct mlir_attr *out)
{
    struct sharding *sharding = ARENA_NEW(file->arena, struct sharding);
    struct mlir_attr *mesh, dims;
    TRY(mlir_attr_field(file, in, &mesh));
    TRY(mesh_of(file, mesh, &sharding->mesh));
    TRY(read_list(file, in, MLIR_DIM_SHARDING, &dims));
    TRY(mlir_type_weigh(&out->weight, dims.weight));
    struct dim_sharding *copies = ARENA_ARRAY(file->arena, struct dim_sharding, dims.array.count);
    for (size_t i = 0; i < dims.array.count; i++)
        copies[i] = *dims.array.at[i]->dim_sharding;
    sharding->rank = (int)dims.array.count;
    sharding->dims = copies;
    TRY(read_axes(file, in, &sharding->replicated_count, &sharding->replicated, &out->weight));
    if (code != SDY_SHARDING) {
        int unreduced;
        const struct axis_ref *axes;
        TRY(read_axes(file, in, &unreduced, &axes, &out->weight));
        if (unreduced > 0)
            return ERROR(UNIMPLEMENTED, "sdy: a sharding with unreduced axes");
        if (code == SDY_SHARDING_REDUCTION)
            bytes_svarint(in);
    }
    out->kind = MLIR_SHARDING;
    out->sharding = sharding;
    return NULL;
}

struct error *sdy_attr_read(struct mlir_file *file, struct bytes *in, uint64_t code,
                            struct mlir_attr *out)
{
    out->name = "a Shardy attribute";
    out->kind = MLIR_OTHER;
    switch (code) {
    case SDY_MANUAL_AXES: return mlir_attr_list(file, in, out);
    case SDY_MESH_AXIS: read_axis(file, in, MLIR_AXIS_SIZE, out); return NULL;
    case SDY_MESH: return read_mesh(file, in, out);
    case SDY_SUB_AXIS_INFO: read_axis(file, in, MLIR_SUB_AXIS, out); return NULL;
    case SDY_AXIS_REF: return read_axis_ref(file, in, out);
    case SDY_DIMENSION_SHARDING: return read_dimension(file, in, out);
    case SDY_SHARDING:
    case SDY_SHARDING_UNREDUCED:
    case SDY_SHARDING_REDUCTION: return read_sharding(file, in, code, out);
    case SDY_SHARDING_PER_VALUE:
    case SDY_SHARDING_PER_VALUE_AGAIN: return mlir_attr_list(file, in, out);
    default:
        in->at = in->end;
        return NULL; /* sharding rules and the like: hints for a partitioner */
    }
}

struct error *sdy_mesh(struct mlir_file *file, const struct mlir_op *op)
{
    static const char *const names[] = {"mesh", "sym_name"};
    struct mlir_attr *attrs[2];
    TRY(mlir_op_properties(file, op, 2, names, NULL, attrs));
    if (attrs[0]->kind != MLIR_MESH || attrs[1]->kind != MLIR_STRING)
        return ERROR(INVALID_ARGUMENT, "%s: not a mesh and its name", mlir_op_where(file, op));
    struct mesh *mesh = arena_copy(file->arena, attrs[0]->mesh, sizeof *attrs[0]->mesh);
    mesh->name = attrs[1]->string.data;
    if (map_put(file->meshes, attrs[1]->string.data, attrs[1]->string.size, mesh))
        return ERROR(INVALID_ARGUMENT, "%s: a second mesh @%s", mlir_op_where(file, op),
                     mesh->name);
    return NULL;
}

/* ---- operations ------------------------------------------------------------------------------ */

void sdy_annotate(struct arena *arena, struct value *value, const struct sharding *sharding)
{
    if (!value->type || value->type->kind != TYPE_TENSOR || value->type->sharding)
        return;
    struct type *type = arena_copy(arena, value->type, sizeof *value->type);
    type->sharding = sharding;
    value->type = type;
}

static struct error *wrong(struct vhlo *v, const struct mlir_op *op, const char *what)
{
    return ERROR(INVALID_ARGUMENT, "%s: %s", mlir_op_where(v->file, op), what);
}

/* Results become the operands. */
static struct error *pass_through(struct vhlo *v, const struct mlir_op *op)
{
    if (op->operand_count != op->result_count)
        return wrong(v, op, "passes on a different number of values than it takes");
    for (size_t i = 0; i < op->result_count; i++)
        TRY(vhlo_operand(v, op, i, &op->results[i].value));
    return NULL;
}

static struct error *constraint(struct vhlo *v, const struct mlir_op *op)
{
    static const char *const names[] = {"sharding"};
    struct mlir_attr *sharding;
    TRY(mlir_op_properties(v->file, op, 1, names, NULL, &sharding));
    if (sharding->kind != MLIR_SHARDING || op->result_count != 1)
        return wrong(v, op, "not one value and a sharding");
    TRY(pass_through(v, op));
    sdy_annotate(v->arena, op->results[0].value, sharding->sharding);
    return NULL;
}

/* The body's operations take the operation's place. */
static struct error *inline_body(struct vhlo *v, const struct mlir_op *op, struct block *block)
{
    if (op->region_count != 1 || op->regions[0].argument_count != op->operand_count)
        return wrong(v, op, "its body does not take its operands");
    const struct mlir_region *body = &op->regions[0];
    for (size_t i = 0; i < op->operand_count; i++)
        TRY(vhlo_operand(v, op, i, &body->arguments[i].value));
    TRY(vhlo_append(v, body, block));
    const struct mlir_op *last = body->first;
    while (last && last->next)
        last = last->next;
    if (!last || strcmp(last->name->name.data, "return") != 0 ||
        last->operand_count != op->result_count)
        return wrong(v, op, "its body does not return its results");
    for (size_t i = 0; i < op->result_count; i++)
        TRY(vhlo_operand(v, last, i, &op->results[i].value));
    return NULL;
}

static int64_t axis_size(const struct mesh *mesh, const struct string name)
{
    for (int i = 0; mesh && i < mesh->axis_count; i++)
        if (strlen(mesh->axis_names[i]) == name.size &&
            memcmp(mesh->axis_names[i], name.data, name.size) == 0)
            return mesh->axis_sizes[i];
    return -1;
}

static const struct mesh *first_mesh(const struct mlir_attr *shardings)
{
    bool any = shardings->kind == MLIR_ARRAY && shardings->array.count > 0;
    return any && shardings->array.at[0]->kind == MLIR_SHARDING
               ? shardings->array.at[0]->sharding->mesh
               : NULL;
}

/* Over axes of one device each the local shapes are the global ones, and the body is plain code. */
static struct error *manual(struct vhlo *v, const struct mlir_op *op, struct block *block)
{
    static const char *const names[] = {"in_shardings", "manual_axes", "out_shardings"};
    struct mlir_attr *attrs[3];
    TRY(mlir_op_properties(v->file, op, 3, names, NULL, attrs));
    const struct mesh *mesh = first_mesh(attrs[0]);
    if (!mesh)
        mesh = first_mesh(attrs[2]);
    for (size_t i = 0; attrs[1]->kind == MLIR_ARRAY && i < attrs[1]->array.count; i++) {
        const struct mlir_attr *axis = attrs[1]->array.at[i];
        int64_t size = axis->kind == MLIR_STRING ? axis_size(mesh, axis->string) : -1;
        if (size != 1)
            return ERROR(UNIMPLEMENTED, "%s: manual axis \"%s\" of %lld devices",
                         mlir_op_where(v->file, op),
                         axis->kind == MLIR_STRING ? axis->string.data : "?", (long long)size);
    }
    return inline_body(v, op, block);
}

struct error *sdy_op(struct vhlo *v, struct mlir_op *op, struct block *block)
{
    const char *name = op->name->name.data;
    if (strcmp(name, "sharding_constraint") == 0 || strcmp(name, "reshard") == 0)
        return constraint(v, op);
    if (strcmp(name, "propagation_barrier") == 0 || strcmp(name, "data_flow_edge") == 0)
        return pass_through(v, op);
    if (strcmp(name, "manual_computation") == 0)
        return manual(v, op, block);
    if (strcmp(name, "named_computation") == 0)
        return inline_body(v, op, block);
    if (strcmp(name, "return") == 0 || strcmp(name, "sharding_group") == 0)
        return NULL; /* the return is read by inline_body() */
    if (strcmp(name, "mesh") == 0)
        return wrong(v, op, "stands inside of a function");
    return ERROR(UNIMPLEMENTED, "%s: this operation is not served", mlir_op_where(v->file, op));
}
