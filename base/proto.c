#include "base/proto.h"

#include <stdbool.h>
#include <string.h>

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

/* The lead bytes of UTF-8's sequences, and the range of their second byte, which excludes overlong
 * ones, surrogates, and what is beyond U+10FFFF (Unicode, table 3-7). */
static const struct {
    unsigned char first, last, size, low, high;
} sequences[] = {
    {0x00, 0x7f, 1, 0, 0},       {0xc2, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf},
    {0xe1, 0xec, 3, 0x80, 0xbf}, {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf},
    {0xf0, 0xf0, 4, 0x90, 0xbf}, {0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f}};

static bool continues(const unsigned char *at, size_t size, size_t row)
{
    if (size < sequences[row].size)
        return false;
    for (size_t i = 1; i < sequences[row].size; i++) {
        int low = i == 1 ? sequences[row].low : 0x80, high = i == 1 ? sequences[row].high : 0xbf;
        if (at[i] < low || at[i] > high)
            return false;
    }
    return true;
}

/* Bytes of the character at `at`, of which `size` > 0 are left; 0: it is none. */
static size_t character_size(const unsigned char *at, size_t size)
{
    for (size_t row = 0; row < sizeof sequences / sizeof *sequences; row++)
        if (at[0] >= sequences[row].first && at[0] <= sequences[row].last)
            return continues(at, size, row) ? sequences[row].size : 0;
    return 0;
}

void proto_text(struct proto *to, int field, const char *text, size_t size)
{
    proto_bytes(to, field, text, size);
    unsigned char *at = size ? to->bytes + to->size - size : NULL;
    while (size) {
        size_t character = character_size(at, size);
        if (!character)
            *at = '?';
        character = character ? character : 1;
        at += character, size -= character;
    }
}

void proto_string(struct proto *to, int field, const char *string)
{
    proto_text(to, field, string, strlen(string));
}

void proto_message(struct proto *to, int field, const struct proto *message)
{
    proto_bytes(to, field, message->bytes, message->size);
}
