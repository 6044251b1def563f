#include "compiler/passes/spmd/auto/auto_groups.h"

#include "compiler/passes/auto_fixture.h"

TestSuite(auto_groups, .init = fixture_begin, .fini = fixture_end);

static const char *const names[] = {"x", "y", "z"};
static const int64_t sizes[] = {2, 4, 8};
static const struct mesh mesh = {
    .axis_count = 3, .axis_names = names, .axis_sizes = sizes, .device_count = 64};

Test(auto_groups, strategies_divide_exactly_and_the_first_is_replicated)
{
    static const struct auto_divided dims[] = {{8, 8}, {6, 6}, {64, 64}, {32, 0}};
    struct auto_strategies found = auto_groups_strategies(fixture_arena, &mesh, 4, dims);
    bool all_along_64 = false;
    cr_assert_gt(found.count, 1);
    cr_expect_leq(found.count, AUTO_STRATEGIES);
    cr_expect_eq(found.shards[0], 1);
    for (int s = 0; s < found.count; s++) {
        int64_t shards[4] = {1, 1, 1, 1}, product = 1;
        for (int a = 0; a < 3; a++)
            if (found.at[s].dims[a] >= 0) {
                shards[found.at[s].dims[a]] *= sizes[a];
                product *= sizes[a];
            }
        cr_expect_eq(found.shards[s], product);
        cr_expect(8 % shards[0] == 0 && 6 % shards[1] == 0 && shards[3] == 1, "strategy %d", s);
        all_along_64 |= shards[2] == 64;
    }
    cr_expect(all_along_64);
}

Test(auto_groups, many_dimensions_have_few_strategies)
{
    static const struct auto_divided dims[8] = {{64, 64}, {64, 64}, {64, 64}, {64, 64},
                                                {64, 64}, {64, 64}, {64, 64}, {64, 64}};
    struct auto_strategies found = auto_groups_strategies(fixture_arena, &mesh, 8, dims);
    cr_expect_eq(found.count, AUTO_STRATEGIES);
}

Test(auto_groups, values_of_equal_classes_are_one_group)
{
    struct auto_classes classes;
    struct auto_groups groups;
    auto_fixture_build(64);
    cr_assert_null(auto_classes_find(fixture_module, &classes));
    auto_groups_find(fixture_arena, &classes, &mesh, &groups);
    const int *slots = classes.slots; /* 3 arguments, the product, tanh, the second product */
    cr_expect_eq(groups.of[slots[3]], groups.of[slots[4]]);
    cr_expect_neq(groups.of[slots[0]], groups.of[slots[1]]);
    cr_expect_neq(groups.of[slots[1]], groups.of[slots[2]]);
}
