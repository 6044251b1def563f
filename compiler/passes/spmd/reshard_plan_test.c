#include "compiler/passes/spmd/reshard_plan.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <string.h>

#include "base/error.h"

static struct arena *arena;
static const struct device_grid grid = {3, {2, 2, 2}, {4, 2, 1}, 8, NULL}; /* axes x, y, z */
static const struct type *type;
static struct reshard_plan plan;

static void setup(void)
{
    cr_assert_null(arena_create(&arena));
    type = type_tensor(arena, DTYPE_F32, 2, (const int64_t[]){16, 32});
}

static void teardown(void)
{
    arena_destroy(arena);
}

TestSuite(reshard_plan, .init = setup, .fini = teardown);

static bool is_modeled;

/* "xy," shards dimension 0 over x and y; a third part lists unreduced axes. */
static struct tiling *tiling_from(const char *text)
{
    struct tiling *tiling = tiling_replicated(arena, 2);
    for (int dim = 0; *text; text++) {
        if (*text == ',')
            dim++;
        else if (dim < 2)
            tiling->dims[dim].at[tiling->dims[dim].count++] = (uint8_t)(*text - 'x');
        else
            tiling->unreduced |= UINT32_C(1) << (*text - 'x');
    }
    return tiling;
}

/* The kinds of the steps, a letter each. */
static const char *steps(const char *from, const char *to)
{
    static char letters[RESHARD_MAX_STEPS + 1];
    struct tiling *target = tiling_from(to);
    reshard_plan(arena, &grid, is_modeled, type, tiling_from(from), target, &plan);
    for (int i = 0; i < plan.count; i++)
        letters[i] = "SGEPRCKU"[plan.steps[i].kind];
    letters[plan.count] = 0;
    cr_expect(plan.count == 0 || tiling_equal(plan.steps[plan.count - 1].after, target));
    return letters;
}

Test(reshard_plan, equal_tilings_need_nothing)
{
    cr_expect_str_eq(steps("xy,z", "xy,z"), "");
}

Test(reshard_plan, sharding_further_is_a_slice_without_communication)
{
    cr_expect_str_eq(steps(",", "x,yz"), "SS");
    cr_expect_eq(plan.bytes, 0);
}

Test(reshard_plan, an_axis_that_leaves_is_gathered)
{
    cr_expect_str_eq(steps("xy,", "x,"), "G");
    cr_expect_eq(plan.bytes, 4 * 32 * 4);
}

Test(reshard_plan, an_axis_that_changes_dimension_is_exchanged)
{
    cr_expect_str_eq(steps("x,", ",x"), "E");
    cr_expect_eq(plan.bytes, 8 * 32 * 4 / 2);
    cr_expect_str_eq(steps("xy,", "x,y"), "E");
}

Test(reshard_plan, axes_that_trade_places_are_one_permute)
{
    cr_expect_str_eq(steps("x,y", "y,x"), "P");
    cr_expect_str_eq(steps("xy,", "yx,"), "P");
    cr_expect_str_eq(steps("x,", "z,"), "P");
}

Test(reshard_plan, unlike_shapes_of_shards_trade_places_in_two_steps)
{
    cr_expect_str_eq(steps("xy,z", "z,xy"), "EP");
    cr_expect_str_eq(steps("z,", "xy,"), "SP");
}

Test(reshard_plan, a_sum_is_scattered_where_it_is_wanted_in_shards)
{
    cr_expect_str_eq(steps(",,x", ","), "R");
    cr_expect_str_eq(steps(",,x", ",x"), "C");
    cr_expect_str_eq(steps("y,,x", "yx,"), "C");
    cr_expect_str_eq(steps("y,,xz", "yx,"), "CR");
}

Test(reshard_plan, a_complete_value_becomes_terms_of_a_sum_last)
{
    cr_expect_str_eq(steps(",", ",,x"), "K");
    cr_expect_eq(plan.bytes, 0);
    cr_expect_str_eq(steps("x,", "y,,x"), "US");
    cr_expect_str_eq(steps("yx,z", "y,z,x"), "U");
    cr_expect_str_eq(steps("xy,", "y,,x"), "PGK");
    cr_expect_str_eq(steps("x,,y", "x,,yz"), "K");
    cr_expect_str_eq(steps("x,,y", ",,x"), "RU");
}

Test(reshard_plan, shards_that_padding_shifts_are_gathered_whole)
{
    type = type_tensor(arena, DTYPE_F32, 2, (const int64_t[]){5, 32});
    cr_expect_str_eq(steps("xy,", "x,"), "GS");
    cr_expect_str_eq(steps("x,", "xy,"), "GS");
}

Test(reshard_plan, axes_that_stay_come_first_before_the_others_are_gathered)
{
    cr_expect_str_eq(steps("xy,", "y,"), "PG");
    cr_expect_str_eq(steps("zyx,", "xz,"), "PG");
    cr_expect_str_eq(steps("y,", "xy,"), "SP");
}

Test(reshard_plan, an_accelerator_gathers_whole_dimensions)
{
    cr_expect_str_eq(steps("xy,", ",x"), "GE");
    is_modeled = true;
    cr_expect_str_eq(steps("xy,", ",x"), "GS");
    cr_expect_str_eq(steps("x,", ",x"), "E");
    is_modeled = false;
}

Test(reshard_plan, all_pairs_arrive_in_few_steps)
{
    static const char *const all[] = {",",   "x,",  "y,",   ",x",   "xy,",  "yx,",  "x,y",
                                      "y,x", ",xy", "xyz,", "zxy,", "x,yz", "yz,x", ",zyx"};
    int count = sizeof all / sizeof *all;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            cr_expect_leq(strlen(steps(all[i], all[k])), 6, "%s -> %s: %s", all[i], all[k],
                          steps(all[i], all[k]));
}
