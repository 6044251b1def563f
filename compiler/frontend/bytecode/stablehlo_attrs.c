#include "compiler/frontend/bytecode/stablehlo_attrs.h"

#include <string.h>

#include "compiler/frontend/bytecode/mesh_attrs.h"

enum code { /* those with functions of their own */
            CODE_ALIAS = 14,
            CODE_GROUPS = 18,
            CODE_SUB_AXIS,
            CODE_AXIS,
            CODE_AXIS_SIZE,
            CODE_MESH
};

/* The attributes by code. Of a compound attribute, the fields: lists ('*'), types (':'), booleans
 * ('?') and numbers. NULL: only the name is known. */
static const struct {
    const char *name, *fields;
    enum mlir_enum enumeration; /* of those without fields */
} table[] = {
    {"arg_result_alias", NULL, MLIR_ENUM_COUNT},
    {"channel_handle", "channel_id channel_type", 0},
    {"comparison_direction", NULL, MLIR_ENUM_comparison_direction},
    {"comparison_type", NULL, MLIR_ENUM_comparison_type},
    {"conv",
     "input_batch_dimension input_feature_dimension input_spatial_dimensions* "
     "kernel_input_feature_dimension kernel_output_feature_dimension kernel_spatial_dimensions* "
     "output_batch_dimension output_feature_dimension output_spatial_dimensions*",
     0},
    {"dot",
     "lhs_batching_dimensions* rhs_batching_dimensions* lhs_contracting_dimensions* "
     "rhs_contracting_dimensions*",
     0},
    {"fft_type", NULL, MLIR_ENUM_fft_type},
    {"gather",
     "offset_dims* collapsed_slice_dims* operand_batching_dims* start_indices_batching_dims* "
     "start_index_map* index_vector_dim",
     0},
    {"precision", NULL, MLIR_ENUM_precision},
    {"rng_algorithm", NULL, MLIR_ENUM_rng_algorithm},
    {"rng_distribution", NULL, MLIR_ENUM_rng_distribution},
    {"scatter",
     "update_window_dims* inserted_window_dims* input_batching_dims* "
     "scatter_indices_batching_dims* scatter_dims_to_operand_dims* index_vector_dim",
     0},
    {"transpose", NULL, MLIR_ENUM_transpose},
    {"type_extensions", NULL, MLIR_ENUM_COUNT},
    [CODE_ALIAS] = {"output_operand_alias", NULL, MLIR_ENUM_COUNT},
    {"dot_algorithm",
     "lhs_precision_type: rhs_precision_type: accumulation_type: lhs_component_count "
     "rhs_component_count num_primitive_operations allow_imprecise_accumulation?",
     0},
    {"result_accuracy_mode", NULL, MLIR_ENUM_result_accuracy_mode},
    {"result_accuracy", NULL, MLIR_ENUM_COUNT},
    [CODE_GROUPS] = {"replica_group_mesh_axes", NULL, MLIR_ENUM_COUNT},
    [CODE_SUB_AXIS] = {"sub_axis_info", NULL, MLIR_ENUM_COUNT},
    [CODE_AXIS] = {"axis_ref", NULL, MLIR_ENUM_COUNT},
    [CODE_AXIS_SIZE] = {"mesh_axis", NULL, MLIR_ENUM_COUNT},
    [CODE_MESH] = {"mesh", NULL, MLIR_ENUM_COUNT},
};
#define COUNT (sizeof table / sizeof *table)
#define MAX_FIELDS 9

static struct error *read_ints(struct mlir_file *file, struct bytes *in, struct mlir_attr *owner,
                               struct mlir_attr **out)
{
    struct dims dims = mlir_entry_dims(file, in);
    *out = mlir_attr_of_ints(file->arena, dims.count, dims.at);
    return mlir_type_weigh(&owner->weight, dims.count);
}

static struct error *read_field(struct mlir_file *file, struct bytes *in, char kind,
                                struct mlir_attr *owner, struct mlir_attr **out)
{
    switch (kind) {
    case '*': return read_ints(file, in, owner, out);
    case ':':
        *out = mlir_attr_make(file->arena, MLIR_TYPE, "a type");
        return mlir_entry_type_field(file, in, &(*out)->type);
    case '?':
        *out = mlir_attr_make(file->arena, MLIR_BOOL, "a boolean");
        (*out)->integer = bytes_u8(in) != 0;
        return NULL;
    default: *out = mlir_attr_of_int(file->arena, bytes_svarint(in)); return NULL;
    }
}

static struct error *read_compound(struct mlir_file *file, struct bytes *in, const char *fields,
                                   struct mlir_attr *out)
{
    struct string *names = ARENA_ARRAY(file->arena, struct string, MAX_FIELDS);
    struct mlir_attr **values = ARENA_ARRAY(file->arena, struct mlir_attr *, MAX_FIELDS);
    size_t count = 0;
    while (*fields) {
        size_t size = strcspn(fields, "*:? ");
        names[count] = (struct string){size, fields};
        fields += size;
        TRY(read_field(file, in, *fields, out, &values[count++]));
        fields += strspn(fields, "*:? ");
    }
    out->kind = MLIR_COMPOUND;
    out->dict.count = count;
    out->dict.names = names;
    out->dict.values = values;
    return NULL;
}

struct error *stablehlo_attrs_read(struct mlir_file *file, struct bytes *in, uint64_t code,
                                   struct mlir_attr *out)
{
    out->kind = MLIR_OTHER;
    out->name = code < COUNT ? table[code].name : "an attribute of StableHLO";
    switch (code) {
    case CODE_ALIAS: mlir_entry_alias(file, in, out); return NULL;
    case CODE_GROUPS: return mesh_attrs_groups(file, in, MESH_ATTRS_STABLEHLO, out);
    case CODE_SUB_AXIS: mesh_attrs_sub_axis(file, in, out); return NULL;
    case CODE_AXIS: return mesh_attrs_axis(file, in, MESH_ATTRS_STABLEHLO, out);
    case CODE_AXIS_SIZE: return mesh_attrs_axis_size(file, in, MESH_ATTRS_STABLEHLO, out);
    case CODE_MESH: return mesh_attrs_mesh(file, in, MESH_ATTRS_STABLEHLO, out);
    default: break;
    }
    if (code < COUNT && table[code].fields)
        return read_compound(file, in, table[code].fields, out);
    if (code < COUNT && table[code].enumeration != MLIR_ENUM_COUNT)
        mlir_entry_keyword(in, table[code].enumeration, out);
    else
        in->at = in->end; /* result_accuracy and those of types: the fields are ignored */
    return NULL;
}
