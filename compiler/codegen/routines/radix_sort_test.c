/* radix_sort_test.c: sorts rows with key functions written in C: keys of 32 and 64 bits, computed
 * or an operand's elements, rows in memory or loaded, short, long, and with parts that are
 * merged. */
#include "compiler/codegen/routines/radix_sort.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/codegen/routines/radix_partition.h"

enum { LANES = 8, LONGEST = 300000 };

/* Stable order: by key, then by position. */
static uint64_t sorted_keys[LONGEST];
static bool is_before(int32_t i, int32_t j)
{
    return sorted_keys[i] != sorted_keys[j] ? sorted_keys[i] < sorted_keys[j] : i < j;
}

static void narrow_keys(void *const *buffers, void *const *arrays, int64_t count, void *keys)
{
    const uint32_t *elements = arrays[0];
    cr_assert(!buffers && count % LANES == 0);
    for (int64_t i = 0; i < count; i++)
        ((uint32_t *)keys)[i] = ~elements[i];
}

static void wide_keys(void *const *buffers, void *const *arrays, int64_t count, void *keys)
{
    const uint64_t *elements = arrays[0];
    cr_assert(!buffers && count % LANES == 0);
    for (int64_t i = 0; i < count; i++)
        ((uint64_t *)keys)[i] = ~elements[i];
}

/* The second operand is each element's position. */
static int64_t loaded_length;
static void load_positions(void *const *buffers, int64_t row, int64_t first, int64_t count,
                           void *const *arrays)
{
    cr_assert(!buffers && row == 3 && !arrays[0] && count % LANES == 0);
    cr_assert(first >= 0 && first + count <= loaded_length, "row: %ld, %ld", first, count);
    for (int64_t i = 0; i < count; i++)
        ((int32_t *)arrays[1])[i] = (int32_t)(first + i);
}

struct test_case {
    int64_t length;
    int32_t bits;   /* of keys */
    uint64_t range; /* of random values; 0: most are equal but for their last bits */
    bool computed;  /* keys, by a function */
    bool is_sparse; /* the keys are 0 but for some that are below `range` */
};

static uint64_t value_of(const struct test_case *c, int64_t i, uint64_t *random)
{
    uint64_t bits = *random = *random * 6364136223846793005U + 1442695040888963407U;
    bits = bits >> 40 ^ bits << 24;
    uint64_t value = c->is_sparse ? ~(i % 100 ? 0 : bits % c->range)
                     : c->range   ? bits % c->range
                     : i % 1000   ? UINT64_C(1) << (c->bits - 2) | (bits & 1)
                                  : bits;
    return c->bits == 64 ? value : (uint32_t)value;
}

static void put(const struct test_case *c, void *array, int64_t i, uint64_t value)
{
    if (c->bits == 64)
        ((uint64_t *)array)[i] = value;
    else
        ((uint32_t *)array)[i] = (uint32_t)value;
}

static uint64_t get(const struct test_case *c, const void *array, int64_t i)
{
    return c->bits == 64 ? ((const uint64_t *)array)[i] : ((const uint32_t *)array)[i];
}

static struct radix_sort make_sort(const struct test_case *c)
{
    bool is_partitioned = c->length >= RADIX_PARTITION_MIN_LENGTH;
    uint64_t all = c->bits == 64 ? UINT64_MAX : UINT32_MAX;
    return (struct radix_sort){
        .flip = c->computed ? 0 : all,
        .key_array = c->computed ? -1 : 0,
        .length = c->length,
        .capacity = is_partitioned ? radix_partition_capacity(c->length) : c->length,
        .arrays = 2,
        .key_bits = c->bits,
        .load_lanes = LANES,
        .key_lanes = LANES,
        .is_partitioned = is_partitioned,
        .has_long_digit = c->bits == 64,
        .bytes = {c->bits / 8, 4},
    };
}

/* Sorts from the largest value to the smallest, with the positions: those of a row that is strictly
 * ordered by key and position are all different. */
static void check(const struct test_case *c)
{
    const struct radix_sort sort = make_sort(c);
    static int32_t moved[LONGEST], moved_scratch[LONGEST];
    static uint64_t values[LONGEST], sorted[LONGEST], scratch[LONGEST];
    uint64_t random = (uint64_t)c->length;
    loaded_length = c->length;
    for (int64_t i = 0; i < c->length; i++) {
        uint64_t value = value_of(c, i, &random);
        put(c, values, i, value);
        sorted_keys[i] = ~value;
    }
    void *arrays[] = {values, NULL, sorted, moved, scratch, moved_scratch};
    radix_keys_function *keys = c->bits == 64 ? wide_keys : narrow_keys;
    radix_sort_row(&sort, load_positions, c->computed ? keys : NULL, NULL, 3, arrays);
    for (int64_t i = 0; i < c->length; i++) {
        cr_assert(moved[i] >= 0 && moved[i] < c->length);
        cr_assert(get(c, sorted, i) == get(c, values, moved[i]) &&
                      (!i || is_before(moved[i - 1], moved[i])),
                  "%ld elements, %d bits, range %lu: position %ld is from %d", c->length, c->bits,
                  c->range, i, moved[i]);
    }
}

static void check_all(int64_t length)
{
    static const uint64_t ranges[] = {0, 1, 50, 100000, UINT64_C(1) << 31, INT64_MAX};
    for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++)
        for (int32_t bits = 32; bits <= 64; bits += 32)
            for (int computed = 0; computed < 2; computed++)
                check(&(struct test_case){length, bits, ranges[r], computed, false});
}

Test(radix_sort, short_rows)
{
    for (int64_t length = RADIX_MIN_LENGTH; length < RADIX_MIN_LENGTH + 10; length++)
        check_all(length);
}

Test(radix_sort, rows)
{
    check_all(256);
    check_all(1000);
    check_all(40001);
}

Test(radix_sort, partitioned_rows)
{
    check_all(RADIX_PARTITION_MIN_LENGTH);
    check_all(LONGEST);
}

/* The bucket of the keys that are 0 is divided; then the last one has all greater keys. */
Test(radix_sort, partitioned_rows_of_mostly_zero)
{
    for (int64_t range = 1 << 8; range <= 1 << 24; range <<= 4)
        for (int32_t bits = 32; bits <= 64; bits += 32)
            check(&(struct test_case){LONGEST, bits, (uint64_t)range, false, true});
}

static void byte_keys(void *const *buffers, void *const *arrays, int64_t count, void *keys)
{
    (void)buffers;
    for (int64_t i = 0; i < count; i++)
        ((uint32_t *)keys)[i] = ((const uint8_t *)arrays[0])[i];
}

/* The counts of all parts of the row have room in the second array, at any address. */
Test(radix_sort, partitioned_rows_of_bytes)
{
    for (int64_t length = RADIX_PARTITION_MIN_LENGTH; length < LONGEST; length += 7001) {
        const struct radix_sort sort = {.key_array = -1,
                                        .length = length,
                                        .capacity = radix_partition_capacity(length),
                                        .arrays = 1,
                                        .key_bits = 8,
                                        .load_lanes = LANES,
                                        .key_lanes = LANES,
                                        .is_partitioned = true,
                                        .bytes = {1}};
        static uint8_t values[LONGEST], sorted[LONGEST];
        int64_t counts[256] = {0}, at = 0;
        char *scratch = malloc((size_t)sort.capacity);
        for (int64_t i = 0; i < length; i++)
            counts[values[i] = (uint8_t)(i * i >> 7)]++;
        radix_sort_row(&sort, NULL, byte_keys, NULL, 0, (void *[]){values, sorted, scratch});
        for (int value = 0; value < 256; value++)
            for (int64_t i = 0; i < counts[value]; i++)
                cr_assert_eq(sorted[at++], value);
        free(scratch);
    }
}

/* A third and a fourth operand, of other sizes, move along. */
Test(radix_sort, operands_of_all_sizes)
{
    enum { LENGTH = 500 };
    static uint8_t bytes[LENGTH], bytes_out[2][LENGTH];
    static uint16_t shorts[LENGTH], shorts_out[2][LENGTH];
    static char wide[LENGTH][16], wide_out[2][LENGTH][16];
    static const struct radix_sort sort = {.key_array = -1,
                                           .length = LENGTH,
                                           .capacity = LENGTH,
                                           .arrays = 4,
                                           .key_bits = 32,
                                           .load_lanes = LANES,
                                           .key_lanes = LANES,
                                           .bytes = {4, 1, 2, 16}};
    static uint32_t values[LENGTH], values_out[2][LENGTH];
    for (int i = 0; i < LENGTH; i++) {
        values[i] = (uint32_t)(i * 7919 % LENGTH);
        bytes[i] = (uint8_t)i;
        shorts[i] = (uint16_t)i;
        memset(wide[i], i, 16);
    }
    void *arrays[] = {values,        bytes,        shorts,        wide,
                      values_out[0], bytes_out[0], shorts_out[0], wide_out[0],
                      values_out[1], bytes_out[1], shorts_out[1], wide_out[1]};
    radix_sort_row(&sort, NULL, narrow_keys, NULL, 0, arrays);
    for (int i = 0; i < LENGTH; i++) {
        int from = shorts_out[0][i];
        cr_assert_eq(values_out[0][i], (uint32_t)(LENGTH - 1 - i));
        cr_assert_eq(values[from], values_out[0][i]);
        cr_assert_eq(bytes_out[0][i], (uint8_t)from);
        cr_assert_arr_eq(wide_out[0][i], wide[from], 16);
    }
}

/* ---- floats, whose elements follow from their keys but for some ------------------------------ */
static uint32_t float_key(uint32_t bits, bool descending)
{
    if (bits << 1 > UINT32_C(0xff000000))
        bits = 0x7fc00000;
    bits = bits << 1 ? bits : 0;
    uint32_t key = bits ^ (bits >> 31 ? UINT32_MAX : UINT32_C(1) << 31);
    return descending ? ~key : key;
}

static bool is_descending;
static void float_keys(void *const *buffers, void *const *arrays, int64_t count, void *keys)
{
    const uint32_t *elements = arrays[0];
    cr_assert(!buffers && count % LANES == 0);
    for (int64_t i = 0; i < count; i++)
        ((uint32_t *)keys)[i] = float_key(elements[i], is_descending);
}

static uint32_t float_bits(int kind, uint64_t random)
{
    static const uint32_t odd[] = {0, UINT32_C(1) << 31, 0x7fc00000, 0xffc00000, 0x7fc00001};
    uint32_t bits = (uint32_t)(random >> 32) & 0xfeffffff; /* of any float but NaN and infinity */
    if (kind == 0 || random % 100)
        return kind == 1 ? bits & 0xc0000000 : bits;
    return odd[random / 100 % (kind == 2 ? 3 : 5)];
}

/* Stable, by qsort() of keys and positions. */
static int compare_pairs(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void check_floats(int64_t length, int kind)
{
    static uint32_t values[LONGEST], sorted[LONGEST], scratch[LONGEST];
    static uint64_t pairs[LONGEST];
    const struct radix_sort sort = {.key_array = -1,
                                    .length = length,
                                    .capacity = length >= RADIX_PARTITION_MIN_LENGTH
                                                    ? radix_partition_capacity(length)
                                                    : length,
                                    .arrays = 1,
                                    .key_bits = 32,
                                    .load_lanes = LANES,
                                    .key_lanes = LANES,
                                    .is_partitioned = length >= RADIX_PARTITION_MIN_LENGTH,
                                    .element = is_descending ? RADIX_FLOAT_DESCENDING : RADIX_FLOAT,
                                    .bytes = {4}};
    uint64_t random = (uint64_t)length;
    for (int64_t i = 0; i < length; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        values[i] = float_bits(kind, random ^ random >> 29);
        pairs[i] = (uint64_t)float_key(values[i], is_descending) << 32 | (uint64_t)i;
    }
    qsort(pairs, (size_t)length, sizeof *pairs, compare_pairs);
    radix_sort_row(&sort, NULL, float_keys, NULL, 0, (void *[]){values, sorted, scratch});
    for (int64_t i = 0; i < length; i++)
        cr_assert_eq(sorted[i], values[(uint32_t)pairs[i]], "%ld floats of kind %d, at %ld: %x",
                     (long)length, kind, (long)i, sorted[i]);
}

Test(radix_sort, floats_keep_their_bits_and_order)
{
    static const int64_t lengths[] = {RADIX_MIN_LENGTH, 65, 300, 1000, 40001, LONGEST};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (int kind = 0; kind < 8; kind++) {
            is_descending = kind & 1;
            check_floats(lengths[l], kind / 2);
        }
}
