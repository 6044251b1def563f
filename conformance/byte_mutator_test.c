/* byte_mutator_test.c: mutations keep messages well-formed and stay inside their memory. */
#include "conformance/byte_mutator.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 512 };

/* {1: 5, 3: {4: 1, 5: 300, 9: "ab"}, 2: fixed64} */
static const uint8_t message[] = {0x08, 5,   0x1a, 9, 0x20, 1, 0x28, 0xac, 0x02, 0x4a, 2,
                                  'a',  'b', 0x11, 1, 2,    3, 4,    5,    6,    7,    8};

static bool skip(const uint8_t **at, const uint8_t *end, uint64_t *out)
{
    *out = 0;
    for (int i = 0; i < 10 && *at < end; i++) {
        *out |= (uint64_t)(**at & 0x7f) << (7 * i);
        if (!(*(*at)++ & 0x80))
            return true;
    }
    return false;
}

static bool is_message(const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        uint64_t tag, value, size;
        if (!skip(&at, end, &tag))
            return false;
        switch (tag & 7) {
        case 0:
            if (!skip(&at, end, &value))
                return false;
            size = 0;
            break;
        case 1: size = 8; break;
        case 2:
            if (!skip(&at, end, &size))
                return false;
            break;
        case 5: size = 4; break;
        default: return false;
        }
        if (size > (uint64_t)(end - at))
            return false;
        at += size;
    }
    return true;
}

Test(byte_mutator, messages_stay_messages)
{
    uint64_t state = 1;
    int changed = 0, smaller = 0, larger = 0;
    for (int i = 0; i < 20000; i++) {
        uint8_t *bytes = malloc(CAPACITY);
        memcpy(bytes, message, sizeof message);
        size_t size = byte_mutate_message(bytes, sizeof message, CAPACITY, &state);
        cr_assert_leq(size, CAPACITY);
        cr_assert(is_message(bytes, bytes + size), "mutation %d", i);
        changed += size != sizeof message || memcmp(bytes, message, size) != 0;
        smaller += size < sizeof message;
        larger += size > sizeof message;
        free(bytes);
    }
    cr_expect(changed > 15000 && smaller > 500 && larger > 500, "%d, %d, %d", changed, smaller,
              larger);
}

/* A repetition does not exceed the memory. */
Test(byte_mutator, messages_stay_in_their_memory)
{
    uint64_t state = 2;
    for (int i = 0; i < 5000; i++) {
        uint8_t *bytes = malloc(sizeof message + 3);
        memcpy(bytes, message, sizeof message);
        cr_assert_leq(byte_mutate_message(bytes, sizeof message, sizeof message + 3, &state),
                      sizeof message + 3);
        free(bytes);
    }
}

Test(byte_mutator, other_forms)
{
    uint64_t state = 3;
    for (size_t size = 0; size < 40; size++)
        for (int i = 0; i < 200; i++) {
            uint8_t *bytes = calloc(size + 1, 1);
            cr_assert_leq(byte_mutate_bytecode(bytes, size, size, &state), size);
            for (size_t k = 0; k < size && k < 5; k++)
                cr_expect_eq(bytes[k], 0, "the mark at the beginning changed");
            memset(bytes, 0, size);
            cr_assert_eq(byte_mutate_words(bytes, size, 16, &state), size);
            for (size_t k = 0; k < size && k < 16; k++)
                cr_expect_eq(bytes[k], 0, "the first bytes are to be kept");
            free(bytes);
        }
}

/* The same seed gives the same bytes. */
Test(byte_mutator, is_deterministic)
{
    uint8_t x[CAPACITY], y[CAPACITY];
    uint64_t a = 7, b = 7;
    for (int i = 0; i < 100; i++) {
        memcpy(x, message, sizeof message);
        memcpy(y, message, sizeof message);
        size_t size = byte_mutate_message(x, sizeof message, CAPACITY, &a);
        cr_assert_eq(byte_mutate_message(y, sizeof message, CAPACITY, &b), size);
        cr_assert_arr_eq(x, y, size);
    }
}
