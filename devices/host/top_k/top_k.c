/* top_k.c: see top_k.h. */
#include "devices/host/top_k/top_k.h"

#include <string.h>

#include "base/cpu.h"

enum {
    KEY_VECTOR = 16, /* elements that keys_* converts at a time */
    PAIR_LANES = 8,
    SHORT = 64,  /* rows up to this length are sorted by counting smaller keys */
    RANKED = 96, /* up to as many pairs are sorted by counting the smaller ones */
    FEW = 16,    /* candidates are not reduced to k before there are as many */
    DIGITS = 8,  /* of 8 bits, of a pair */
    SLACK = KEY_VECTOR + PAIR_LANES /* of arrays of pairs: what a vector adds, and to fill one up */
};

typedef uint64_t pair_vector __attribute__((vector_size(PAIR_LANES * sizeof(uint64_t))));

typedef uint32_t key_vector __attribute__((vector_size(KEY_VECTOR * sizeof(uint32_t))));

/* How the bits of an element, at the upper end of 32, become its key. */
struct key_kind {
    uint32_t if_negative; /* bits that change where the upper bit is set */
    uint32_t always;      /* bits that always change */
};

static inline uint32_t key_of(const struct key_kind *kind, uint32_t bits)
{
    return bits ^ kind->always ^ (bits >> 31 ? kind->if_negative : 0);
}

static inline uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* ---- loops, for each instruction set --------------------------------------------------------- */
enum element { BYTES_1, BYTES_2, BYTES_4, EQUAL_ZEROS, ELEMENTS };

struct loops {
    uint32_t (*lowest[ELEMENTS])(const struct key_kind *kind, const void *from);
    void (*keys[ELEMENTS])(const struct key_kind *kind, const void *from, int count,
                           uint32_t *restrict to);
    unsigned (*groups)(const uint32_t *keys, int count, uint32_t most);
    void (*order)(const uint32_t *keys, int count, uint32_t *order);
    void (*rank)(const uint64_t *pairs, int count, uint64_t *out);
};

#define NAME(name) name##_any
#define TARGET
#include "devices/host/top_k/top_k_body.h"

#ifdef __x86_64__
#define NAME(name) name##_avx2
#define TARGET __attribute__((target("avx2")))
#include "devices/host/top_k/top_k_body.h"

#define NAME(name) name##_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#include "devices/host/top_k/top_k_body.h"
#endif

static const struct loops *loops_of_processor(void)
{
#ifdef __x86_64__
    const struct cpu_features *features = cpu_features();
    if (features->avx512)
        return &loops_avx512;
    if (features->avx2)
        return &loops_avx2;
#endif
    return &loops_any;
}

/* ---- elements -------------------------------------------------------------------------------- */
static enum element element_of(const struct top_k_spec *t)
{
    if (!t->total && dtype_is_float(t->dtype))
        return EQUAL_ZEROS;
    int64_t bytes = dtype_bytes(t->dtype);
    return bytes == 1 ? BYTES_1 : bytes == 2 ? BYTES_2 : BYTES_4;
}

static bool is_signed(enum dtype dtype)
{
    return dtype == DTYPE_S8 || dtype == DTYPE_S16 || dtype == DTYPE_S32;
}

static struct key_kind kind_of(const struct top_k_spec *t)
{
    const uint32_t sign = UINT32_C(1) << 31;
    bool is_float = dtype_is_float(t->dtype);
    return (struct key_kind){.if_negative = is_float ? ~sign : 0,
                             .always = (is_float || is_signed(t->dtype) ? sign : 0) ^
                                       (t->largest ? UINT32_MAX : 0)};
}

/* ---- pairs ----------------------------------------------------------------------------------- */
#define NO_BOUND UINT64_MAX /* is no pair: positions are smaller */

struct selection {
    const struct loops *loops;
    uint64_t *pairs, *spare; /* of capacity + SLACK */
    int64_t k, count, capacity;
    uint64_t bound; /* pairs that are not below are no candidates */
};

/* As many candidates are reduced to k. */
static int64_t capacity_of(const struct top_k_spec *t)
{
    return 2 * t->k > FEW ? 2 * t->k : FEW;
}

size_t top_k_scratch(const struct top_k_spec *t)
{
    return 2 * sizeof(uint64_t) * (size_t)(capacity_of(t) + SLACK);
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
 * looked at further. */
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

/* Sorts more pairs than RANKED, digit by digit from the lowest one; digits that are equal in all
 * pairs are left out. */
static void sort_by_digits(struct selection *s)
{
    for (int shift = 0; shift < 8 * DIGITS; shift += 8) {
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

static void sort_by_rank(struct selection *s)
{
    memset(s->pairs + s->count, 0xff, PAIR_LANES * sizeof *s->pairs);
    s->loops->rank(s->pairs, (int)s->count, s->spare);
    uint64_t *sorted = s->spare;
    s->spare = s->pairs;
    s->pairs = sorted;
}

static void sort_pairs(struct selection *s)
{
    if (s->count > RANKED && s->count > s->k) {
        select_pairs(s);
        s->count = s->k;
    }
    if (s->count > RANKED)
        sort_by_digits(s);
    else
        sort_by_rank(s);
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
    if (s->count <= RANKED)
        sort_by_rank(s);
    else
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
    unsigned groups = s->loops->groups(keys, count, (uint32_t)(s->bound >> 32));
    for (int i = 0; groups; i += KEY_VECTOR, groups >>= 1) {
        if (!(groups & 1))
            continue;
        add_group(s, keys + i, position + i, count - i < KEY_VECTOR ? count - i : KEY_VECTOR);
        if (s->count < s->capacity)
            continue;
        keep_best(s);
        groups &= s->loops->groups(keys + i, count - i, (uint32_t)(s->bound >> 32)) | 1;
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */
/* The keys of `count` elements, at most a block, that may be the last ones of the operand. */
static void last_keys(const struct top_k_spec *t, const struct loops *loops, const void *from,
                      int count, uint32_t *keys)
{
    uint32_t copy[TOP_K_BLOCK];
    struct key_kind kind = kind_of(t);
    int bytes = dtype_bytes(t->dtype), vectors = (count - 1) / KEY_VECTOR;
    memset((char *)copy + vectors * KEY_VECTOR * bytes, 0, KEY_VECTOR * sizeof *copy);
    memcpy(copy, from, (size_t)(count * bytes));
    loops->keys[element_of(t)](&kind, copy, count, keys);
}

static void scan(const struct top_k_spec *t, struct selection *s, const char *row)
{
    enum element element = element_of(t);
    struct key_kind kind = kind_of(t);
    uint32_t keys[TOP_K_BLOCK];
    int64_t bytes = dtype_bytes(t->dtype), i = 0;
    for (; i + TOP_K_BLOCK <= t->length; i += TOP_K_BLOCK) {
        const char *block = row + i * bytes;
        if (s->bound != NO_BOUND && s->loops->lowest[element](&kind, block) >= s->bound >> 32)
            continue;
        s->loops->keys[element](&kind, block, TOP_K_BLOCK, keys);
        add_block(s, keys, i, TOP_K_BLOCK);
    }
    if (i == t->length)
        return;
    last_keys(t, s->loops, row + i * bytes, (int)(t->length - i), keys);
    add_block(s, keys, i, (int)(t->length - i));
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

static void short_row(const struct top_k_spec *t, const struct loops *loops, const void *row,
                      int32_t *positions)
{
    uint32_t keys[SHORT], order[SHORT];
    last_keys(t, loops, row, (int)t->length, keys);
    loops->order(keys, (int)t->length, order);
    for (int64_t i = 0; i < t->k; i++)
        positions[i] = (int32_t)order[i];
}

static void long_row(const struct top_k_spec *t, const struct loops *loops, const void *row,
                     void *scratch, int32_t *positions)
{
    int64_t capacity = capacity_of(t);
    struct selection s = {.loops = loops,
                          .pairs = scratch,
                          .spare = (uint64_t *)scratch + capacity + SLACK,
                          .k = t->k,
                          .capacity = capacity,
                          .bound = NO_BOUND};
    scan(t, &s, row);
    sort_pairs(&s);
    for (int64_t i = 0; i < t->k; i++)
        positions[i] = (int32_t)s.pairs[i];
}

void top_k_row(const struct top_k_spec *t, const void *row, void *scratch, void *values,
               int32_t *positions)
{
    const struct loops *loops = loops_of_processor();
    if (t->length <= SHORT)
        short_row(t, loops, row, positions);
    else
        long_row(t, loops, row, scratch, positions);
    copy_values(dtype_bytes(t->dtype), row, positions, t->k, values);
}
