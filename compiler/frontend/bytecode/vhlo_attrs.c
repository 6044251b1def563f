#include "compiler/frontend/bytecode/vhlo_attrs.h"

#include "compiler/frontend/mlir_literal.h"

/* By code. `kind` for those of one plain field; `members`: values of an enumeration; first one
 * `lowest`. */
static const struct {
    const char *name;
    enum mlir_attr_kind kind;
    int lowest, members;
} table[VHLO_ATTR_COUNT] = {
    [VHLO_ARG_RESULT_ALIAS] = {"arg_result_alias_v1", MLIR_OTHER, 0, 0},
    [VHLO_ARRAY] = {"array_v1", MLIR_ARRAY, 0, 0},
    [VHLO_BOOL] = {"bool_v1", MLIR_BOOL, 0, 2},
    [VHLO_COMPARISON_DIRECTION] = {"comparison_direction_v1", MLIR_ENUM, 0, 6},
    [VHLO_COMPARISON_TYPE] = {"comparison_type_v1", MLIR_ENUM, 0, 5},
    [VHLO_API_VERSION] = {"api_version_v1", MLIR_ENUM, 0, 5},
    [VHLO_DICT] = {"dict_v1", MLIR_DICT, 0, 0},
    [VHLO_FFT_TYPE] = {"fft_type_v1", MLIR_ENUM, 0, 4},
    [VHLO_FLOAT] = {"float_v1", MLIR_REAL, 0, 0},
    [VHLO_INTEGER] = {"integer_v1", MLIR_INTEGER, 0, 0},
    [VHLO_ALIAS] = {"output_operand_alias_v1", MLIR_ALIAS, 0, 0},
    [VHLO_PRECISION] = {"precision_v1", MLIR_ENUM, 0, 3},
    [VHLO_RNG_ALGORITHM] = {"rng_algorithm_v1", MLIR_ENUM, 0, 3},
    [VHLO_RNG_DISTRIBUTION] = {"rng_distribution_v1", MLIR_ENUM, 1, 2},
    [VHLO_STRING] = {"string_v1", MLIR_STRING, 0, 0},
    [VHLO_TENSOR_DATA] = {"tensor_v1", MLIR_LITERAL, 0, 0},
    [VHLO_TRANSPOSE] = {"transpose_v1", MLIR_ENUM, 0, 4},
    [VHLO_TYPE] = {"type_v1", MLIR_TYPE, 0, 0},
    [VHLO_TYPE_EXTENSIONS] = {"type_extensions_v1", MLIR_OTHER, 0, 0},
    [VHLO_RESULT_ACCURACY_MODE] = {"result_accuracy_mode_v1", MLIR_ENUM, 0, 3},
    [VHLO_RESULT_ACCURACY] = {"result_accuracy_v1", MLIR_OTHER, 0, 0},
    [21] = {"sub_axis_info_v1", MLIR_OTHER, 0, 0},
    [22] = {"axis_ref_v1", MLIR_OTHER, 0, 0},
    [23] = {"replica_group_mesh_axes_v1", MLIR_OTHER, 0, 0},
    [24] = {"mesh_axis_v1", MLIR_OTHER, 0, 0},
    [25] = {"mesh_v1", MLIR_OTHER, 0, 0},
};

static void read_enum(struct bytes *in, uint64_t code, struct mlir_attr *out)
{
    uint64_t value = bytes_varint(in), lowest = (uint64_t)table[code].lowest;
    if (!in->failure && (value < lowest || value - lowest >= (uint64_t)table[code].members))
        bytes_fail(in, "an enumeration's value is out of range");
    out->integer = (int64_t)value;
}

static struct error *read_number(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    const struct mlir_type *type;
    TRY(mlir_type_field(file, in, &type));
    out->dtype = type->dtype;
    if (out->kind == MLIR_REAL)
        return mlir_attr_apfloat(in, type, &out->real);
    return mlir_attr_apint(in, type, &out->integer);
}

static struct error *read_tensor(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    const struct mlir_type *type;
    const struct type *value;
    TRY(mlir_type_field(file, in, &type));
    TRY(mlir_type_value(type, &value));
    return mlir_literal_read(file->arena, in, value, &out->literal);
}

static struct error *read_alias(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    out->alias.output_tuple_indices = mlir_type_dims(file, in);
    out->alias.operand_index = bytes_svarint(in);
    out->alias.operand_tuple_indices = mlir_type_dims(file, in);
    return NULL;
}

struct error *vhlo_attrs_read(struct mlir_file *file, struct bytes *in, uint64_t code,
                              struct mlir_attr *out)
{
    if (code >= VHLO_ATTR_COUNT || code == VHLO_ARG_RESULT_ALIAS)
        return ERROR(UNIMPLEMENTED, "VHLO: attribute code %llu at byte %zu",
                     (unsigned long long)code, in->at);
    out->kind = table[code].kind;
    out->name = table[code].name;
    out->code = (int)code;
    switch (out->kind) {
    case MLIR_BOOL:
    case MLIR_ENUM: read_enum(in, code, out); return NULL;
    case MLIR_ARRAY: return mlir_attr_list(file, in, out);
    case MLIR_DICT: return mlir_attr_pairs(file, in, out);
    case MLIR_REAL:
    case MLIR_INTEGER: return read_number(file, in, out);
    case MLIR_STRING: out->string = mlir_file_string(file, in); return NULL;
    case MLIR_LITERAL: return read_tensor(file, in, out);
    case MLIR_TYPE: return mlir_type_field(file, in, &out->type);
    case MLIR_ALIAS: return read_alias(file, in, out);
    default: in->at = in->end; return NULL; /* known by name only: the fields are not looked at */
    }
}
