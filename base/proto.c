#include "base/proto.h"

#include <string.h>

#include "base/utf8.h"
#include "base/vec.h"

enum { WIRE_VARINT = 0, WIRE_DOUBLE = 1, WIRE_BYTES = 2 };

static void append(struct proto *to, const void *bytes, size_t size)
{
    if (size == 0)
        return;
    while (to->capacity - to->size < size)
        to->bytes = vec_reserve_(to->arena, to->bytes, &to->capacity, to->capacity, 1);
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

void proto_varint(struct proto *to, uint64_t value)
{
    unsigned char bytes[10];
    size_t count = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[count++] = (unsigned char)(value | 0x80);
    bytes[count++] = (unsigned char)value;
    append(to, bytes, count);
}

static void add_tag(struct proto *to, int field, int wire_type)
{
    proto_varint(to, (uint64_t)field << 3 | (uint64_t)wire_type);
}

void proto_number(struct proto *to, int field, int64_t value)
{
    add_tag(to, field, WIRE_VARINT);
    proto_varint(to, (uint64_t)value);
}

void proto_double(struct proto *to, int field, double value)
{
    add_tag(to, field, WIRE_DOUBLE);
    append(to, &value, sizeof value);
}

void proto_bytes(struct proto *to, int field, const void *bytes, size_t size)
{
    add_tag(to, field, WIRE_BYTES);
    proto_varint(to, size);
    append(to, bytes, size);
}

void proto_text(struct proto *to, int field, const char *text, size_t size)
{
    proto_bytes(to, field, text, size);
    if (size)
        utf8_repair((char *)to->bytes + to->size - size, size);
}

void proto_string(struct proto *to, int field, const char *string)
{
    proto_text(to, field, string, strlen(string));
}

void proto_message(struct proto *to, int field, const struct proto *message)
{
    proto_bytes(to, field, message->bytes, message->size);
}
