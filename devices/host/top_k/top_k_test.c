/* top_k_test.c: the first elements of rows, compared with those of a sorted row. */
#include "devices/host/top_k/top_k.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 5000, VERY_LONG = 70001 };

static uint64_t state = 1;

static uint32_t random_bits(void)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(state >> 32);
}

/* The order of an element of any type as a number. */
static int64_t order_of(const struct top_k_spec *t, const void *at)
{
    uint32_t bits = 0;
    int width = 8 * dtype_bytes(t->dtype);
    memcpy(&bits, at, (size_t)width / 8);
    bool negative = bits >> (width - 1) & 1;
    bool is_unsigned = t->dtype == DTYPE_U8 || t->dtype == DTYPE_U16 || t->dtype == DTYPE_U32;
    if (dtype_is_float(t->dtype)) {
        int64_t magnitude = bits & ~(UINT32_C(1) << (width - 1));
        return negative ? -magnitude - t->total : magnitude;
    }
    return is_unsigned || !negative ? bits : (int64_t)bits - (INT64_C(1) << width);
}

/* Whether element i comes before element j. */
static bool is_before(const struct top_k_spec *t, const char *row, int64_t i, int64_t j)
{
    int bytes = dtype_bytes(t->dtype);
    int64_t a = order_of(t, row + i * bytes), b = order_of(t, row + j * bytes);
    return a == b ? i < j : t->largest ? a > b : a < b;
}

static const struct top_k_spec *sorted_spec;
static const char *sorted_row;

static int compare(const void *a, const void *b)
{
    return is_before(sorted_spec, sorted_row, *(const int32_t *)a, *(const int32_t *)b) ? -1 : 1;
}

/* Compares what was selected of a row with the first elements of the sorted row. */
static void check_row(const struct top_k_spec *t, const char *row, const char *values,
                      const int32_t *positions)
{
    static int32_t order[VERY_LONG];
    int bytes = dtype_bytes(t->dtype);
    for (int32_t i = 0; i < t->length; i++)
        order[i] = i;
    sorted_spec = t;
    sorted_row = row;
    qsort(order, (size_t)t->length, sizeof *order, compare);
    for (int64_t i = 0; i < t->k; i++) {
        cr_assert_eq(positions[i], order[i], "%s, %d of %d: %d at %d, expected %d",
                     dtype_name(t->dtype), (int)t->k, (int)t->length, positions[i], (int)i,
                     order[i]);
        cr_assert_arr_eq(values + i * bytes, row + order[i] * bytes, (size_t)bytes);
    }
}

static void check(const struct top_k_spec *t, const char *row)
{
    static int32_t positions[TOP_K_MOST + 1];
    static char values[4 * TOP_K_MOST + 4];
    cr_assert(top_k_spec_is_supported(t));
    void *scratch = aligned_alloc(64, (top_k_scratch(t) + 63) / 64 * 64);
    memset(values, 0x5a, sizeof values);
    memset(positions, 0x5a, sizeof positions);
    top_k_rows(t, 1, row, scratch, values, positions);
    free(scratch);
    check_row(t, row, values, positions);
    cr_assert_eq(positions[t->k], 0x5a5a5a5a);
    cr_assert_eq(values[t->k * dtype_bytes(t->dtype)], 0x5a);
}

static const enum dtype dtypes[] = {DTYPE_S8,  DTYPE_S16, DTYPE_S32,  DTYPE_U8, DTYPE_U16,
                                    DTYPE_U32, DTYPE_F16, DTYPE_BF16, DTYPE_F32};
enum { DTYPES = sizeof dtypes / sizeof *dtypes };

/* Random bits include NaNs of both signs, infinities, zeros and denormals. */
Test(top_k, random_rows)
{
    static const int sizes[][2] = {{1, 1},      {7, 3},     {10, 5},     {16, 16},  {17, 1},
                                   {64, 8},     {64, 9},    {65, 4},     {100, 96}, {100, 100},
                                   {128, 30},   {129, 48},  {200, 16},   {300, 64}, {500, 128},
                                   {500, 129},  {1000, 5},  {4096, 25},  {5000, 7}, {5000, 33},
                                   {5000, 700}, {700, 700}, {3000, 2048}};
    static uint32_t row[LONGEST];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int d = 0; d < 4 * DTYPES; d++) {
            /* few different values make ties */
            uint32_t mask = d & 1 ? UINT32_MAX : 0x83838383;
            for (int i = 0; i < LONGEST; i++)
                row[i] = random_bits() & mask;
            struct top_k_spec t = {dtypes[d / 4], sizes[s][0], sizes[s][1], d & 2, true};
            check(&t, (const char *)row);
        }
}

/* Every element of a row replaces the best ones; or none does, since the first are the best; or all
 * are equal, also to the last key there is. */
Test(top_k, ordered_rows)
{
    static const int counts[] = {1, 24, 60, 128, 500};
    static int32_t row[LONGEST];
    for (int kind = 0; kind < 5; kind++)
        for (int c = 0; c < 10; c++) {
            for (int i = 0; i < LONGEST; i++)
                row[i] = kind == 0   ? i
                         : kind == 1 ? -i
                         : kind == 2 ? 0
                         : kind == 3 ? INT32_MAX
                                     : INT32_MIN;
            struct top_k_spec t = {DTYPE_S32, LONGEST, counts[c / 2], c & 1, true};
            check(&t, (const char *)row);
        }
}

/* Bounds are found in the first blocks of a row. The best elements are anywhere, or the last ones;
 * or few blocks have all of them; or there are many ties. */
Test(top_k, very_long_rows)
{
    static const int counts[] = {1, 8, 100, 128, 500};
    static uint32_t row[VERY_LONG];
    for (int kind = 0; kind < 4; kind++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            for (int i = 0; i < VERY_LONG; i++) {
                uint32_t bits = random_bits();
                row[i] = kind == 0   ? bits
                         : kind == 1 ? bits >> 8 | (uint32_t)(i / 1000) << 24
                         : kind == 2 ? bits >> (i % 20000 < 700 ? 0 : 16)
                                     : bits & 7;
            }
            struct top_k_spec t = {DTYPE_U32, VERY_LONG, counts[c], true, true};
            check(&t, (const char *)row);
        }
}

Test(top_k, rows_follow_one_another)
{
    static const struct {
        int length, k;
        int32_t row[6], positions[4];
    } cases[] = {{3, 2, {1, 3, 2, 9, 7, 8}, {1, 2, 0, 2}}, {3, 1, {5, 5, 4, 1, 2, 2}, {0, 1}}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int32_t values[4], positions[4];
        struct top_k_spec t = {DTYPE_S32, cases[c].length, cases[c].k, true, true};
        top_k_rows(&t, 2, cases[c].row, NULL, values, positions);
        cr_assert_arr_eq(positions, cases[c].positions, 2 * sizeof *positions * (size_t)t.k);
        for (int i = 0; i < 2 * t.k; i++)
            cr_assert_eq(values[i], cases[c].row[i / t.k * t.length + positions[i]]);
    }
}

/* More short rows than their keys are converted at a time. */
Test(top_k, many_short_rows)
{
    enum { ROWS = 50 };
    static const int sizes[][2] = {{1, 1}, {3, 1}, {10, 1}, {10, 2}, {33, 1}, {60, 20}, {64, 64}};
    static uint32_t rows[ROWS * 64];
    static char values[sizeof rows];
    static int32_t positions[ROWS * 64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        rows[i] = random_bits() & 0x83838383;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int d = 0; d < 2 * DTYPES; d++) {
            struct top_k_spec t = {dtypes[d / 2], sizes[s][0], sizes[s][1], d & 1, true};
            int bytes = dtype_bytes(t.dtype);
            top_k_rows(&t, ROWS, rows, NULL, values, positions);
            for (int64_t r = 0; r < ROWS; r++)
                check_row(&t, (const char *)rows + r * t.length * bytes, values + r * t.k * bytes,
                          positions + r * t.k);
        }
}

Test(top_k, zeros_are_equal_without_the_total_order)
{
    static const float row[] = {-1, -0.0F, 0, 1, 0, -0.0F, NAN, -INFINITY};
    struct top_k_spec t = {DTYPE_F32, 8, 6, true, false};
    check(&t, (const char *)row);
    t.largest = false;
    check(&t, (const char *)row);
    t.dtype = DTYPE_F16;
    cr_expect_not(top_k_spec_is_supported(&t));
}

Test(top_k, limits)
{
    cr_expect(top_k_spec_is_supported(&(struct top_k_spec){DTYPE_U8, 5, 5, true, true}));
    cr_expect_not(top_k_spec_is_supported(&(struct top_k_spec){DTYPE_U8, 5, 6, true, true}));
    cr_expect_not(top_k_spec_is_supported(&(struct top_k_spec){DTYPE_U8, 5, 0, true, true}));
    cr_expect_not(top_k_spec_is_supported(&(struct top_k_spec){DTYPE_F64, 5, 1, true, true}));
    cr_expect_not(top_k_spec_is_supported(&(struct top_k_spec){DTYPE_PRED, 5, 1, true, true}));
    cr_expect_not(top_k_spec_is_supported(
        &(struct top_k_spec){DTYPE_F32, 2 * TOP_K_MOST, TOP_K_MOST + 1, true, true}));
}
