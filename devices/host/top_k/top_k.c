/* top_k.c: see top_k.h. */
#include "devices/host/top_k/top_k.h"

#include <string.h>

#include "devices/host/top_k/top_k_few.h"

enum {
    SHORT = 64,       /* rows up to this length are sorted by counting smaller keys */
    DIGITS = 8,       /* of 8 bits, of a pair */
    SLACK = KEY_GROUP /* of arrays of pairs: what a group adds */
};

/* ---- pairs ----------------------------------------------------------------------------------- */
#define NO_BOUND UINT64_MAX /* is no pair: positions are smaller */

struct selection {
    const struct key_reader *reader;
    uint64_t *pairs, *spare; /* of capacity + SLACK */
    int64_t k, count, capacity;
    uint64_t bound; /* pairs that are not below are no candidates */
};

/* As many candidates are reduced to k. */
static int64_t capacity_of(const struct top_k_spec *t)
{
    return 2 * t->k;
}

size_t top_k_scratch(const struct top_k_spec *t)
{
    return t->k > TOP_K_FEW ? 2 * sizeof(uint64_t) * (size_t)(capacity_of(t) + SLACK) : 0;
}

static int digit_of(uint64_t pair, int shift)
{
    return (int)(pair >> shift & 255);
}

/* The digit of the pair at index `at` of the sorted pairs. *before: how many have lower ones. */
static int digit_at(const uint64_t *pairs, int64_t count, int shift, int64_t at, int64_t *before)
{
    int32_t counts[256] = {0};
    int digit = 0;
    for (int64_t i = 0; i < count; i++)
        counts[digit_of(pairs[i], shift)]++;
    for (*before = 0; *before + counts[digit] <= at; digit++)
        *before += counts[digit];
    return digit;
}

/* Moves the smallest k pairs to the front and drops others, from the highest digit down: those
 * below the digit of the last of them are among them, those above are not, and the others are
 * looked at further. Pairs with equal keys keep their order. */
static void select_pairs(struct selection *s)
{
    uint64_t *pairs = s->pairs;
    int64_t count = s->count, k = s->k;
    for (int shift = 8 * (DIGITS - 1); shift >= 0 && k < count; shift -= 8) {
        int64_t before, below = 0, equal = 0;
        int last = digit_at(pairs, count, shift, k - 1, &before);
        for (int64_t i = 0; i < count; i++) {
            uint64_t pair = pairs[i];
            int digit = digit_of(pair, shift);
            s->spare[equal] = pair;
            equal += digit == last;
            pairs[below] = pair;
            below += digit < last;
        }
        memcpy(pairs + below, s->spare, (size_t)equal * sizeof *pairs);
        pairs += below;
        k -= below;
        count = equal;
    }
}

/* Sorts pairs, of which those with equal keys are in order, digit by digit from the lowest one of
 * the key; digits that are equal in all pairs are left out. */
static void sort_pairs(struct selection *s)
{
    for (int shift = 32; shift < 8 * DIGITS; shift += 8) {
        int32_t starts[256] = {0}, next = 0;
        for (int64_t i = 0; i < s->count; i++)
            starts[digit_of(s->pairs[i], shift)]++;
        if (starts[digit_of(s->pairs[0], shift)] == s->count)
            continue;
        for (int d = 0; d < 256; d++) {
            int32_t size = starts[d];
            starts[d] = next;
            next += size;
        }
        for (int64_t i = 0; i < s->count; i++)
            s->spare[starts[digit_of(s->pairs[i], shift)]++] = s->pairs[i];
        uint64_t *sorted = s->spare;
        s->spare = s->pairs;
        s->pairs = sorted;
    }
}

static uint64_t largest(const uint64_t *pairs, int64_t count)
{
    uint64_t most = 0;
    for (int64_t i = 0; i < count; i++)
        most = pairs[i] > most ? pairs[i] : most;
    return most;
}

static void keep_best(struct selection *s)
{
    select_pairs(s);
    s->count = s->k;
    s->bound = largest(s->pairs, s->k);
}

static void add_group(struct selection *s, const uint32_t *keys, int64_t position, int count)
{
    for (int i = 0; i < count; i++) {
        uint64_t pair = (uint64_t)keys[i] << 32 | (uint64_t)(position + i);
        s->pairs[s->count] = pair;
        s->count += pair < s->bound;
    }
}

/* Adds the candidates of a block that starts at a position. */
static void add_block(struct selection *s, const uint32_t *keys, int64_t position, int count)
{
    unsigned groups = s->reader->groups(keys, count, (uint32_t)(s->bound >> 32));
    for (int i = 0; groups; i += KEY_GROUP, groups >>= 1) {
        if (!(groups & 1))
            continue;
        add_group(s, keys + i, position + i, count - i < KEY_GROUP ? count - i : KEY_GROUP);
        if (s->count < s->capacity)
            continue;
        keep_best(s);
        groups &= s->reader->groups(keys + i, count - i, (uint32_t)(s->bound >> 32)) | 1;
    }
}

static void scan(struct selection *s, const char *row, int64_t length)
{
    const struct key_reader *reader = s->reader;
    uint32_t keys[KEY_BLOCK], lowest = 0;
    int64_t i = 0;
    for (; i + KEY_BLOCK <= length; i += KEY_BLOCK) {
        const char *block = row + i * reader->bytes;
        if (s->bound != NO_BOUND)
            reader->lowest(&reader->kind, block, 1, &lowest);
        if (lowest >= s->bound >> 32)
            continue;
        reader->keys(&reader->kind, block, KEY_BLOCK, keys);
        add_block(s, keys, i, KEY_BLOCK);
    }
    if (i == length)
        return;
    key_reader_last(reader, row + i * reader->bytes, (int)(length - i), keys);
    add_block(s, keys, i, (int)(length - i));
}

/* ---- rows ------------------------------------------------------------------------------------ */
static void select_row(const struct top_k_spec *t, const struct key_reader *reader, const void *row,
                       void *scratch, int32_t *positions)
{
    int64_t capacity = capacity_of(t);
    struct selection s = {.reader = reader,
                          .pairs = scratch,
                          .spare = (uint64_t *)scratch + capacity + SLACK,
                          .k = t->k,
                          .capacity = capacity,
                          .bound = NO_BOUND};
    scan(&s, row, t->length);
    select_pairs(&s);
    s.count = s.k;
    sort_pairs(&s);
    for (int64_t i = 0; i < t->k; i++)
        positions[i] = (int32_t)s.pairs[i];
}

#define COPY_VALUES(type)                                                                          \
    for (int64_t i = 0; i < count; i++)                                                            \
    ((type *)values)[i] = ((const type *)row)[positions[i]]

static void copy_values(int bytes, const void *row, const int32_t *positions, int64_t count,
                        void *values)
{
    switch (bytes) {
    case 1: COPY_VALUES(uint8_t); break;
    case 2: COPY_VALUES(uint16_t); break;
    default: COPY_VALUES(uint32_t); break;
    }
}

static void top_row(const struct top_k_spec *t, const struct key_reader *reader, const void *row,
                    void *scratch, int32_t *positions)
{
    if (t->k <= TOP_K_FEW)
        top_k_few(t, reader, row, positions);
    else
        select_row(t, reader, row, scratch, positions);
}

/* ---- short rows ------------------------------------------------------------------------------ */
static bool has_short_rows(const struct top_k_spec *t)
{
    return t->length <= SHORT && (t->k == 1 || t->k > t->length / 8);
}

/* The position of the lowest key. */
static int32_t first_of(const uint32_t *keys, int count)
{
    uint64_t first = UINT64_MAX;
    for (int i = 0; i < count; i++) {
        uint64_t pair = (uint64_t)keys[i] << 32 | (uint64_t)i;
        first = pair < first ? pair : first;
    }
    return (int32_t)first;
}

/* Most of a short row, whose every element is compared with every other one. The keys are followed
 * by any others up to a whole group. */
static void sort_row(const struct top_k_spec *t, const struct key_reader *reader,
                     const uint32_t *keys, int32_t *positions)
{
    uint32_t order[SHORT];
    reader->order(keys, (int)t->length, order);
    for (int64_t i = 0; i < t->k; i++)
        positions[i] = (int32_t)order[i];
}

/* The keys of as many rows as a block holds are converted at a time. */
static void short_rows(const struct top_k_spec *t, const struct key_reader *reader, int64_t count,
                       const char *rows, char *values, int32_t *positions)
{
    uint32_t keys[KEY_BLOCK + KEY_GROUP] = {0};
    int64_t block = KEY_BLOCK / t->length, row_bytes = t->length * reader->bytes;
    for (int64_t i = 0; i < count; i++) {
        const uint32_t *row = keys + i % block * t->length;
        int64_t left = count - i < block ? count - i : block;
        if (row == keys)
            key_reader_last(reader, rows + i * row_bytes, (int)(left * t->length), keys);
        if (t->k == 1)
            positions[i] = first_of(row, (int)t->length);
        else
            sort_row(t, reader, row, positions + i * t->k);
        copy_values(reader->bytes, rows + i * row_bytes, positions + i * t->k, t->k,
                    values + i * t->k * reader->bytes);
    }
}

void top_k_rows(const struct top_k_spec *t, int64_t count, const void *rows, void *scratch,
                void *values, int32_t *positions)
{
    struct key_reader reader = key_reader(t);
    if (has_short_rows(t)) {
        short_rows(t, &reader, count, rows, values, positions);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        const char *row = (const char *)rows + i * t->length * reader.bytes;
        top_row(t, &reader, row, scratch, positions + i * t->k);
        copy_values(reader.bytes, row, positions + i * t->k, t->k,
                    (char *)values + i * t->k * reader.bytes);
    }
}
