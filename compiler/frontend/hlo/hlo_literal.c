#include "compiler/frontend/hlo/hlo_literal.h"

#include <string.h>

#include "compiler/frontend/hlo/hlo_shape.h"

struct elements { /* a field of the message */
    size_t size;
    const void *bytes;
};

static struct elements of(size_t count, size_t size, const void *items)
{
    return (struct elements){count * size, items};
}

static struct elements of_bytes(ProtobufCBinaryData data)
{
    return (struct elements){data.len, data.data};
}

/* The field that has the elements of a type. */
static struct elements find(const Gantry__Hlo__Literal *from, enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_S2: return of_bytes(from->s2s);
    case DTYPE_S4: return of_bytes(from->s4s);
    case DTYPE_S8: return of_bytes(from->s8s);
    case DTYPE_S16: return of_bytes(from->s16s);
    case DTYPE_S32: return of(from->n_s32s, 4, from->s32s);
    case DTYPE_S64: return of(from->n_s64s, 8, from->s64s);
    case DTYPE_U2: return of_bytes(from->u2s);
    case DTYPE_U4: return of_bytes(from->u4s);
    case DTYPE_U8: return of_bytes(from->u8s);
    case DTYPE_U16: return of_bytes(from->u16s);
    case DTYPE_U32: return of(from->n_u32s, 4, from->u32s);
    case DTYPE_U64: return of(from->n_u64s, 8, from->u64s);
    case DTYPE_F4E2M1FN: return of_bytes(from->f4e2m1fns);
    case DTYPE_F8E3M4: return of_bytes(from->f8e3m4s);
    case DTYPE_F8E4M3: return of_bytes(from->f8e4m3s);
    case DTYPE_F8E4M3FN: return of_bytes(from->f8e4m3fns);
    case DTYPE_F8E4M3B11FNUZ: return of_bytes(from->f8e4m3b11fnuzs);
    case DTYPE_F8E4M3FNUZ: return of_bytes(from->f8e4m3fnuzs);
    case DTYPE_F8E5M2: return of_bytes(from->f8e5m2s);
    case DTYPE_F8E5M2FNUZ: return of_bytes(from->f8e5m2fnuzs);
    case DTYPE_F8E8M0FNU: return of_bytes(from->f8e8m0fnus);
    case DTYPE_BF16: return of_bytes(from->bf16s);
    case DTYPE_F16: return of_bytes(from->f16s);
    case DTYPE_F32: return of(from->n_f32s, 4, from->f32s);
    case DTYPE_F64: return of(from->n_f64s, 8, from->f64s);
    case DTYPE_C64: return of(from->n_c64s, 4, from->c64s);
    case DTYPE_C128: return of(from->n_c128s, 8, from->c128s);
    default: return (struct elements){0, NULL};
    }
}

static struct error *wrong_count(struct arena *arena, const struct type *type, size_t size)
{
    return ERROR(INVALID_ARGUMENT, "a constant of type %s has %zu bytes; its type requires %lld",
                 type_text(arena, type), size, (long long)type_bytes(type));
}

static struct error *read_predicates(struct arena *arena, const Gantry__Hlo__Literal *from,
                                     const struct type *type, struct elements *out)
{
    uint8_t *bytes = arena_alloc(arena, from->n_preds);
    if (from->n_preds != (uint64_t)type_elements(type))
        return wrong_count(arena, type, from->n_preds);
    for (size_t i = 0; i < from->n_preds; i++)
        bytes[i] = from->preds[i] != 0;
    *out = of(from->n_preds, 1, bytes);
    return NULL;
}

/* Elements of 2 or 4 bits: each in a byte or, by older writers, packed with the first element in
 * the low bits; signed ones are sign-extended. */
static struct error *read_small(struct arena *arena, const struct type *type, struct elements from,
                                struct elements *out)
{
    unsigned bits = (unsigned)dtype_info(type->shape.dtype)->bits, each = 8 / bits;
    unsigned mask = (1u << bits) - 1;
    unsigned sign = dtype_info(type->shape.dtype)->class == CLASS_SIGNED ? 1u << (bits - 1) : 0;
    uint64_t count = (uint64_t)type_elements(type);
    if (from.size == count)
        each = 1;
    else if (from.size != count / each + (count % each != 0))
        return wrong_count(arena, type, from.size);
    const uint8_t *data = from.bytes;
    uint8_t *bytes = arena_alloc(arena, (size_t)count);
    for (uint64_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(((data[i / each] >> (i % each * bits) & mask) ^ sign) - sign);
    *out = of((size_t)count, 1, bytes);
    return NULL;
}

/* Converts from a layout to row-major. */
static const void *reorder(struct arena *arena, const struct type *type, struct dims layout,
                           const uint8_t *from)
{
    size_t element = (size_t)dtype_bytes(type->shape.dtype);
    int64_t count = type_elements(type), stride = 1, strides[SHAPE_MAX_RANK];
    int64_t index[SHAPE_MAX_RANK] = {0}, at = 0;
    uint8_t *bytes = arena_array(arena, (size_t)count, element);
    for (int64_t i = 0; i < layout.count; i++) {
        strides[layout.at[i]] = stride;
        stride *= type->shape.dims[layout.at[i]];
    }
    for (int64_t i = 0; i < count; i++) {
        memcpy(bytes + (size_t)i * element, from + (size_t)at * element, element);
        for (int d = type->shape.rank - 1; d >= 0; d--) {
            at += strides[d];
            if (++index[d] < type->shape.dims[d])
                break;
            at -= strides[d] * type->shape.dims[d];
            index[d] = 0;
        }
    }
    return bytes;
}

struct error *hlo_literal_read(struct arena *arena, const Gantry__Hlo__Literal *from,
                               const struct literal **out)
{
    const struct type *type;
    struct dims layout;
    TRY(hlo_shape_type(arena, from->shape, &type));
    TRY(hlo_shape_layout(arena, from->shape, &layout));
    if (type->kind != TYPE_TENSOR)
        return ERROR(UNIMPLEMENTED, "constants of %s are unsupported", type_text(arena, type));
    struct elements elements = find(from, type->shape.dtype);
    if (type->shape.dtype == DTYPE_PRED)
        TRY(read_predicates(arena, from, type, &elements));
    else if (dtype_info(type->shape.dtype)->bits < 8)
        TRY(read_small(arena, type, elements, &elements));
    if (elements.size != (uint64_t)type_bytes(type))
        return wrong_count(arena, type, elements.size);
    if (type_elements(type) > 1 && !hlo_shape_is_row_major(layout))
        elements.bytes = reorder(arena, type, layout, elements.bytes);
    *out = literal_dense(arena, type, elements.bytes ? elements.bytes : arena_alloc(arena, 0));
    return NULL;
}
