/* message_fixture.h: reads protobuf messages in tests: fields that are varints, doubles or bytes.
 * Damage
 * fails the test. */
#ifndef GANTRY_REPORT_MESSAGE_FIXTURE_H
#define GANTRY_REPORT_MESSAGE_FIXTURE_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
    const uint8_t *at, *end;
};

static inline uint64_t read_varint(struct bytes *from)
{
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        cr_assert(from->at < from->end && shift < 64);
        value |= (uint64_t)(*from->at & 0x7f) << shift;
        if (!(*from->at++ & 0x80))
            return value;
    }
}

/* Reads the next field of a message: its number, and its value or bytes. Returns false at the
 * end. */
static inline bool next_field(struct bytes *from, int *field, uint64_t *value, struct bytes *inside)
{
    if (from->at == from->end)
        return false;
    uint64_t key = read_varint(from);
    *field = (int)(key >> 3);
    cr_assert((key & 7) <= 2);
    if ((key & 7) == 1) {
        cr_assert(from->end - from->at >= (ptrdiff_t)sizeof *value);
        memcpy(value, from->at, sizeof *value);
        from->at += sizeof *value;
    } else {
        *value = read_varint(from);
    }
    *inside = (struct bytes){from->at, from->at};
    if ((key & 7) == 2) {
        cr_assert(*value <= (uint64_t)(from->end - from->at));
        inside->end = from->at = inside->at + *value;
    }
    return true;
}

/* The n-th field `number` of a message. */
static inline struct bytes field_of(struct bytes message, int number, int n, uint64_t *out)
{
    int field;
    uint64_t value;
    struct bytes inside;
    while (next_field(&message, &field, &value, &inside))
        if (field == number && n-- == 0) {
            *out = value;
            return inside;
        }
    cr_assert(false, "field %d is missing", number);
    return message;
}

static inline struct bytes inside(struct bytes message, int number, int n)
{
    uint64_t value;
    return field_of(message, number, n, &value);
}

static inline uint64_t number(struct bytes message, int field)
{
    uint64_t value;
    field_of(message, field, 0, &value);
    return value;
}

static inline void expect_string(struct bytes message, int field, const char *expected)
{
    struct bytes got = inside(message, field, 0);
    cr_expect(strlen(expected) == (size_t)(got.end - got.at) &&
                  !memcmp(got.at, expected, strlen(expected)),
              "%.*s, expected %s", (int)(got.end - got.at), (const char *)got.at, expected);
}

/* How many fields `number` a message has. */
static inline int count_of(struct bytes message, int number)
{
    int field, count = 0;
    uint64_t value;
    struct bytes inside;
    while (next_field(&message, &field, &value, &inside))
        count += field == number;
    return count;
}

#endif
