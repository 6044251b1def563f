#include "compiler/frontend/bytecode/vhlo_attrs.h"

#include "compiler/frontend/bytecode/mesh_attrs.h"

/* The attributes by code. OTHER: only the name is known. */
static const struct {
    const char *name;
    enum mlir_attr_kind kind;
    enum mlir_enum enumeration; /* of KEYWORD */
} table[] = {
    {"arg_result_alias_v1", MLIR_OTHER, 0},
    {"array_v1", MLIR_ARRAY, 0},
    {"bool_v1", MLIR_BOOL, 0},
    {"comparison_direction_v1", MLIR_KEYWORD, MLIR_ENUM_comparison_direction},
    {"comparison_type_v1", MLIR_KEYWORD, MLIR_ENUM_comparison_type},
    {"api_version_v1", MLIR_KEYWORD, MLIR_ENUM_custom_call_api_version},
    {"dict_v1", MLIR_DICT, 0},
    {"fft_type_v1", MLIR_KEYWORD, MLIR_ENUM_fft_type},
    {"float_v1", MLIR_REAL, 0},
    {"integer_v1", MLIR_INTEGER, 0},
    {"output_operand_alias_v1", MLIR_ALIAS, 0},
    {"precision_v1", MLIR_KEYWORD, MLIR_ENUM_precision},
    {"rng_algorithm_v1", MLIR_KEYWORD, MLIR_ENUM_rng_algorithm},
    {"rng_distribution_v1", MLIR_KEYWORD, MLIR_ENUM_rng_distribution},
    {"string_v1", MLIR_STRING, 0},
    {"tensor_v1", MLIR_LITERAL, 0},
    {"transpose_v1", MLIR_KEYWORD, MLIR_ENUM_transpose},
    {"type_v1", MLIR_TYPE, 0},
    {"type_extensions_v1", MLIR_OTHER, 0},
    {"result_accuracy_mode_v1", MLIR_KEYWORD, MLIR_ENUM_result_accuracy_mode},
    {"result_accuracy_v1", MLIR_OTHER, 0},
    {"sub_axis_info_v1", MLIR_SUB_AXIS, 0},
    {"axis_ref_v1", MLIR_AXIS, 0},
    {"replica_group_mesh_axes_v1", MLIR_GROUPS, 0},
    {"mesh_axis_v1", MLIR_AXIS_SIZE, 0},
    {"mesh_v1", MLIR_MESH, 0},
};
#define COUNT (sizeof table / sizeof *table)
enum { TYPE_EXTENSIONS = 18 };

static void read_bool(struct bytes *in, struct mlir_attr *out)
{
    uint64_t value = bytes_varint(in);
    if (!in->failure && value > 1)
        bytes_fail(in, "a boolean is neither 0 nor 1");
    out->integer = (int64_t)value;
}

static struct error *read_number(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    const struct mlir_type *type;
    TRY(mlir_entry_type_field(file, in, &type));
    out->dtype = type->dtype;
    if (out->kind == MLIR_REAL)
        return mlir_entry_float(in, type, &out->real);
    return mlir_entry_integer(in, type, &out->integer);
}

/* The bounds of a tensor's sizes. */
static void read_bounds(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    struct dims bounds = mlir_entry_dims(file, in);
    out->ints = arena_copy(file->arena, &bounds, sizeof bounds);
}

struct error *vhlo_attrs_read(struct mlir_file *file, struct bytes *in, uint64_t code,
                              struct mlir_attr *out)
{
    if (code >= COUNT)
        return ERROR(UNIMPLEMENTED, "VHLO: the attribute code %llu at byte %zu is unsupported",
                     (unsigned long long)code, in->at);
    out->kind = table[code].kind;
    out->name = table[code].name;
    out->enumeration = table[code].enumeration;
    if (code == TYPE_EXTENSIONS) {
        read_bounds(file, in, out);
        return NULL;
    }
    switch (out->kind) {
    case MLIR_BOOL: read_bool(in, out); return NULL;
    case MLIR_KEYWORD: mlir_entry_keyword(in, out->enumeration, out); return NULL;
    case MLIR_ARRAY: return mlir_entry_list(file, in, out);
    case MLIR_DICT: return mlir_entry_pairs(file, in, out);
    case MLIR_REAL:
    case MLIR_INTEGER: return read_number(file, in, out);
    case MLIR_STRING: out->string = mlir_file_string(file, in); return NULL;
    case MLIR_LITERAL: return mlir_entry_literal(file, in, &out->literal);
    case MLIR_TYPE: return mlir_entry_type_attr(file, in, out);
    case MLIR_ALIAS: mlir_entry_alias(file, in, out); return NULL;
    case MLIR_SUB_AXIS: mesh_attrs_sub_axis(file, in, out); return NULL;
    case MLIR_AXIS: return mesh_attrs_axis(file, in, MESH_ATTRS_VHLO, out);
    case MLIR_AXIS_SIZE: return mesh_attrs_axis_size(file, in, MESH_ATTRS_VHLO, out);
    case MLIR_MESH: return mesh_attrs_mesh(file, in, MESH_ATTRS_VHLO, out);
    case MLIR_GROUPS: return mesh_attrs_groups(file, in, MESH_ATTRS_VHLO, out);
    default: in->at = in->end; return NULL; /* the fields are ignored */
    }
}
