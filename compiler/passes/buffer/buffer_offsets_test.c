#include "compiler/passes/buffer/buffer_offsets.h"

#include <criterion/criterion.h>

enum { COUNT = 300 };

static uint64_t offsets[COUNT];
static struct buffer_interval intervals[COUNT][2];
static struct buffer_request requests[COUNT];

static void set_range(int i, int64_t first, int64_t last, uint64_t bytes)
{
    intervals[i][0] = (struct buffer_interval){first, last};
    requests[i] = (struct buffer_request){1, intervals[i], bytes, &offsets[i], NULL};
}

/* The same, with a second interval later. */
static void set_second_range(int i, int64_t first, int64_t last)
{
    intervals[i][1] = (struct buffer_interval){first, last};
    requests[i].interval_count = 2;
}

static uint64_t assign_all(size_t count)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    buffer_offsets_sort(count, requests);
    uint64_t size = buffer_offsets_assign(arena, count, requests, 64);
    arena_destroy(arena);
    return size;
}

Test(buffer_offsets, nothing)
{
    cr_expect_eq(assign_all(0), 0);
}

Test(buffer_offsets, successive_requests_share_memory)
{
    for (int i = 0; i < 10; i++)
        set_range(i, 2 * i, 2 * i + 1, 100);
    cr_expect_eq(assign_all(10), 128);
}

Test(buffer_offsets, concurrent_requests_do_not_overlap)
{
    for (int i = 0; i < 10; i++)
        set_range(i, 0, i, 64);
    cr_expect_eq(assign_all(10), 640);
}

Test(buffer_offsets, a_gap_is_reused)
{
    set_range(0, 0, 1, 128);
    set_second_range(0, 4, 5);
    set_range(1, 2, 3, 128);
    cr_expect_eq(assign_all(2), 128);
    set_range(0, 0, 1, 128);
    set_second_range(0, 4, 5);
    set_range(1, 2, 4, 128);
    cr_expect_eq(assign_all(2), 256);
}

Test(buffer_offsets, a_block_of_a_given_size)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    struct buffer_block *block = buffer_block_create(arena, 200, 64, 2);
    set_range(0, 0, 9, 100);
    set_range(1, 10, 20, 72);
    set_range(2, 10, 20, 73);
    set_range(3, 10, 20, 64);
    buffer_block_reserve(block, &requests[0], 0, 200);
    set_range(0, 10, 20, 100);
    cr_expect(buffer_block_allocate(block, &requests[0]) && offsets[0] == 0);
    cr_expect_not(buffer_block_allocate(block, &requests[2]));
    cr_expect(buffer_block_allocate(block, &requests[1]) && offsets[1] == 128);
    cr_expect_not(buffer_block_allocate(block, &requests[3]), "more than two are live");
    arena_destroy(arena);
}

static bool meet(const struct buffer_request *x, const struct buffer_request *y)
{
    for (size_t i = 0; i < x->interval_count; i++)
        for (size_t j = 0; j < y->interval_count; j++)
            if (x->intervals[i].first <= y->intervals[j].last &&
                y->intervals[j].first <= x->intervals[i].last)
                return true;
    return false;
}

Test(buffer_offsets, random_live_ranges_never_overlap)
{
    unsigned state = 1;
    for (int i = 0; i < COUNT; i++) {
        state = state * 1103515245 + 12345;
        int64_t first = state >> 16 & 1023, length = state >> 8 & 127;
        set_range(i, first, first + length, 1 + (state >> 4 & 4095));
        if (i % 2)
            set_second_range(i, first + length + 2, first + length + 2 + (state >> 12 & 63));
    }
    uint64_t size = assign_all(COUNT);
    for (int i = 0; i < COUNT; i++) {
        cr_assert(*requests[i].offset % 64 == 0 && *requests[i].offset + requests[i].bytes <= size);
        for (int j = 0; j < i; j++) {
            bool space = *requests[i].offset < *requests[j].offset + requests[j].bytes &&
                         *requests[j].offset < *requests[i].offset + requests[i].bytes;
            cr_assert(!(space && meet(&requests[i], &requests[j])));
        }
    }
}
