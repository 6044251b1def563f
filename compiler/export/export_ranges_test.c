/* export_ranges_test.c: random ranges against an array with the number of each byte. */
#include "compiler/export/export_ranges.h"

#include <criterion/criterion.h>

enum { ALLOCATIONS = 3, BYTES = 64, NUMBERS = 4, SETS = 20000 };

static int64_t model[ALLOCATIONS][BYTES]; /* 0: none */
static uint32_t state = 1;

static int below(int limit)
{
    state = state * 1664525 + 1013904223;
    return (int)((state >> 8) % (uint32_t)limit);
}

static void set(struct export_ranges *ranges)
{
    int allocation = below(ALLOCATIONS), begin = below(BYTES), size = below(BYTES - begin + 1);
    int64_t number = 1 + below(NUMBERS);
    const struct slice slice = {allocation, (uint64_t)begin, (uint64_t)size};
    export_ranges_set(ranges, &slice, number);
    for (int i = 0; i < size; i++)
        model[allocation][begin + i] = number;
}

/* The ranges are maximal and have the numbers of the model; no other byte has one. */
static void check(const struct export_ranges *ranges)
{
    const struct export_range *range = export_ranges_from(ranges, 0, 0);
    for (int a = 0; a < ALLOCATIONS; a++)
        for (uint64_t at = 0; at < BYTES;) {
            bool begins = range && range->slice.allocation == a && range->slice.offset == at;
            cr_assert_eq(begins ? range->number : 0, model[a][at]);
            uint64_t end = begins ? at + range->slice.size : at + 1;
            for (; begins && at < end - 1; at++)
                cr_assert_eq(model[a][at + 1], model[a][at]);
            at = end;
            cr_assert(!begins || end == BYTES || model[a][end] != model[a][end - 1]);
            if (begins)
                range = export_ranges_from(ranges, a, end);
        }
    cr_assert_null(range);
}

static struct error *compare(void *context)
{
    struct export_pool pool = {.arena = context};
    struct export_ranges ranges = {.pool = &pool};
    for (int i = 0; i < SETS; i++) {
        set(&ranges);
        check(&ranges);
    }
    export_ranges_clear(&ranges);
    cr_expect_leq(arena_used(context), 2 * ALLOCATIONS * BYTES * sizeof(struct export_range),
                  "memory is used again");
    return NULL;
}

Test(export_ranges, every_byte_has_the_number_set_last)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    cr_assert_null(arena_run(arena, compare, arena));
    arena_destroy(arena);
}

/* Sets of bytes; the union has those of both. */
static struct error *unite(void *context)
{
    struct export_pool pool = {.arena = context};
    struct export_ranges few = {.pool = &pool}, many = {.pool = &pool}, all = {.pool = &pool};
    for (uint64_t i = 0; i < BYTES; i += 2)
        export_ranges_set(i % 16 ? &many : &few, &(struct slice){0, i, 1}, 1);
    export_ranges_move(&all, &few, 1);
    export_ranges_move(&all, &many, 1);
    const struct export_range *range = NULL;
    for (uint64_t i = 0; i < BYTES; i += 2) {
        range = export_ranges_next(&all, range);
        cr_assert_not_null(range);
        cr_expect_eq(range->slice.offset, i);
        cr_expect_eq(range->slice.size, 1);
    }
    cr_expect_null(export_ranges_next(&all, range));
    cr_expect_null(few.root);
    cr_expect_null(many.root);
    return NULL;
}

Test(export_ranges, sets_are_united)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    cr_assert_null(arena_run(arena, unite, arena));
    arena_destroy(arena);
}
