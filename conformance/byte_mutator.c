/* byte_mutator.c: see byte_mutator.h. */
#include "conformance/byte_mutator.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_FIELDS = 4096, MAX_DEPTH = 24, MAX_VARINT = 10 };

static const uint64_t extremes[] = {0,
                                    1,
                                    2,
                                    127,
                                    128,
                                    255,
                                    65535,
                                    65536,
                                    INT32_MAX,
                                    UINT32_MAX,
                                    (uint64_t)INT32_MIN,
                                    UINT64_C(1) << 40,
                                    INT64_MAX,
                                    UINT64_C(1) << 63,
                                    UINT64_MAX};
enum { EXTREMES = sizeof extremes / sizeof *extremes };

size_t byte_mutator_choose(uint64_t *state, size_t count)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t high = *state >> 29;
    return count ? (size_t)(high % count) : 0;
}

/* ---- MLIR bytecode --------------------------------------------------------------------------- */

enum { BYTECODE_HEADER = 5 };

/* An integer of one byte has its lowest bit set, and its value above that. */
static void change_byte(uint8_t *byte, uint64_t *state)
{
    static const int steps[] = {-2, 2, -4, 4, 8, -8};
    switch (byte_mutator_choose(state, 8)) {
    case 0: *byte ^= (uint8_t)(1u << byte_mutator_choose(state, 8)); break;
    case 1: *byte = (uint8_t)byte_mutator_choose(state, 256); break;
    default: *byte = (uint8_t)(*byte + steps[byte_mutator_choose(state, 6)]); break;
    }
}

size_t byte_mutate_bytecode(uint8_t *bytes, size_t size, size_t max_size, uint64_t *state)
{
    (void)max_size;
    if (size <= BYTECODE_HEADER)
        return size;
    uint8_t *body = bytes + BYTECODE_HEADER;
    size_t length = size - BYTECODE_HEADER;
    for (size_t left = 1 + byte_mutator_choose(state, 4); left > 0; left--) {
        size_t at = byte_mutator_choose(state, length), from = byte_mutator_choose(state, length);
        if (byte_mutator_choose(state, 4))
            change_byte(&body[at], state);
        else
            body[at] = body[from];
    }
    return byte_mutator_choose(state, 64) ? size
                                          : BYTECODE_HEADER + byte_mutator_choose(state, length);
}

/* ---- Protocol buffers ------------------------------------------------------------------------ */

struct field {
    size_t at, payload, end; /* of the tag, of the value, and behind it */
    int wire;                /* 0: a number, 1: 8 bytes, 2: bytes, 5: 4 bytes */
    int parent;              /* index of the message around it; -1: none */
};

struct message {
    uint8_t *bytes;
    size_t size, limit;
    struct field fields[MAX_FIELDS];
    int count;
};

/* The bytes of the integer at `at`, or 0 if there is none before `end`. */
static size_t read_varint(const uint8_t *bytes, size_t at, size_t end, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < MAX_VARINT && at + i < end; i++) {
        *out |= (uint64_t)(bytes[at + i] & 0x7f) << (7 * i);
        if (!(bytes[at + i] & 0x80))
            return i + 1;
    }
    return 0;
}

/* Writes an integer in exactly `width` bytes; its higher bits are lost where they do not fit. */
static void write_varint(uint8_t *out, size_t width, uint64_t value)
{
    for (size_t i = 0; i < width; i++, value >>= 7)
        out[i] = (uint8_t)((value & 0x7f) | (i + 1 < width ? 0x80 : 0));
}

static bool scan_field(const struct message *m, size_t at, size_t end, struct field *out)
{
    uint64_t tag, length;
    size_t width = read_varint(m->bytes, at, end, &tag), prefix = 0;
    *out = (struct field){.at = at, .payload = at + width, .wire = (int)(tag & 7)};
    if (!width || tag < 8)
        return false;
    switch (out->wire) {
    case 0: length = read_varint(m->bytes, out->payload, end, &tag); break;
    case 1: length = 8; break;
    case 2: prefix = read_varint(m->bytes, out->payload, end, &length); break;
    case 5: length = 4; break;
    default: return false;
    }
    out->payload += prefix;
    if ((out->wire == 0 && !length) || (out->wire == 2 && !prefix) || out->payload > end ||
        length > end - out->payload)
        return false;
    out->end = out->payload + (size_t)length;
    return true;
}

/* Lists the fields of [at, end); false, without new ones, if these bytes are not a message. */
static bool scan(struct message *m, size_t at, size_t end, int parent, int depth)
{
    int first = m->count;
    while (at < end) {
        struct field field;
        if (m->count == MAX_FIELDS || !scan_field(m, at, end, &field)) {
            m->count = first;
            return false;
        }
        field.parent = parent;
        int index = m->count++;
        m->fields[index] = field;
        if (field.wire == 2 && depth < MAX_DEPTH && field.end > field.payload)
            scan(m, field.payload, field.end, index, depth + 1);
        at = field.end;
    }
    return true;
}

/* Whether the lengths around a field can change by `change`, in the same number of bytes. */
static bool adjust(struct message *m, int parent, long change, bool apply)
{
    for (; parent >= 0; parent = m->fields[parent].parent) {
        const struct field *around = &m->fields[parent];
        uint64_t tag, length;
        size_t at = around->at + read_varint(m->bytes, around->at, around->end, &tag);
        size_t width = read_varint(m->bytes, at, around->end, &length);
        length = (uint64_t)((long)length + change);
        if (width < MAX_VARINT && length >> (7 * width))
            return false;
        if (apply)
            write_varint(m->bytes + at, width, length);
    }
    return true;
}

static void remove_field(struct message *m, const struct field *field)
{
    size_t size = field->end - field->at;
    if (!adjust(m, field->parent, -(long)size, false))
        return;
    adjust(m, field->parent, -(long)size, true);
    memmove(m->bytes + field->at, m->bytes + field->end, m->size - field->end);
    m->size -= size;
}

static void repeat_field(struct message *m, const struct field *field)
{
    size_t size = field->end - field->at;
    if (m->size + size > m->limit || !adjust(m, field->parent, (long)size, false))
        return;
    adjust(m, field->parent, (long)size, true);
    memmove(m->bytes + field->end, m->bytes + field->at, m->size - field->at);
    m->size += size;
}

static void change_value(struct message *m, const struct field *field, uint64_t *state)
{
    uint64_t value;
    size_t size = field->end - field->payload;
    uint8_t *at = m->bytes + field->payload;
    if (field->wire == 0) {
        read_varint(m->bytes, field->payload, field->end, &value);
        value = byte_mutator_choose(state, 3) ? value + byte_mutator_choose(state, 5) - 2
                                              : extremes[byte_mutator_choose(state, EXTREMES)];
        write_varint(at, size, value);
    } else if (size) {
        at += byte_mutator_choose(state, size);
        *at = byte_mutator_choose(state, 2) ? (uint8_t)(*at + 1)
                                            : (uint8_t)byte_mutator_choose(state, 256);
    }
}

static void change_field(struct message *m, uint64_t *state)
{
    m->count = 0;
    scan(m, 0, m->size, -1, 0);
    if (!m->count)
        return;
    const struct field *field = &m->fields[byte_mutator_choose(state, (size_t)m->count)];
    switch (byte_mutator_choose(state, 8)) {
    case 0: remove_field(m, field); break;
    case 1: repeat_field(m, field); break;
    case 2: m->bytes[field->at] = (uint8_t)(m->bytes[field->at] + 8); break; /* another field */
    default: change_value(m, field, state); break;
    }
}

size_t byte_mutate_message(uint8_t *bytes, size_t size, size_t max_size, uint64_t *state)
{
    static struct message m;
    m = (struct message){.bytes = bytes, .size = size, .limit = max_size};
    for (size_t left = 1 + byte_mutator_choose(state, 3); left > 0; left--)
        change_field(&m, state);
    return m.size;
}

/* ---- Words ----------------------------------------------------------------------------------- */

size_t byte_mutate_words(uint8_t *bytes, size_t size, size_t keep, uint64_t *state)
{
    static const size_t widths[] = {1, 4, 8};
    for (size_t left = 1 + byte_mutator_choose(state, 3); left > 0; left--) {
        size_t width = widths[byte_mutator_choose(state, 3)];
        if (size < keep + width)
            return size;
        uint8_t *at = bytes + keep + byte_mutator_choose(state, size - keep - width + 1);
        uint64_t value = 0;
        memcpy(&value, at, width);
        value = byte_mutator_choose(state, 2) ? value + byte_mutator_choose(state, 17) - 8
                                              : extremes[byte_mutator_choose(state, EXTREMES)];
        memcpy(at, &value, width);
    }
    return size;
}
