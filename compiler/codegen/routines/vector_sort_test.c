/* vector_sort_test.c: numbers in many orders, and with many equal ones, against qsort(). */
#include "compiler/codegen/routines/vector_sort.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 100000, KINDS = 10, GUARD = 0x5a5a5a5a };

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

/* levels: -1 for vector_sort() */
static void check(int kind, int64_t count, int levels)
{
    static uint32_t sorted[LONGEST + 1], expected[LONGEST];
    for (int64_t i = 0; i < count; i++)
        sorted[i] = expected[i] = number_of(kind, i, count);
    sorted[count] = GUARD;
    qsort(expected, (size_t)count, sizeof *expected, compare);
    if (levels < 0)
        vector_sort(sorted, count);
    else
        vector_sort_within(sorted, count, levels);
    cr_assert_eq(sorted[count], GUARD);
    cr_assert(!memcmp(sorted, expected, (size_t)count * sizeof *sorted),
              "kind %d, %ld numbers, %d levels", kind, (long)count, levels);
}

Test(vector_sort, all_lengths)
{
    if (!vector_sort_is_supported())
        return;
    for (int kind = 0; kind < KINDS; kind++)
        for (int64_t count = 0; count < 700; count++)
            check(kind, count, -1);
}

Test(vector_sort, many_numbers)
{
    if (!vector_sort_is_supported())
        return;
    for (int kind = 0; kind < KINDS; kind++)
        for (int64_t count = 1000; count <= LONGEST; count = count * 3 + 1)
            check(kind, count, -1);
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
