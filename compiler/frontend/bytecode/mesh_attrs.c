#include "compiler/frontend/bytecode/mesh_attrs.h"

#include "compiler/frontend/mlir/mlir_groups.h"

/* Reads an attribute of which the owner consists. */
static struct error *read_part(struct mlir_file *file, struct bytes *in, struct mlir_attr *owner,
                               struct mlir_attr **out)
{
    TRY(mlir_entry_attr_field(file, in, out));
    return mlir_type_weigh(&owner->weight, (*out)->weight);
}

/* The same where it may be absent: NULL. */
static struct error *read_optional(struct mlir_file *file, struct bytes *in,
                                   enum mesh_attrs_dialect dialect, bool has_flag,
                                   struct mlir_attr *owner, struct mlir_attr **out)
{
    *out = NULL;
    if (!has_flag) {
        TRY(mlir_entry_optional_field(file, in, out));
        return *out ? mlir_type_weigh(&owner->weight, (*out)->weight) : NULL;
    }
    bool is_given = dialect == MESH_ATTRS_STABLEHLO ? bytes_u8(in) != 0 : bytes_varint(in) != 0;
    return is_given ? read_part(file, in, owner, out) : NULL;
}

static struct error *read_name(struct mlir_file *file, struct bytes *in,
                               enum mesh_attrs_dialect dialect, struct mlir_axis *axis)
{
    struct mlir_attr *name;
    if (dialect != MESH_ATTRS_VHLO) {
        axis->name = mlir_file_string(file, in).data;
        return NULL;
    }
    TRY(mlir_entry_attr_field(file, in, &name));
    if (name->kind != MLIR_STRING)
        return ERROR(INVALID_ARGUMENT, "VHLO: the name of a mesh axis before byte %zu is %s",
                     in->at, name->name);
    axis->name = name->string.data;
    return NULL;
}

static void check_sizes(struct bytes *in, const struct mlir_axis *axis)
{
    if (!in->failure && (axis->size < 1 || axis->pre_size < 0))
        bytes_fail(in, "the size of a mesh axis is not positive");
}

void mesh_attrs_sub_axis(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    struct mlir_axis *axis = ARENA_NEW(file->arena, struct mlir_axis);
    axis->pre_size = bytes_svarint(in);
    axis->size = bytes_svarint(in);
    check_sizes(in, axis);
    if (!in->failure && axis->pre_size < 1)
        bytes_fail(in, "a sub-axis begins at no positive size");
    out->kind = MLIR_SUB_AXIS;
    out->axis = axis;
}

struct error *mesh_attrs_axis_size(struct mlir_file *file, struct bytes *in,
                                   enum mesh_attrs_dialect dialect, struct mlir_attr *out)
{
    struct mlir_axis *axis = ARENA_NEW(file->arena, struct mlir_axis);
    TRY(read_name(file, in, dialect, axis));
    axis->size = bytes_svarint(in);
    check_sizes(in, axis);
    out->kind = MLIR_AXIS_SIZE;
    out->axis = axis;
    return NULL;
}

struct error *mesh_attrs_axis(struct mlir_file *file, struct bytes *in,
                              enum mesh_attrs_dialect dialect, struct mlir_attr *out)
{
    struct mlir_axis *axis = ARENA_NEW(file->arena, struct mlir_axis);
    struct mlir_attr *sub;
    TRY(read_name(file, in, dialect, axis));
    TRY(read_optional(file, in, dialect, dialect != MESH_ATTRS_SDY, out, &sub));
    if (sub && sub->kind != MLIR_SUB_AXIS)
        return ERROR(INVALID_ARGUMENT, "%s before byte %zu of the bytecode; expected a sub-axis",
                     sub->name, in->at);
    if (sub) {
        axis->pre_size = sub->axis->pre_size;
        axis->size = sub->axis->size;
    }
    out->kind = MLIR_AXIS;
    out->axis = axis;
    return NULL;
}

struct error *mesh_attrs_mesh(struct mlir_file *file, struct bytes *in,
                              enum mesh_attrs_dialect dialect, struct mlir_attr *out)
{
    struct mlir_attr *axes, *ids;
    TRY(read_part(file, in, out, &axes));
    TRY(read_optional(file, in, dialect, dialect == MESH_ATTRS_STABLEHLO, out, &ids));
    TRY(bytes_error(in, "mesh"));
    return error_prefix(mlir_groups_mesh(file->arena, axes, ids, out),
                        "the mesh before byte %zu of the bytecode", in->at);
}

struct error *mesh_attrs_groups(struct mlir_file *file, struct bytes *in,
                                enum mesh_attrs_dialect dialect, struct mlir_attr *out)
{
    struct mlir_attr *mesh, *axes = &(struct mlir_attr){.weight = 1};
    TRY(read_part(file, in, out, &mesh));
    if (dialect == MESH_ATTRS_VHLO) {
        TRY(read_part(file, in, out, &axes));
    } else {
        TRY(mlir_entry_list(file, in, axes));
        TRY(mlir_type_weigh(&out->weight, axes->weight));
    }
    TRY(bytes_error(in, "replica groups"));
    return error_prefix(mlir_groups_make(file->arena, mesh, axes, out),
                        "the attribute replica_group_mesh_axes before byte %zu of the bytecode",
                        in->at);
}
