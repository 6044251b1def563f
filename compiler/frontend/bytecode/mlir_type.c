#include "compiler/frontend/bytecode/mlir_type.h"

#include <string.h>

#include "compiler/frontend/bytecode/vhlo_types.h"

enum builtin_type {
    BUILTIN_INTEGER = 0,
    BUILTIN_INDEX = 1,
    BUILTIN_FUNCTION = 2,
    BUILTIN_BF16 = 3,
    BUILTIN_F16 = 4,
    BUILTIN_F32 = 5,
    BUILTIN_F64 = 6,
    BUILTIN_COMPLEX = 9,
    BUILTIN_NONE = 12,
    BUILTIN_TENSOR = 13,
    BUILTIN_TENSOR_WITH_ENCODING = 14,
    BUILTIN_TUPLE = 15
};

static const char *const builtin_names[] = {"integer",
                                            "index",
                                            "function",
                                            "bf16",
                                            "f16",
                                            "f32",
                                            "f64",
                                            "f80",
                                            "f128",
                                            "complex",
                                            "memref",
                                            "memref with memory space",
                                            "none",
                                            "tensor",
                                            "tensor with encoding",
                                            "tuple",
                                            "unranked memref",
                                            "unranked memref with memory space",
                                            "unranked tensor",
                                            "vector",
                                            "scalable vector",
                                            "tf32",
                                            "f8E5M2",
                                            "f8E4M3",
                                            "f8E4M3FN",
                                            "f8E5M2FNUZ",
                                            "f8E4M3FNUZ",
                                            "f8E4M3B11FNUZ",
                                            "f8E3M4",
                                            "f4E2M1FN",
                                            "f6E2M3FN",
                                            "f6E3M2FN",
                                            "f8E8M0FNU"};

struct error *mlir_type_weigh(int64_t *owner, int64_t part)
{
    *owner += part;
    if (*owner <= MLIR_MAX_WEIGHT)
        return NULL;
    return ERROR(INVALID_ARGUMENT, "MLIR: an attribute or type has more than %d parts",
                 MLIR_MAX_WEIGHT);
}

struct error *mlir_type_open(struct mlir_file *file, struct mlir_entry *entry, struct bytes *in)
{
    if (entry->state == MLIR_ENTRY_OPEN)
        return ERROR(INVALID_ARGUMENT,
                     "MLIR bytecode: the attribute or type at byte %zu contains itself",
                     entry->offset);
    if (file->depth >= MLIR_MAX_DEPTH)
        return ERROR(INVALID_ARGUMENT,
                     "MLIR bytecode: the attribute or type at byte %zu is nested deeper than %d",
                     entry->offset, MLIR_MAX_DEPTH);
    entry->state = MLIR_ENTRY_OPEN;
    file->depth++;
    *in = bytes_part(&file->bytes, entry->offset, entry->size);
    return NULL;
}

void mlir_type_close(struct mlir_file *file, struct mlir_entry *entry, void *value)
{
    entry->state = MLIR_ENTRY_DONE;
    entry->value = value;
    file->depth--;
}

void mlir_type_element(enum dtype dtype, const char *name, struct mlir_type *out)
{
    const struct dtype_info *info = dtype_info(dtype);
    out->kind = dtype == DTYPE_INVALID ? MLIR_TYPE_OTHER : MLIR_TYPE_ELEMENT;
    out->name = name;
    out->dtype = dtype;
    out->bits = dtype == DTYPE_PRED ? 1 : info->bits;
}

struct error *mlir_type_tensor(struct arena *arena, struct dims shape,
                               const struct mlir_type *element, struct mlir_type *out)
{
    if (shape.count > SHAPE_MAX_RANK)
        return ERROR(INVALID_ARGUMENT, "MLIR: a tensor has rank %lld, at most %d is read",
                     (long long)shape.count, SHAPE_MAX_RANK);
    for (int64_t i = 0; i < shape.count; i++)
        if (shape.at[i] < 0 && shape.at[i] != SHAPE_DYNAMIC)
            return ERROR(INVALID_ARGUMENT, "MLIR: dimension %lld of a tensor is %lld", (long long)i,
                         (long long)shape.at[i]);
    if (element->kind != MLIR_TYPE_ELEMENT || element->dtype == DTYPE_INVALID)
        return ERROR(UNIMPLEMENTED, "MLIR: tensors of %s", element->name);
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

struct error *mlir_type_value(const struct mlir_type *type, const struct type **out)
{
    *out = type->type;
    return type->type ? NULL : ERROR(UNIMPLEMENTED, "MLIR: values of type %s", type->name);
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

struct error *mlir_type_field(struct mlir_file *file, struct bytes *in,
                              const struct mlir_type **out)
{
    size_t index = bytes_index(in, file->type_count);
    *out = NULL;
    TRY(bytes_error(in, "MLIR bytecode type"));
    return mlir_type_get(file, index, out);
}

struct error *mlir_type_list(struct mlir_file *file, struct bytes *in, struct mlir_type *owner,
                             struct mlir_types *out)
{
    size_t count = bytes_count(in);
    const struct mlir_type **types = ARENA_ARRAY(file->arena, const struct mlir_type *, count);
    for (size_t i = 0; i < count; i++) {
        TRY(mlir_type_field(file, in, &types[i]));
        TRY(mlir_type_weigh(&owner->weight, types[i]->weight));
    }
    out->count = count;
    out->at = types;
    return bytes_error(in, "MLIR bytecode types");
}

struct dims mlir_type_dims(struct mlir_file *file, struct bytes *in)
{
    size_t count = bytes_count(in);
    int64_t *dims = ARENA_ARRAY(file->arena, int64_t, count);
    for (size_t i = 0; i < count; i++)
        dims[i] = bytes_svarint(in);
    return (struct dims){.count = (int64_t)count, .at = dims};
}

/* width << 2 | sign, sign: 0 signless, 1 signed, 2 unsigned. Signless ones stand for signed. */
static void integer_type(struct mlir_file *file, struct bytes *in, struct mlir_type *out)
{
    static const struct {
        int bits;
        enum dtype with_sign, without_sign;
    } widths[] = {{1, DTYPE_PRED, DTYPE_PRED}, {2, DTYPE_S2, DTYPE_U2},
                  {4, DTYPE_S4, DTYPE_U4},     {8, DTYPE_S8, DTYPE_U8},
                  {16, DTYPE_S16, DTYPE_U16},  {32, DTYPE_S32, DTYPE_U32},
                  {64, DTYPE_S64, DTYPE_U64}};
    uint64_t field = bytes_varint(in);
    uint64_t bits = field >> 2;
    if (bits == 0 || bits > 1 << 24)
        bytes_fail(in, "an integer type's width is out of range");
    out->kind = MLIR_TYPE_ELEMENT;
    out->bits = (int)bits;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if ((uint64_t)widths[i].bits == bits)
            out->dtype = (field & 3) == 2 ? widths[i].without_sign : widths[i].with_sign;
    out->name = arena_format(file->arena, "%si%d", (field & 3) == 2 ? "u" : "", (int)bits);
}

struct error *mlir_type_complex(struct mlir_file *file, struct bytes *in, struct mlir_type *out)
{
    const struct mlir_type *part;
    TRY(mlir_type_field(file, in, &part));
    enum dtype dtype = part->dtype == DTYPE_F32   ? DTYPE_C64
                       : part->dtype == DTYPE_F64 ? DTYPE_C128
                                                  : DTYPE_INVALID;
    mlir_type_element(dtype, arena_format(file->arena, "complex<%s>", part->name), out);
    return mlir_type_weigh(&out->weight, part->weight);
}

static struct error *builtin_type(struct mlir_file *file, struct bytes *in, uint64_t code,
                                  struct mlir_type *out)
{
    if (code < sizeof builtin_names / sizeof *builtin_names)
        out->name = builtin_names[code];
    const struct mlir_type *element;
    struct dims shape;
    switch (code) {
    case BUILTIN_INTEGER: integer_type(file, in, out); return NULL;
    case BUILTIN_INDEX: mlir_type_element(DTYPE_S64, "index", out); return NULL;
    case BUILTIN_COMPLEX: return mlir_type_complex(file, in, out);
    case BUILTIN_NONE: out->kind = MLIR_TYPE_NONE; return NULL;
    case BUILTIN_TENSOR_WITH_ENCODING:
        bytes_index(in, file->attr_count);
        /* fall through */
    case BUILTIN_TENSOR:
        shape = mlir_type_dims(file, in);
        TRY(mlir_type_field(file, in, &element));
        return mlir_type_tensor(file->arena, shape, element, out);
    case BUILTIN_FUNCTION:
        out->kind = MLIR_TYPE_FUNCTION;
        TRY(mlir_type_list(file, in, out, &out->inputs));
        return mlir_type_list(file, in, out, &out->outputs);
    case BUILTIN_TUPLE:
        TRY(mlir_type_list(file, in, out, &out->inputs));
        return mlir_type_tuple(file->arena, out->inputs, out);
    default:
        mlir_type_element(dtype_from_mlir(out->name, strlen(out->name)), out->name, out);
        in->at = in->end; /* kinds that no value has: their fields are not looked at */
        return NULL;
    }
}

/* Narrow float types of older writers come as text. */
static void text_type(struct mlir_file *file, struct bytes *in, struct mlir_type *out)
{
    const char *text = (const char *)in->data + in->at;
    size_t size = strnlen(text, bytes_left(in));
    mlir_type_element(dtype_from_mlir(text, size), arena_string(file->arena, text, size), out);
    in->at = in->end;
}

static struct error *read_type(struct mlir_file *file, const struct mlir_entry *entry,
                               struct bytes *in, struct mlir_type *out)
{
    out->weight = 1;
    out->name = "unknown";
    if (!entry->coded) {
        text_type(file, in, out);
        return NULL;
    }
    uint64_t code = bytes_varint(in);
    if (entry->dialect == MLIR_VHLO)
        TRY(vhlo_types_read(file, in, code, out));
    else if (entry->dialect == MLIR_BUILTIN)
        TRY(builtin_type(file, in, code, out));
    else
        return ERROR(UNIMPLEMENTED, "MLIR bytecode: a type of an unknown dialect at byte %zu",
                     entry->offset);
    return bytes_finish(in, "MLIR bytecode type");
}

struct error *mlir_type_get(struct mlir_file *file, size_t index, const struct mlir_type **out)
{
    struct mlir_entry *entry = &file->types[index];
    *out = entry->value;
    if (entry->state == MLIR_ENTRY_DONE)
        return NULL;
    struct bytes in;
    TRY(mlir_type_open(file, entry, &in));
    struct mlir_type *type = ARENA_NEW(file->arena, struct mlir_type);
    TRY(read_type(file, entry, &in, type));
    mlir_type_close(file, entry, type);
    *out = type;
    return NULL;
}
