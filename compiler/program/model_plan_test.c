/* Tests of model_plan.h: what is a plan. */
#include "compiler/program/model_plan.h"

#include <criterion/criterion.h>
#include <string.h>

#include "compiler/program/program.h"

struct whole {
    struct model_plan plan;
    struct model_operation operation;
    struct model_loop loops[2];
    struct model_largest largest;
    struct model_collective collective;
    int64_t numbers[7]; /* two dimensions; a group of three */
    char text[8];
};

static struct whole valid(void)
{
    struct whole whole = {.plan = {.size = sizeof whole,
                                   .operation_count = 1,
                                   .loop_count = 2,
                                   .largest_count = 1,
                                   .collective_count = 1,
                                   .number_count = 7,
                                   .text_size = sizeof whole.text},
                          .operation = {.label = 4, .loop = 2},
                          .loops = {{.label = 4}, {.loop = 1}},
                          .collective = {.dtype = DTYPE_F32, .groups = 3, .group_count = 1},
                          .numbers = {2, 8, 16, 3, 0, 1, 2},
                          .text = "abc"};
    memcpy(whole.text + 4, "def", 4);
    return whole;
}

static void expect(const struct whole *whole, bool is_plan)
{
    struct error *error = model_plan_check(&whole->plan, sizeof *whole);
    cr_expect_eq(!error, is_plan);
    error_free(error);
}

Test(model_plan, parts_are_found)
{
    struct whole whole = valid();
    expect(&whole, true);
    cr_expect_eq(model_plan_operations(&whole.plan), &whole.operation);
    cr_expect_eq(model_plan_loops(&whole.plan), whole.loops);
    cr_expect_eq(model_plan_largest(&whole.plan), &whole.largest);
    cr_expect_eq(model_plan_collectives(&whole.plan), &whole.collective);
    cr_expect_eq(model_plan_numbers(&whole.plan), whole.numbers);
    cr_expect_str_eq(model_plan_text(&whole.plan, whole.operation.label), "def");
    cr_expect_eq(model_plan_intensity(&whole.plan), 0);
    whole.plan.flops = 6, whole.plan.hbm_bytes = 2;
    cr_expect_eq(model_plan_intensity(&whole.plan), 3);
    cr_expect_str_eq(model_plan_bound_name(BOUND_HBM), "HBM");
    cr_expect_str_eq(model_plan_bound_name(BOUND_COUNT), "unknown");
}

#define DAMAGED(what)                                                                              \
    do {                                                                                           \
        struct whole whole = valid();                                                              \
        what;                                                                                      \
        expect(&whole, false);                                                                     \
    } while (0)

Test(model_plan, groups_need_not_be_listed)
{
    struct whole whole = valid();
    whole.collective.groups = MODEL_NO_GROUPS;
    whole.collective.group_count = INT64_MAX;
    expect(&whole, true);
}

Test(model_plan, damage_is_found)
{
    DAMAGED(whole.plan.size--);
    DAMAGED(whole.plan.operation_count = 2);
    DAMAGED(whole.plan.operation_count = UINT64_MAX);
    DAMAGED(whole.plan.largest_count = UINT64_MAX / 16);
    DAMAGED(whole.plan.text_size = 4);
    DAMAGED(whole.text[7] = 'x');
    DAMAGED(whole.operation.label = 8);
    DAMAGED(whole.operation.bound = BOUND_COUNT);
    DAMAGED(whole.operation.bound = -1);
    DAMAGED(whole.operation.resource = -1);
    DAMAGED(whole.operation.resource = MODEL_RESOURCES);
    DAMAGED(whole.operation.loop = 3);
    DAMAGED(whole.operation.loop = -1);
    DAMAGED(whole.plan.loop_count = UINT64_MAX / 8);
    DAMAGED(whole.loops[0].loop = 1);
    DAMAGED(whole.loops[1].loop = -1);
    DAMAGED(whole.loops[1].label = 8);
    DAMAGED(whole.largest.shape = UINT64_MAX);
    DAMAGED(whole.plan.collective_count = 2);
    DAMAGED(whole.plan.number_count = UINT64_MAX / 8);
    DAMAGED(whole.collective.label = 8);
    DAMAGED(whole.collective.kind = COLLECTIVE_BROADCAST + 1);
    DAMAGED(whole.collective.reducer = -1);
    DAMAGED(whole.collective.dtype = DTYPE_COUNT);
    DAMAGED(whole.collective.operand = 7);
    DAMAGED(whole.collective.result = UINT64_MAX);
    DAMAGED(whole.collective.groups = 7);
    DAMAGED(whole.collective.group_count = 2);
    DAMAGED(whole.collective.group_count = -1);
    DAMAGED(whole.numbers[0] = 7);
    DAMAGED(whole.numbers[0] = -1);
    DAMAGED(whole.numbers[3] = 4);
    DAMAGED(whole.numbers[3] = INT64_MIN);
}
