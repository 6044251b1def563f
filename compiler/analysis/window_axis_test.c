#include "compiler/analysis/window_axis.h"

#include <criterion/criterion.h>

static int64_t iterations(struct window_axis axis)
{
    return window_axis_iterations(&axis);
}

#define HUGE (INT64_C(1) << 40)

Test(window_axis, ordinary_windows_count_their_positions)
{
    cr_expect_eq(iterations((struct window_axis){8, 3, 1, 1, 1, 1}), 3);
    cr_expect_eq(iterations((struct window_axis){8, 8, 1, 7, 1, 1}), 8);
    cr_expect_eq(iterations((struct window_axis){8, 3, 1, HUGE, HUGE, 1}), 3);
}

Test(window_axis, iterations_are_bounded_by_the_operand)
{
    cr_expect_eq(iterations((struct window_axis){8, HUGE, 1, HUGE / 2, 1, 1}), 8);
    cr_expect_eq(iterations((struct window_axis){8, HUGE, HUGE, 0, HUGE, 1}), 8);
    cr_expect_eq(iterations((struct window_axis){1, HUGE, 1, HUGE, 1, 1}), 1);
}

/* Positions that are far apart: only few of a window reach the operand. */
Test(window_axis, iterations_are_bounded_by_the_reach)
{
    cr_expect_eq(iterations((struct window_axis){1 << 20, 1 << 20, 1, 0, 1, 1 << 19}), 2);
    cr_expect_eq(iterations((struct window_axis){1 << 20, 1 << 20, 1, 0, 2, 1 << 20}), 2);
}

/* One position in so many meets an element of a dilated operand. */
Test(window_axis, gaps_are_skipped)
{
    cr_expect_eq(iterations((struct window_axis){8, 3, 1, 1, 2, 1}), 2);
    cr_expect_eq(iterations((struct window_axis){8, 6, 1, 1, 3, 1}), 2);
    cr_expect_eq(iterations((struct window_axis){8, 3, 2, 1, 3, 2}), 1);
    cr_expect_eq(iterations((struct window_axis){8, 5, 1, 1, 6, 4}), 2);
    cr_expect_eq(iterations((struct window_axis){8, 3, 1, 1, 2, 4}), 3);
    cr_expect_eq(iterations((struct window_axis){8, 3, 1, 1, HUGE, 3}), 3);
}
