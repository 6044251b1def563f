#include "compiler/frontend/bytecode/vhlo_types.h"

#include <string.h>

enum vhlo_type {
    VHLO_COMPLEX = 1,
    VHLO_FUNC = 8,
    VHLO_TENSOR = 20,
    VHLO_TENSOR_WITH_ENCODING = 21,
    VHLO_TOKEN = 22,
    VHLO_TUPLE = 23,
    VHLO_QUANT = 24,
    VHLO_UNRANKED_TENSOR = 25,
    VHLO_WITNESS = 26,
    VHLO_QUANT_PER_AXIS = 30,
    VHLO_NONE = 33,
    VHLO_BUFFER = 41,
    VHLO_FUTURE = 42,
    VHLO_TYPE_COUNT
};

/* The types by code; DTYPE_INVALID for types that have fields or no element type. */
static const struct {
    const char *name;
    enum dtype dtype;
} elements[VHLO_TYPE_COUNT] = {
    [0] = {"bool_v1", DTYPE_PRED},
    [1] = {"complex_v1", DTYPE_INVALID},
    [2] = {"bf16_v1", DTYPE_BF16},
    [3] = {"f16_v1", DTYPE_F16},
    [4] = {"f32_v1", DTYPE_F32},
    [5] = {"f64_v1", DTYPE_F64},
    [6] = {"f8E4M3FN_v1", DTYPE_F8E4M3FN},
    [7] = {"f8E5M2_v1", DTYPE_F8E5M2},
    [8] = {"func_v1", DTYPE_INVALID},
    [9] = {"index_v1", DTYPE_S64},
    [10] = {"i4_v1", DTYPE_S4},
    [11] = {"i8_v1", DTYPE_S8},
    [12] = {"i16_v1", DTYPE_S16},
    [13] = {"i32_v1", DTYPE_S32},
    [14] = {"i64_v1", DTYPE_S64},
    [15] = {"ui4_v1", DTYPE_U4},
    [16] = {"ui8_v1", DTYPE_U8},
    [17] = {"ui16_v1", DTYPE_U16},
    [18] = {"ui32_v1", DTYPE_U32},
    [19] = {"ui64_v1", DTYPE_U64},
    [20] = {"tensor_v1", DTYPE_INVALID},
    [21] = {"tensor_v1", DTYPE_INVALID},
    [22] = {"token_v1", DTYPE_INVALID},
    [23] = {"tuple_v1", DTYPE_INVALID},
    [24] = {"quant_v1", DTYPE_INVALID},
    [25] = {"unranked_tensor_v1", DTYPE_INVALID},
    [26] = {"witness_v1", DTYPE_INVALID},
    [27] = {"f8E4M3FNUZ_v1", DTYPE_F8E4M3FNUZ},
    [28] = {"f8E5M2FNUZ_v1", DTYPE_F8E5M2FNUZ},
    [29] = {"f8E4M3B11FNUZ_v1", DTYPE_F8E4M3B11FNUZ},
    [30] = {"quant_per_axis_v1", DTYPE_INVALID},
    [31] = {"i2_v1", DTYPE_S2},
    [32] = {"ui2_v1", DTYPE_U2},
    [33] = {"none_v1", DTYPE_INVALID},
    [34] = {"tf32", DTYPE_INVALID},
    [35] = {"f8E4M3_v1", DTYPE_F8E4M3},
    [36] = {"f8E3M4_v1", DTYPE_F8E3M4},
    [37] = {"f4E2M1FN_v1", DTYPE_F4E2M1FN},
    [38] = {"f6E2M3FN_v1", DTYPE_INVALID},
    [39] = {"f6E3M2FN_v1", DTYPE_INVALID},
    [40] = {"f8E8M0FNU_v1", DTYPE_F8E8M0FNU},
    [41] = {"buffer_v1", DTYPE_INVALID},
    [42] = {"future_v1", DTYPE_INVALID},
};

static double read_double(struct bytes *in)
{
    int64_t pattern = bytes_svarint(in);
    double value;
    memcpy(&value, &pattern, sizeof value);
    return value;
}

/* The element type of the storage: the type in the file is signed even if the flag is not set. */
static enum dtype storage_dtype(const struct mlir_type *storage, bool with_sign)
{
    if (with_sign)
        return storage->dtype;
    switch (storage->dtype) {
    case DTYPE_S2: return DTYPE_U2;
    case DTYPE_S4: return DTYPE_U4;
    case DTYPE_S8: return DTYPE_U8;
    case DTYPE_S16: return DTYPE_U16;
    case DTYPE_S32: return DTYPE_U32;
    default: return storage->dtype;
    }
}

static struct error *quantized(struct mlir_file *file, struct bytes *in, bool per_axis,
                               struct mlir_type *out)
{
    struct quantization *quantization = ARENA_NEW(file->arena, struct quantization);
    const struct mlir_type *storage, *expressed;
    bool with_sign = bytes_varint(in) & 1;
    TRY(mlir_entry_type_field(file, in, &storage));
    TRY(mlir_entry_type_field(file, in, &expressed));
    size_t count = 1;
    double *scales = ARENA_NEW(file->arena, double);
    int64_t *zero_points = ARENA_NEW(file->arena, int64_t);
    quantization->axis = -1;
    if (per_axis) {
        quantization->axis = (int)bytes_index(in, SHAPE_MAX_RANK);
    } else {
        scales[0] = read_double(in);
        zero_points[0] = bytes_svarint(in);
    }
    quantization->storage_min = bytes_svarint(in);
    quantization->storage_max = bytes_svarint(in);
    if (per_axis) {
        count = bytes_count(in);
        scales = ARENA_ARRAY(file->arena, double, count);
        for (size_t i = 0; i < count; i++)
            scales[i] = read_double(in);
        struct dims points = mlir_entry_dims(file, in);
        if (!in->failure && (size_t)points.count != count)
            bytes_fail(in, "a quantized type has different numbers of scales and zero points");
        zero_points = (int64_t *)points.at;
    }
    quantization->expressed = expressed->dtype;
    quantization->scale_count = (int)count;
    quantization->scales = scales;
    quantization->zero_points = zero_points;
    mlir_type_element(storage_dtype(storage, with_sign), out->name, out);
    out->quantization = quantization;
    return NULL;
}

/* The encoding has the bounds of dynamic dimensions. */
static struct error *encoded_tensor(struct mlir_file *file, struct bytes *in, struct mlir_type *out)
{
    struct mlir_attr *encoding;
    TRY(mlir_entry_attr_field(file, in, &encoding));
    TRY(mlir_entry_tensor(file, in, out));
    bool bounds = encoding->ints && type_is_dynamic(out->type);
    return bounds ? mlir_type_bound(file->arena, *encoding->ints, out) : NULL;
}

struct error *vhlo_types_read(struct mlir_file *file, struct bytes *in, uint64_t code,
                              struct mlir_type *out)
{
    if (code >= VHLO_TYPE_COUNT)
        return ERROR(UNIMPLEMENTED, "VHLO: the type code %llu at byte %zu is unsupported",
                     (unsigned long long)code, in->at);
    out->name = elements[code].name;
    switch (code) {
    case VHLO_COMPLEX: return mlir_entry_complex(file, in, out);
    case VHLO_BUFFER: /* has one use at a time, so it is the array in it */
    case VHLO_TENSOR: return mlir_entry_tensor(file, in, out);
    case VHLO_TENSOR_WITH_ENCODING: return encoded_tensor(file, in, out);
    case VHLO_QUANT: return quantized(file, in, false, out);
    case VHLO_QUANT_PER_AXIS: return quantized(file, in, true, out);
    case VHLO_NONE: out->kind = MLIR_TYPE_NONE; return NULL;
    case VHLO_TOKEN:
        out->kind = MLIR_TYPE_VALUE;
        out->type = type_token(file->arena);
        return NULL;
    case VHLO_FUTURE: /* of the results of an asynchronous operation */
    case VHLO_TUPLE: return mlir_entry_tuple(file, in, out);
    case VHLO_FUNC: return mlir_entry_function(file, in, out);
    case VHLO_UNRANKED_TENSOR:
        in->at = in->end; /* no value has this type: the fields are ignored */
        return NULL;
    default: mlir_type_element(elements[code].dtype, out->name, out); return NULL;
    }
}

struct error *vhlo_types_read_stablehlo(struct mlir_file *file, struct bytes *in, uint64_t code,
                                        struct mlir_type *out)
{
    enum { STABLEHLO_TOKEN };
    if (code != STABLEHLO_TOKEN)
        return ERROR(UNIMPLEMENTED, "StableHLO: the type code %llu at byte %zu is unsupported",
                     (unsigned long long)code, in->at);
    out->kind = MLIR_TYPE_VALUE;
    out->type = type_token(file->arena);
    return NULL;
}
