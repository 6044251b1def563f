/* Compares sets of live ranges with a linear search, and checks the number of visited nodes. */
#include "compiler/passes/buffer/live_ranges.h"

#include <criterion/criterion.h>

enum { COUNT = 4096 };
static struct live_range ranges[COUNT];

static bool count_one(void *context, struct live_range *range)
{
    int *count = context;
    range->owner = range;
    ++*count;
    return false;
}

static bool stop(void *context, struct live_range *range)
{
    *(struct live_range **)context = range;
    return true;
}

Test(live_ranges, finds_what_a_list_finds)
{
    struct live_ranges set = {0};
    uint32_t seed = 7;
    for (int i = 0; i < 300; i++) {
        seed = seed * 1664525 + 1013904223;
        int64_t first = seed >> 22, length = (seed >> 8) % (i % 7 ? 10 : 500);
        ranges[i] =
            (struct live_range){.first = first, .last = first + length, .serial = (uint64_t)i};
        live_ranges_insert(&set, &ranges[i]);
        int found = 0, expected = 0;
        live_ranges_find(&set, 400, 450, count_one, &found);
        for (int k = 0; k <= i; k++)
            expected += ranges[k].first <= 450 && ranges[k].last >= 400;
        cr_assert_eq(found, expected, "after %d", i);
    }
}

Test(live_ranges, stops_when_visit_returns_true)
{
    struct live_ranges set = {0};
    struct live_range *found = NULL;
    for (int i = 0; i < 10; i++) {
        ranges[i] = (struct live_range){.first = i, .last = i + 5, .serial = (uint64_t)i};
        live_ranges_insert(&set, &ranges[i]);
    }
    cr_expect(live_ranges_find(&set, 7, 8, stop, &found));
    cr_expect_eq(found, &ranges[2]);
    cr_expect_not(live_ranges_find(&set, 15, 20, stop, &found));
}

static int depth(const struct live_range *tree)
{
    if (!tree)
        return 0;
    int before = depth(tree->before), after = depth(tree->after);
    return 1 + (before > after ? before : after);
}

/* Ranges inserted in order, and ranges that all begin at once, do not unbalance the tree. */
Test(live_ranges, stays_balanced)
{
    for (int equal = 0; equal < 2; equal++) {
        struct live_ranges set = {0};
        for (int i = 0; i < COUNT; i++) {
            ranges[i] =
                (struct live_range){.first = equal ? 0 : i, .last = i + 1, .serial = (uint64_t)i};
            live_ranges_insert(&set, &ranges[i]);
        }
        cr_expect_lt(depth(set.root), 60);
    }
}
