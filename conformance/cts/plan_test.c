/* plan_test.c: selections of rules. */
#include <criterion/criterion.h>

#include "conformance/cts/plan.h"

static size_t count_of(const struct selection *selection)
{
    struct plan plan;
    cr_assert_null(plan_make(selection, &plan));
    size_t count = plan.count;
    plan_free(&plan);
    return count;
}

Test(plan, selects)
{
    size_t load = count_of(&(struct selection){.areas = {"load"}, .area_count = 1});
    cr_expect_eq(count_of(&(struct selection){0}), rule_count);
    cr_expect(load > 0 && load < rule_count);
    cr_expect_eq(count_of(&(struct selection){.areas = {"1"}, .area_count = 1}), load);
    cr_expect_eq(count_of(&(struct selection){.patterns = {"1"}, .pattern_count = 1}), load);
    cr_expect_eq(
        count_of(&(struct selection){.patterns = {"1.1.1", "load.opens"}, .pattern_count = 2}), 1);
    cr_expect_lt(count_of(&(struct selection){.has_level = true, .level = MUST}),
                 count_of(&(struct selection){.has_level = true, .level = SHOULD}));
}

static void expect_mistake(const struct selection *selection)
{
    struct plan plan;
    struct error *error = plan_make(selection, &plan);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
    plan_free(&plan);
}

Test(plan, mistakes)
{
    expect_mistake(&(struct selection){.patterns = {"1.1.99"}, .pattern_count = 1});
    expect_mistake(&(struct selection){.areas = {"loda"}, .area_count = 1});
    expect_mistake(&(struct selection){.areas = {"23"}, .area_count = 1});
}
