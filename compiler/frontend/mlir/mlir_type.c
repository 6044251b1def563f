#include "compiler/frontend/mlir/mlir_type.h"

struct error *mlir_type_weigh(int64_t *owner, int64_t part)
{
    *owner += part;
    if (*owner <= MLIR_MAX_WEIGHT)
        return NULL;
    return ERROR(INVALID_ARGUMENT, "MLIR: an attribute or type exceeds the limit of %d parts",
                 MLIR_MAX_WEIGHT);
}

void mlir_type_element(enum dtype dtype, const char *name, struct mlir_type *out)
{
    const struct dtype_info *info = dtype_info(dtype);
    out->kind = dtype == DTYPE_INVALID ? MLIR_TYPE_OTHER : MLIR_TYPE_ELEMENT;
    out->name = name;
    out->dtype = dtype;
    out->bits = dtype == DTYPE_PRED ? 1 : info->bits;
}

struct error *mlir_type_complex(struct arena *arena, const struct mlir_type *part,
                                struct mlir_type *out)
{
    enum dtype dtype = part->dtype == DTYPE_F32   ? DTYPE_C64
                       : part->dtype == DTYPE_F64 ? DTYPE_C128
                                                  : DTYPE_INVALID;
    mlir_type_element(dtype, arena_format(arena, "complex<%s>", part->name), out);
    return mlir_type_weigh(&out->weight, part->weight);
}

struct error *mlir_type_tensor(struct arena *arena, struct dims shape,
                               const struct mlir_type *element, struct mlir_type *out)
{
    if (shape.count > SHAPE_MAX_RANK)
        return ERROR(INVALID_ARGUMENT, "MLIR: a tensor has rank %lld; the limit is %d",
                     (long long)shape.count, SHAPE_MAX_RANK);
    for (int64_t i = 0; i < shape.count; i++)
        if (shape.at[i] < 0 && shape.at[i] != SHAPE_DYNAMIC)
            return ERROR(INVALID_ARGUMENT,
                         "MLIR: dimension %lld of a tensor is %lld; it must be >= 0", (long long)i,
                         (long long)shape.at[i]);
    if (element->kind != MLIR_TYPE_ELEMENT || element->dtype == DTYPE_INVALID)
        return ERROR(UNIMPLEMENTED, "MLIR: tensors with element type %s are unsupported",
                     element->name);
    const struct type *type = type_tensor(arena, element->dtype, (int)shape.count, shape.at);
    if (element->quantization) {
        struct type *quantized = arena_copy(arena, type, sizeof *type);
        quantized->quantization = element->quantization;
        type = quantized;
    }
    out->kind = MLIR_TYPE_VALUE;
    out->name = "tensor";
    out->type = type;
    return mlir_type_weigh(&out->weight, element->weight);
}

struct error *mlir_type_bound(struct arena *arena, struct dims bounds, struct mlir_type *out)
{
    int64_t dims[SHAPE_MAX_RANK];
    const struct type *type = out->type;
    uint32_t bounded = 0;
    if (bounds.count != type->shape.rank)
        return ERROR(INVALID_ARGUMENT, "MLIR: the tensor type %s has %lld bounds; it must have %d",
                     type_text(arena, type), (long long)bounds.count, type->shape.rank);
    for (int i = 0; i < type->shape.rank; i++) {
        bool is_bounded = type->shape.dims[i] == SHAPE_DYNAMIC && bounds.at[i] >= 0;
        dims[i] = is_bounded ? bounds.at[i] : type->shape.dims[i];
        bounded |= (uint32_t)is_bounded << i;
    }
    struct type *copy = arena_copy(arena, type_with_sizes(arena, type, dims), sizeof *type);
    copy->bounded = bounded;
    out->type = copy;
    return NULL;
}

struct error *mlir_type_value(const struct mlir_type *type, const struct type **out)
{
    *out = type->type;
    return type->type ? NULL
                      : ERROR(UNIMPLEMENTED, "MLIR: values of type %s are unsupported", type->name);
}

struct error *mlir_type_tuple(struct arena *arena, struct mlir_types elements,
                              struct mlir_type *out)
{
    const struct type **types = ARENA_ARRAY(arena, const struct type *, elements.count);
    for (size_t i = 0; i < elements.count; i++)
        TRY(mlir_type_value(elements.at[i], &types[i]));
    out->kind = MLIR_TYPE_VALUE;
    out->name = "tuple";
    out->type = type_tuple(arena, (int)elements.count, types);
    return NULL;
}
