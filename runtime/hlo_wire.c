#include "runtime/hlo_wire.h"

#include <string.h>

#include "base/vec.h"

/* ---- wire format ----------------------------------------------------------------------------- */
static void append(struct hlo_message *to, const void *bytes, size_t size)
{
    if (size == 0)
        return;
    while (to->capacity - to->size < size)
        to->bytes = vec_reserve_(to->arena, to->bytes, &to->capacity, to->capacity, 1);
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

void hlo_wire_varint(struct hlo_message *to, uint64_t value)
{
    unsigned char bytes[10];
    size_t count = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[count++] = (unsigned char)(value | 0x80);
    bytes[count++] = (unsigned char)value;
    append(to, bytes, count);
}

void hlo_wire_number(struct hlo_message *to, int field, int64_t value)
{
    hlo_wire_varint(to, (uint64_t)field << 3);
    hlo_wire_varint(to, (uint64_t)value);
}

static void add_bytes(struct hlo_message *to, int field, const void *bytes, size_t size)
{
    hlo_wire_varint(to, (uint64_t)field << 3 | 2);
    hlo_wire_varint(to, size);
    append(to, bytes, size);
}

void hlo_wire_string(struct hlo_message *to, int field, const char *string)
{
    add_bytes(to, field, string, strlen(string));
}

void hlo_wire_message(struct hlo_message *to, int field, const struct hlo_message *message)
{
    add_bytes(to, field, message->bytes, message->size);
}

/* ---- shapes ---------------------------------------------------------------------------------- */
/* PrimitiveType, by our element types. */
static int primitive_type(enum dtype dtype)
{
    static const unsigned char types[DTYPE_COUNT] = {
        [DTYPE_PRED] = 1,        [DTYPE_S8] = 2,          [DTYPE_S16] = 3,
        [DTYPE_S32] = 4,         [DTYPE_S64] = 5,         [DTYPE_U8] = 6,
        [DTYPE_U16] = 7,         [DTYPE_U32] = 8,         [DTYPE_U64] = 9,
        [DTYPE_F16] = 10,        [DTYPE_F32] = 11,        [DTYPE_F64] = 12,
        [DTYPE_C64] = 15,        [DTYPE_BF16] = 16,       [DTYPE_TOKEN] = 17,
        [DTYPE_C128] = 18,       [DTYPE_F8E5M2] = 19,     [DTYPE_F8E4M3FN] = 20,
        [DTYPE_S4] = 21,         [DTYPE_U4] = 22,         [DTYPE_F8E4M3B11FNUZ] = 23,
        [DTYPE_F8E5M2FNUZ] = 24, [DTYPE_F8E4M3FNUZ] = 25, [DTYPE_S2] = 26,
        [DTYPE_U2] = 27,         [DTYPE_F8E4M3] = 28,     [DTYPE_F8E3M4] = 29,
        [DTYPE_F4E2M1FN] = 32,   [DTYPE_F8E8M0FNU] = 33};
    return types[dtype];
}

enum { TUPLE = 13 };

/* ShapeProto: 2 element_type, 3 dimensions, 5 layout { 1 minor_to_major },
 * 6 is_dynamic_dimension. */
static void add_array(struct hlo_message *to, int field, const struct hlo_array *array)
{
    struct hlo_message shape = {.arena = to->arena}, dims = shape, order = shape, dynamic = shape,
                       layout = shape;
    for (int i = 0; i < array->rank; i++) {
        hlo_wire_varint(&dims, (uint64_t)array->dims[i]);
        int64_t dim = array->minor_to_major ? array->minor_to_major[i] : array->rank - 1 - i;
        hlo_wire_varint(&order, (uint64_t)dim);
        hlo_wire_varint(&dynamic, 0);
    }
    hlo_wire_number(&shape, 2, primitive_type(array->dtype));
    if (array->rank) {
        hlo_wire_message(&shape, 3, &dims);
        hlo_wire_message(&layout, 1, &order);
    }
    if (array->dtype != DTYPE_TOKEN)
        hlo_wire_message(&shape, 5, &layout);
    if (array->rank)
        hlo_wire_message(&shape, 6, &dynamic);
    hlo_wire_message(to, field, &shape);
}

/* A tuple's: 2 element_type, 4 tuple_shapes. */
void hlo_wire_shape(struct hlo_message *to, int field, const struct hlo_array *arrays, int count)
{
    struct hlo_message shape = {.arena = to->arena};
    if (count == 1) {
        add_array(to, field, arrays);
        return;
    }
    hlo_wire_number(&shape, 2, TUPLE);
    for (int i = 0; i < count; i++)
        add_array(&shape, 4, &arrays[i]);
    hlo_wire_message(to, field, &shape);
}
