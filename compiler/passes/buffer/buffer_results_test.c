#include "compiler/passes/buffer/buffer_results.h"

#include <criterion/criterion.h>

enum { COUNT = 4 };

static uint64_t offsets[COUNT];
static int allocations[COUNT];
static struct buffer_interval intervals[2 * COUNT];
static struct buffer_request requests[COUNT];
static struct buffer_result results[COUNT];

static struct buffer_request request(int i, int64_t first, int64_t last, uint64_t bytes)
{
    intervals[i] = (struct buffer_interval){first, last};
    return (struct buffer_request){1, &intervals[i], bytes, &offsets[i % COUNT],
                                   &allocations[i % COUNT]};
}

static void set_result(int i, int64_t written, uint64_t bytes)
{
    results[i] = (struct buffer_result){i, bytes, request(COUNT + i, written, 100, bytes)};
}

static void set_life(int i, int64_t first, int64_t last, uint64_t bytes)
{
    allocations[i] = -1;
    requests[i] = request(i, first, last, bytes);
}

static size_t reuse(size_t result_count, size_t count)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    size_t left = buffer_results_reuse(arena, result_count, results, count, requests, 64);
    arena_destroy(arena);
    return left;
}

Test(buffer_results, hold_temporaries_until_they_are_written)
{
    set_result(0, 10, 256);
    set_life(0, 2, 9, 256);
    set_life(1, 2, 10, 256);
    cr_expect_eq(reuse(1, 2), 1);
    cr_expect(allocations[0] == 0 && offsets[0] == 0);
    cr_expect(allocations[1] == -1 && requests[0].offset == &offsets[1],
              "what is left is in front");
}

Test(buffer_results, several_in_one)
{
    set_result(0, 10, 256);
    set_life(0, 2, 9, 128);
    set_life(1, 3, 9, 128);
    set_life(2, 3, 5, 64);
    cr_expect_eq(reuse(1, 3), 1);
    cr_expect(allocations[0] == 0 && allocations[1] == 0 && allocations[2] == -1);
    cr_expect(offsets[0] == 0 && offsets[1] == 128);
}

Test(buffer_results, smallest_then_last_written_comes_first)
{
    set_result(0, 10, 512);
    set_result(1, 10, 256);
    set_result(2, 20, 256);
    set_life(0, 2, 3, 200);
    set_life(1, 2, 3, 200);
    set_life(2, 2, 3, 300);
    cr_expect_eq(reuse(3, 3), 0);
    cr_expect(allocations[0] == 2 && allocations[1] == 1 && allocations[2] == 0);
}

Test(buffer_results, none)
{
    set_life(0, 2, 3, 200);
    cr_expect_eq(reuse(0, 1), 1);
}
