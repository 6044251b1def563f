#include "compiler/frontend/bytes.h"

#include <string.h>

struct bytes bytes_of(const void *data, size_t size)
{
    return (struct bytes){.data = data, .end = size};
}

struct bytes bytes_part(const struct bytes *whole, size_t offset, size_t size)
{
    struct bytes part = {.data = whole->data, .at = offset, .end = offset};
    if (offset > whole->end || size > whole->end - offset) {
        part.at = part.end = whole->end;
        bytes_fail(&part, "a part extends past the end");
    } else {
        part.end = offset + size;
    }
    return part;
}

void bytes_fail(struct bytes *bytes, const char *reason)
{
    if (bytes->failure)
        return;
    bytes->failure = reason;
    bytes->failed_at = bytes->at;
}

const uint8_t *bytes_take(struct bytes *bytes, uint64_t size)
{
    if (bytes->failure)
        return NULL;
    if (size > bytes_left(bytes)) {
        bytes_fail(bytes, "unexpected end of data");
        return NULL;
    }
    const uint8_t *taken = bytes->data + bytes->at;
    bytes->at += (size_t)size;
    return taken;
}

uint8_t bytes_u8(struct bytes *bytes)
{
    const uint8_t *byte = bytes_take(bytes, 1);
    return byte ? *byte : 0;
}

static uint64_t little_endian(const uint8_t *at, int count)
{
    uint64_t value = 0;
    for (int i = count - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

uint64_t bytes_u64(struct bytes *bytes)
{
    const uint8_t *at = bytes_take(bytes, 8);
    return at ? little_endian(at, 8) : 0;
}

uint64_t bytes_varint(struct bytes *bytes)
{
    size_t start = bytes->at;
    uint8_t first = bytes_u8(bytes);
    if (bytes->failure)
        return 0;
    if (first == 0)
        return bytes_u64(bytes);
    int more = __builtin_ctz(first);
    if (!bytes_take(bytes, (uint64_t)more))
        return 0;
    return little_endian(bytes->data + start, more + 1) >> (more + 1);
}

int64_t bytes_svarint(struct bytes *bytes)
{
    uint64_t value = bytes_varint(bytes);
    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

size_t bytes_count(struct bytes *bytes)
{
    uint64_t count = bytes_varint(bytes);
    if (count > bytes_left(bytes)) {
        bytes_fail(bytes, "a count exceeds the bytes that are left");
        return 0;
    }
    return (size_t)count;
}

size_t bytes_index(struct bytes *bytes, size_t limit)
{
    uint64_t index = bytes_varint(bytes);
    if (bytes->failure)
        return 0;
    if (index >= limit) {
        bytes_fail(bytes, "an index is out of range");
        return 0;
    }
    return (size_t)index;
}

struct error *bytes_error(const struct bytes *bytes, const char *what)
{
    if (!bytes->failure)
        return NULL;
    return ERROR(INVALID_ARGUMENT, "%s: %s at byte %zu", what, bytes->failure, bytes->failed_at);
}

struct error *bytes_finish(const struct bytes *bytes, const char *what)
{
    TRY(bytes_error(bytes, what));
    if (bytes->at == bytes->end)
        return NULL;
    return ERROR(INVALID_ARGUMENT, "%s: %zu unexpected bytes at byte %zu", what, bytes_left(bytes),
                 bytes->at);
}
