#include "compiler/program/program_shared.h"

#include <criterion/criterion.h>

enum { DEVICES = 4, BYTES = 120 };

static int offsets[] = {0, DEVICES, 2 * DEVICES}, members[] = {0, 1, 2, 3, 0, 1, 2, 3};
static struct program_groups groups;
static struct slice slices[2], more[1];
static struct step steps[2];
static struct program_value results[1];
static struct allocation allocations[] = {{.kind = ALLOCATION_PARAMETER},
                                          {.kind = ALLOCATION_RESULT}};
static struct program program;

/* An all_reduce of parameter 0 to result 0. */
static void setup(void)
{
    groups = (struct program_groups){1, DEVICES, offsets, members, members};
    slices[0] = (struct slice){0, 0, BYTES};
    slices[1] = more[0] = (struct slice){1, 0, BYTES};
    steps[0] = (struct step){.kind = STEP_COLLECTIVE,
                             .operand_count = 1,
                             .slice_count = 2,
                             .slices = slices,
                             .collective = {.kind = COLLECTIVE_ALL_REDUCE, .array_count = 1}};
    results[0] = (struct program_value){.bytes = BYTES, .alias = -1};
    program = (struct program){.num_replicas = 2,
                               .num_partitions = 2,
                               .result_count = 1,
                               .results = results,
                               .allocation_count = 2,
                               .allocations = allocations,
                               .group_count = 1,
                               .groups = &groups,
                               .steps = {1, steps}};
}

TestSuite(program_shared, .init = setup);

static bool is_shared(void)
{
    bool out = true;
    cr_assert_null(program_shared_results(&program, &out));
    return out;
}

Test(program_shared, what_a_collective_of_all_writes)
{
    cr_expect(is_shared());
    steps[0].collective.kind = COLLECTIVE_ALL_GATHER;
    cr_expect(is_shared());
    steps[0].collective.kind = COLLECTIVE_REDUCE_SCATTER;
    cr_expect_not(is_shared());
}

Test(program_shared, not_what_differs_between_groups)
{
    groups.group_count = 2;
    cr_expect_not(is_shared());
    groups.group_count = 1, program.num_replicas = 4;
    cr_expect_not(is_shared(), "some participants are in no group");
}

Test(program_shared, not_what_other_steps_use)
{
    steps[1] =
        (struct step){.kind = STEP_KERNEL, .operand_count = 1, .slice_count = 1, .slices = more};
    program.steps.count = 2;
    cr_expect_not(is_shared());
    slices[0].allocation = 1, program.steps.count = 1;
    cr_expect_not(is_shared(), "in place");
}

Test(program_shared, not_what_moves_a_slice)
{
    struct slice_offset offset = {.index = slices[1]};
    steps[1] = (struct step){.kind = STEP_DOT, .offset_count = 1, .offsets = &offset};
    program.steps.count = 2;
    cr_expect_not(is_shared());
}

Test(program_shared, not_parts_of_results_and_not_donated_memory)
{
    results[0].alias = 0;
    cr_expect_not(is_shared());
    results[0].alias = -1, slices[1].size = BYTES / 2;
    cr_expect_not(is_shared());
}

Test(program_shared, not_what_a_branch_writes)
{
    struct step_list branch = {1, &steps[0]};
    steps[1] = (struct step){.kind = STEP_CASE, .branch = {.count = 1, .branches = &branch}};
    program.steps = (struct step_list){1, &steps[1]};
    cr_expect_not(is_shared());
}
