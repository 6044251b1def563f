#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "memory/offsets.h"

static struct offsets *fresh(uint64_t capacity)
{
    struct offsets *offsets;
    cr_assert_null(offsets_create(capacity, 64, &offsets));
    cr_assert(offsets_check(offsets));
    return offsets;
}

Test(offsets, whole_range_and_back)
{
    struct offsets *offsets = fresh(95ULL << 30);
    struct range all, none;
    cr_assert_eq(offsets_largest_free(offsets), 95ULL << 30);
    cr_assert_null(offsets_alloc(offsets, 95ULL << 30, &all));
    cr_assert_eq(all.offset, 0);
    cr_assert_eq(offsets_live(offsets), 95ULL << 30);
    cr_assert_eq(offsets_largest_free(offsets), 0);
    struct error *error = offsets_alloc(offsets, 1, &none);
    cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    error_free(error);
    offsets_free(offsets, all.block);
    cr_assert_eq(offsets_largest_free(offsets), 95ULL << 30);
    cr_assert(offsets_check(offsets));
    offsets_destroy(offsets);
    cr_assert_eq(alloc_live(), 0);
}

Test(offsets, rounds_up_and_merges)
{
    struct offsets *offsets = fresh(1000); /* 15 units */
    struct range a, b, c;
    cr_assert_null(offsets_alloc(offsets, 0, &a));
    cr_assert_null(offsets_alloc(offsets, 65, &b));
    cr_assert_null(offsets_alloc(offsets, 64, &c));
    cr_assert_eq(a.size, 64);
    cr_assert_eq(b.size, 128);
    cr_assert_eq(b.offset, 64);
    cr_assert_eq(c.offset, 192);
    offsets_free(offsets, a.block);
    offsets_free(offsets, c.block);
    cr_assert(offsets_check(offsets));
    cr_assert_eq(offsets_largest_free(offsets), 960 - 192);
    offsets_free(offsets, b.block);
    cr_assert_eq(offsets_largest_free(offsets), 960);
    cr_assert(offsets_check(offsets));
    offsets_destroy(offsets);
}

Test(offsets, refuses_nonsense)
{
    struct offsets *offsets;
    struct error *error = offsets_create(1 << 20, 48, &offsets);
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
    error = offsets_create(32, 64, &offsets);
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
    offsets_destroy(NULL);
}

/* Random use: ranges never overlap, and all are freed. */
Test(offsets, random_use)
{
    enum { LIVE = 400, ROUNDS = 60000 };
    static struct range live[LIVE];
    struct offsets *offsets = fresh(1 << 22);
    unsigned seed = 7;
    uint64_t bytes = 0;
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct range *range = &live[rand_r(&seed) % LIVE];
        if (range->block) {
            bytes -= range->size;
            offsets_free(offsets, range->block);
            *range = (struct range){0};
        } else {
            uint64_t size = (uint64_t)rand_r(&seed) % (1ULL << (6 + rand_r(&seed) % 14));
            uint64_t largest = offsets_largest_free(offsets);
            struct error *error = offsets_alloc(offsets, size, range);
            cr_assert_eq(error != NULL, (size ? size : 1) > largest);
            refused += error != NULL;
            error_free(error);
            bytes += range->size;
            for (int i = 0; range->block && i < LIVE; i++)
                cr_assert(&live[i] == range || !live[i].block ||
                          live[i].offset + live[i].size <= range->offset ||
                          range->offset + range->size <= live[i].offset);
        }
        cr_assert_eq(offsets_live(offsets), bytes);
        if (round % 100 == 0)
            cr_assert(offsets_check(offsets));
    }
    cr_assert_gt(refused, 0);
    for (int i = 0; i < LIVE; i++)
        if (live[i].block)
            offsets_free(offsets, live[i].block);
    cr_assert_eq(offsets_largest_free(offsets), 1 << 22);
    cr_assert(offsets_check(offsets));
    offsets_destroy(offsets);
    cr_assert_eq(alloc_live(), 0);
}

Test(offsets, survives_each_failing_allocation)
{
    bool done = false;
    for (int n = 1; !done; n++) {
        struct offsets *offsets;
        struct range range;
        alloc_fail_at(n);
        struct error *error = offsets_create(1 << 20, 64, &offsets);
        for (int i = 0; i < 300 && !error; i++)
            error = offsets_alloc(offsets, 64, &range);
        alloc_fail_at(0);
        done = !error;
        if (offsets)
            cr_assert(offsets_check(offsets));
        error_free(error);
        offsets_destroy(offsets);
        cr_assert_eq(alloc_live(), 0);
    }
}
