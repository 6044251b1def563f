#include "compiler/frontend/mlir/mlir_literal.h"

#include <string.h>

const struct literal *mlir_literal_of(struct arena *arena, const struct type *type,
                                      const void *bytes, bool splat)
{
    struct literal *literal = ARENA_NEW(arena, struct literal);
    size_t element = (size_t)dtype_bytes(type->shape.dtype);
    int64_t count = type_elements(type);
    if (!splat && count > 1)
        splat = memcmp(bytes, (const char *)bytes + element, (size_t)(count - 1) * element) == 0;
    *literal = (struct literal){.type = type, .bytes = bytes, .splat = splat};
    return literal;
}

/* Elements of type i1 are stored as a splat byte, as bits, or as bytes, tried in this order. A
 * single byte 0xff means that all are true. */
static struct error *read_predicates(struct arena *arena, const uint8_t *data, uint64_t size,
                                     const struct type *type, int64_t count,
                                     const struct literal **out)
{
    uint8_t *bytes;
    uint64_t packed = (uint64_t)count / 8 + (count % 8 != 0);
    bool all_true = size == 1 && data[0] == 0xff;
    if (all_true || (size == 1 && size != packed && count > 1)) {
        bytes = arena_alloc(arena, 1);
        bytes[0] = data[0] != 0;
        *out = mlir_literal_of(arena, type, bytes, true);
    } else if (size == packed && (uint64_t)count != size) {
        bytes = arena_alloc(arena, (size_t)count);
        for (int64_t i = 0; i < count; i++)
            bytes[i] = data[i / 8] >> (i % 8) & 1;
        *out = mlir_literal_of(arena, type, bytes, false);
    } else if (size == (uint64_t)count) {
        bytes = arena_alloc(arena, (size_t)count);
        for (int64_t i = 0; i < count; i++)
            bytes[i] = data[i] != 0;
        *out = mlir_literal_of(arena, type, bytes, false);
    } else {
        return ERROR(INVALID_ARGUMENT,
                     "MLIR: a constant of %lld elements of type i1 has %llu bytes; it must have "
                     "1, %lld or %llu",
                     (long long)count, (unsigned long long)size, (long long)count,
                     (unsigned long long)packed);
    }
    return NULL;
}

/* Sub-byte elements have a byte each with upper bits 0; sign-extends signed ones. */
static const void *extend(struct arena *arena, const uint8_t *data, uint64_t size, enum dtype dtype)
{
    int bits = dtype_info(dtype)->bits;
    unsigned mask = (1u << bits) - 1,
             sign = dtype_info(dtype)->class == CLASS_SIGNED ? 1u << (bits - 1) : 0;
    uint8_t *bytes = arena_alloc(arena, (size_t)size);
    for (uint64_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(((data[i] & mask) ^ sign) - sign);
    return bytes;
}

static size_t alignment_of(enum dtype dtype)
{
    size_t size = (size_t)dtype_bytes(dtype);
    return dtype_is_complex(dtype) ? size / 2 : size;
}

struct error *mlir_literal_make(struct arena *arena, const uint8_t *data, uint64_t size,
                                const struct type *type, const struct literal **out)
{
    int64_t count = type_elements(type), total = type_bytes(type);
    if (type->kind != TYPE_TENSOR || count < 0 || total < 0)
        return ERROR(INVALID_ARGUMENT, "MLIR: the type of a constant must be a static tensor");
    if (type->shape.dtype == DTYPE_PRED)
        return read_predicates(arena, data, size, type, count, out);
    uint64_t element = (uint64_t)dtype_bytes(type->shape.dtype);
    bool splat = size == element && count != 1;
    if (!splat && size != (uint64_t)total)
        return ERROR(INVALID_ARGUMENT, "MLIR: a constant has %llu bytes; its type requires %lld",
                     (unsigned long long)size, (long long)total);
    const void *bytes = data;
    if (dtype_info(type->shape.dtype)->bits < 8)
        bytes = extend(arena, data, size, type->shape.dtype);
    else if ((uintptr_t)data % alignment_of(type->shape.dtype))
        bytes = arena_copy(arena, data, (size_t)size);
    *out = mlir_literal_of(arena, type, bytes, splat);
    return NULL;
}
