/* vector_sort_test.c: numbers in many orders, and with many equal ones, against qsort(). */
#include "compiler/codegen/routines/vector_sort.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/codegen/routines/vector_sort_parallel.h"

enum { LONGEST = 400000, KINDS = 10, GUARD = 0x5a5a5a5a };

static uint32_t state = 1;

static uint32_t random_bits(void)
{
    state = state * 1664525 + 1013904223;
    return state ^ state >> 15;
}

static uint32_t number_of(int kind, int64_t i, int64_t count)
{
    switch (kind) {
    case 0: return random_bits();
    case 1: return (uint32_t)i;
    case 2: return (uint32_t)(count - i);
    case 3: return 7;
    case 4: return random_bits() & 1 ? UINT32_MAX : 0;
    case 5: return random_bits() % 10;
    case 6: return (uint32_t)(i < count / 2 ? i : count - i);
    case 7: return (uint32_t)(i % 100);
    case 8: return i & 1 ? (uint32_t)i : (uint32_t)(count - i);
    default: return i % 50 ? UINT32_MAX : random_bits();
    }
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void copy_range(void *to, const uint32_t *numbers, int64_t first, int64_t count)
{
    memcpy((uint32_t *)to + first, numbers, (size_t)count * sizeof *numbers);
}

/* levels: of vector_sort_within(), or one of these */
enum { ALL_LEVELS = -1, ALL_THREADS = -2 };
static void check(int kind, int64_t count, int levels)
{
    static uint32_t sorted[LONGEST + 1], received[LONGEST], expected[LONGEST];
    for (int64_t i = 0; i < count; i++)
        sorted[i] = expected[i] = number_of(kind, i, count);
    sorted[count] = GUARD;
    qsort(expected, (size_t)count, sizeof *expected, compare);
    if (levels == ALL_LEVELS)
        vector_sort(sorted, count);
    else if (levels == ALL_THREADS)
        vector_sort_parallel(sorted, count, copy_range, received);
    else
        vector_sort_within(sorted, count, levels);
    cr_assert_eq(sorted[count], GUARD);
    cr_assert(!memcmp(sorted, expected, (size_t)count * sizeof *sorted),
              "kind %d, %ld numbers, %d levels", kind, (long)count, levels);
    cr_assert(levels != ALL_THREADS || !memcmp(received, expected, (size_t)count * sizeof *sorted),
              "kind %d, %ld numbers: some were not received", kind, (long)count);
}

Test(vector_sort, all_lengths)
{
    if (!vector_sort_is_supported())
        return;
    for (int kind = 0; kind < KINDS; kind++)
        for (int64_t count = 0; count < 700; count++)
            check(kind, count, ALL_LEVELS);
}

Test(vector_sort, many_numbers)
{
    if (!vector_sort_is_supported())
        return;
    for (int kind = 0; kind < KINDS; kind++)
        for (int64_t count = 1000; count < 100000; count = count * 3 + 1)
            check(kind, count, ALL_LEVELS);
}

/* Where partitions do not end, another algorithm does. */
Test(vector_sort, few_levels)
{
    if (!vector_sort_is_supported())
        return;
    for (int kind = 0; kind < KINDS; kind++)
        for (int levels = 0; levels < 6; levels++)
            for (int64_t count = 255; count < 40000; count = count * 5 + 1)
                check(kind, count, levels);
}

Test(vector_sort, all_threads)
{
    if (!vector_sort_is_supported())
        return;
    for (int kind = 0; kind < KINDS; kind++)
        for (int64_t count = 1; count <= LONGEST; count = count * 3 + (count > 1000 ? 50000 : 1))
            check(kind, count, ALL_THREADS);
}
