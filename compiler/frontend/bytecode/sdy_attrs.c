#include "compiler/frontend/bytecode/sdy_attrs.h"

#include "compiler/frontend/bytecode/mesh_attrs.h"
#include "compiler/frontend/mlir/mlir_sdy.h"
#include "compiler/frontend/mlir/mlir_sdy_rule.h"

enum sdy_attr {
    SDY_MANUAL_AXES = 0,
    SDY_MESH_AXIS = 1,
    SDY_MESH = 2,
    SDY_SUB_AXIS_INFO = 3,
    SDY_AXIS_REF = 4,
    SDY_DIMENSION_SHARDING = 5,
    SDY_SHARDING = 6,
    SDY_SHARDING_PER_VALUE = 7,
    SDY_DIM_MAPPING = 8,
    SDY_TENSOR_MAPPING = 9,
    SDY_OP_SHARDING_RULE = 10,
    SDY_SHARDING_UNREDUCED = 15,
    SDY_SHARDING_PER_VALUE_AGAIN = 16,
    SDY_SHARDING_REDUCTION = 17
};

static struct error *read_list(struct mlir_file *file, struct bytes *in, enum mlir_attr_kind kind,
                               struct mlir_attr *list)
{
    list->weight = 1;
    TRY(mlir_entry_list(file, in, list));
    for (size_t i = 0; i < list->array.count; i++)
        if (list->array.at[i]->kind != kind)
            return ERROR(INVALID_ARGUMENT, "sdy: unexpected %s in a list at byte %zu",
                         list->array.at[i]->name, in->at);
    return NULL;
}

static struct error *read_mesh(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    struct mlir_attr axes;
    TRY(read_list(file, in, MLIR_AXIS_SIZE, &axes));
    const char **names = ARENA_ARRAY(file->arena, const char *, axes.array.count);
    int64_t *sizes = ARENA_ARRAY(file->arena, int64_t, axes.array.count);
    for (size_t i = 0; i < axes.array.count; i++) {
        names[i] = axes.array.at[i]->axis->name;
        sizes[i] = axes.array.at[i]->axis->size;
    }
    struct dims ids = mlir_entry_dims(file, in);
    TRY(bytes_error(in, "sdy mesh"));
    out->kind = MLIR_MESH;
    TRY(mlir_sdy_mesh(file->arena, axes.array.count, names, sizes, ids, &out->mesh));
    return mlir_type_weigh(&out->weight, axes.weight);
}

static struct error *read_axes(struct mlir_file *file, struct bytes *in, struct mlir_axes *out,
                               int64_t *weight)
{
    struct mlir_attr list;
    TRY(read_list(file, in, MLIR_AXIS, &list));
    struct mlir_axis *axes = ARENA_ARRAY(file->arena, struct mlir_axis, list.array.count);
    for (size_t i = 0; i < list.array.count; i++)
        axes[i] = *list.array.at[i]->axis;
    *out = (struct mlir_axes){list.array.count, axes};
    return mlir_type_weigh(weight, list.weight);
}

static struct error *read_dimension(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    struct mlir_dim *dim = ARENA_NEW(file->arena, struct mlir_dim);
    TRY(read_axes(file, in, &dim->axes, &out->weight));
    dim->is_closed = bytes_u8(in) != 0;
    uint64_t priority = bytes_varint(in);
    dim->priority = priority & 1 ? (int64_t)(priority >> 1) : -1;
    out->kind = MLIR_DIM_SHARDING;
    out->dim = dim;
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
    return ERROR(INVALID_ARGUMENT, "sdy: a sharding refers to an unknown mesh @%s",
                 attr->kind == MLIR_SYMBOL ? attr->string.data : "?");
}

static struct error *read_sharding(struct mlir_file *file, struct bytes *in, uint64_t code,
                                   struct mlir_attr *out)
{
    struct mlir_sharding parts = {0};
    struct mlir_attr *mesh, dims;
    TRY(mlir_entry_attr_field(file, in, &mesh));
    TRY(mesh_of(file, mesh, &parts.mesh));
    TRY(read_list(file, in, MLIR_DIM_SHARDING, &dims));
    TRY(mlir_type_weigh(&out->weight, dims.weight));
    struct mlir_dim *copies = ARENA_ARRAY(file->arena, struct mlir_dim, dims.array.count);
    for (size_t i = 0; i < dims.array.count; i++)
        copies[i] = *dims.array.at[i]->dim;
    parts.rank = dims.array.count;
    parts.dims = copies;
    TRY(read_axes(file, in, &parts.replicated, &out->weight));
    if (code != SDY_SHARDING)
        TRY(read_axes(file, in, &parts.unreduced, &out->weight));
    if (code == SDY_SHARDING_REDUCTION)
        bytes_svarint(in);
    TRY(bytes_error(in, "sdy sharding"));
    out->kind = MLIR_SHARDING;
    return mlir_sdy_sharding(file->arena, &parts, &out->sharding);
}

/* ---- sharding rules -------------------------------------------------------------------------- */

static struct error *read_factors(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    out->kind = MLIR_FACTORS;
    out->factors = mlir_entry_dims(file, in);
    TRY(bytes_error(in, "sdy dimension mapping"));
    return mlir_type_weigh(&out->weight, out->factors.count);
}

/* The factors of each dimension of a value. */
static struct error *read_mapping(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    TRY(read_list(file, in, MLIR_FACTORS, out));
    out->kind = MLIR_ARRAY;
    return NULL;
}

static struct error *read_mappings(struct mlir_file *file, struct bytes *in, int64_t *weight,
                                   size_t *count, const struct mlir_mapping **out)
{
    struct mlir_attr list;
    TRY(read_list(file, in, MLIR_ARRAY, &list));
    struct mlir_mapping *mappings = ARENA_ARRAY(file->arena, struct mlir_mapping, list.array.count);
    for (size_t i = 0; i < list.array.count; i++) {
        const struct mlir_attr *value = list.array.at[i];
        struct dims *dims = ARENA_ARRAY(file->arena, struct dims, value->array.count);
        for (size_t d = 0; d < value->array.count; d++) {
            if (value->array.at[d]->kind != MLIR_FACTORS)
                return ERROR(INVALID_ARGUMENT, "sdy: unexpected %s in a sharding rule at byte %zu",
                             value->array.at[d]->name, in->at);
            dims[d] = value->array.at[d]->factors;
        }
        mappings[i] = (struct mlir_mapping){value->array.count, dims};
    }
    *count = list.array.count;
    *out = mappings;
    return mlir_type_weigh(weight, list.weight);
}

static struct error *read_rule(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    struct mlir_sdy_rule rule = {.sizes = mlir_entry_dims(file, in)};
    out->kind = MLIR_RULE;
    TRY(read_mappings(file, in, &out->weight, &rule.operand_count, &rule.operands));
    TRY(read_mappings(file, in, &out->weight, &rule.result_count, &rule.results));
    rule.reduction = mlir_entry_dims(file, in);
    rule.need_replication = mlir_entry_dims(file, in);
    rule.permutation = mlir_entry_dims(file, in);
    mlir_entry_dims(file, in); /* factors along which Shardy does not propagate */
    bytes_u8(in);              /* a rule of the client's */
    TRY(bytes_error(in, "sdy sharding rule"));
    return mlir_sdy_rule(file->arena, &rule, &out->rule);
}

struct error *sdy_attrs_read(struct mlir_file *file, struct bytes *in, uint64_t code,
                             struct mlir_attr *out)
{
    out->name = "a Shardy attribute";
    out->kind = MLIR_OTHER;
    switch (code) {
    case SDY_MANUAL_AXES: return mlir_entry_list(file, in, out);
    case SDY_MESH_AXIS: return mesh_attrs_axis_size(file, in, MESH_ATTRS_SDY, out);
    case SDY_MESH: return read_mesh(file, in, out);
    case SDY_SUB_AXIS_INFO: mesh_attrs_sub_axis(file, in, out); return NULL;
    case SDY_AXIS_REF: return mesh_attrs_axis(file, in, MESH_ATTRS_SDY, out);
    case SDY_DIMENSION_SHARDING: return read_dimension(file, in, out);
    case SDY_SHARDING:
    case SDY_SHARDING_UNREDUCED:
    case SDY_SHARDING_REDUCTION: return read_sharding(file, in, code, out);
    case SDY_SHARDING_PER_VALUE:
    case SDY_SHARDING_PER_VALUE_AGAIN: return mlir_entry_list(file, in, out);
    case SDY_DIM_MAPPING: return read_factors(file, in, out);
    case SDY_TENSOR_MAPPING: return read_mapping(file, in, out);
    case SDY_OP_SHARDING_RULE: return read_rule(file, in, out);
    default: in->at = in->end; return NULL; /* attributes of explicit collectives: ignored */
    }
}
