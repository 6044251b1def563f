/* Tests of solve_room.h: random intervals, compared with sums over rows. */
#include "compiler/passes/spmd/solve/solve_room.h"

#include <criterion/criterion.h>

enum { MOST_ROWS = 37 };

static uint64_t state;

static int random_below(int count)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)count);
}

static int64_t excess_of(const int64_t *free, int rows)
{
    int64_t excess = 0;
    for (int r = 0; r < rows; r++)
        excess += free[r] < 0 ? -free[r] : 0;
    return excess;
}

/* Takes some bytes of a random interval, from both. */
static void take_some(struct solve_room *room, int64_t *free, int rows)
{
    int first = random_below(rows), last = first + random_below(rows - first);
    int64_t bytes = random_below(41) - 20, before = excess_of(free, rows), least = INT64_MAX;
    for (int r = first; r <= last; r++)
        least = free[r] < least ? free[r] : least;
    cr_expect_eq(solve_room_least(room, first, last), least);
    int64_t growth = solve_room_growth(room, first, last, bytes);
    for (int r = first; r <= last; r++)
        free[r] -= bytes;
    cr_expect_eq(growth, excess_of(free, rows) - before);
    solve_room_take(room, first, last, bytes);
    cr_expect_eq(solve_room_excess(room), excess_of(free, rows));
}

Test(solve_room, intervals_are_as_the_sum_of_their_rows)
{
    struct arena *arena;
    int64_t free[MOST_ROWS];
    cr_assert_null(arena_create(&arena));
    for (int rows = 1; rows <= MOST_ROWS; rows++) {
        struct solve_room *room = solve_room_create(arena, rows);
        for (int again = 0; again < 2; again++) {
            for (int r = 0; r < rows; r++)
                free[r] = random_below(60) - 10;
            solve_room_set(room, free);
            for (int i = 0; i < 100; i++)
                take_some(room, free, rows);
        }
    }
    arena_destroy(arena);
}

Test(solve_room, there_may_be_no_rows)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    struct solve_room *room = solve_room_create(arena, 0);
    solve_room_set(room, NULL);
    cr_expect_eq(solve_room_excess(room), 0);
    arena_destroy(arena);
}

/* 0, 1, 2, ... free bytes: the bytes are too much in the first rows, each by another number. */
Test(solve_room, rows_that_are_alike_are_one_step, .timeout = 20)
{
    enum { ROWS = 1 << 18, TIMES = 1 << 17 };
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    struct solve_room *room = solve_room_create(arena, ROWS);
    int64_t *free = ARENA_ARRAY(arena, int64_t, ROWS), wrong = 0;
    for (int r = 0; r < ROWS; r++)
        free[r] = r;
    solve_room_set(room, free);
    for (int64_t i = 0; i < TIMES; i++)
        wrong += solve_room_growth(room, 0, ROWS - 1, i) != i * (i + 1) / 2;
    cr_expect_eq(wrong, 0);
    solve_room_take(room, 0, ROWS - 1, ROWS);
    for (int64_t i = 0; i < TIMES; i++)
        wrong += solve_room_excess(room) != (int64_t)ROWS * (ROWS + 1) / 2;
    cr_expect_eq(wrong, 0);
    arena_destroy(arena);
}
