#include "compiler/lower/lower_partition.h"

#include <criterion/criterion.h>

enum { WORK = 100, PARALLEL_COST = 1000 };

static const struct target target = {.cores = 2, .parallel_cost = PARALLEL_COST};

/* The step of a kernel with WORK items. */
static struct step partitioned(const struct target *on, int64_t cost)
{
    struct codegen_kernel kernel = {.work = WORK};
    struct codegen_request request = {.kernel_count = 1, .kernels = &kernel};
    struct step step = {.kind = STEP_KERNEL, .cost = cost};
    lower_partition(&request, on, &(struct step_list){.count = 1, .steps = &step});
    cr_expect_eq(step.kernel.work, WORK);
    return step;
}

Test(lower_partition, cheap_steps_are_one_part)
{
    cr_expect_eq(partitioned(&target, PARALLEL_COST - 1).kernel.grain, WORK);
}

Test(lower_partition, parts_grow_with_the_cost_up_to_four_a_core)
{
    cr_expect_eq(partitioned(&target, PARALLEL_COST).kernel.grain, WORK / 2);
    cr_expect_eq(partitioned(&target, 2 * PARALLEL_COST).kernel.grain, WORK / 4);
    cr_expect_eq(partitioned(&target, 1000 * PARALLEL_COST).kernel.grain, (WORK + 7) / 8);
}

Test(lower_partition, one_core_gets_one_part)
{
    struct target one = {.cores = 1, .parallel_cost = PARALLEL_COST};
    cr_expect_eq(partitioned(&one, 1000 * PARALLEL_COST).kernel.grain, WORK);
}

Test(lower_partition, steps_in_loops_and_branches_are_partitioned)
{
    struct codegen_kernel kernel = {.work = WORK};
    struct codegen_request request = {.kernel_count = 1, .kernels = &kernel};
    struct step inner[3] = {{.kind = STEP_KERNEL}, {.kind = STEP_KERNEL}, {.kind = STEP_KERNEL}};
    struct step branch = {.kind = STEP_CASE};
    branch.branch.count = 1;
    branch.branch.branches = &(struct step_list){.count = 1, .steps = &inner[0]};
    struct step outer[2] = {{.kind = STEP_WHILE}, {.kind = STEP_COPY}};
    outer[0].loop.condition = (struct step_list){.count = 2, .steps = &inner[1]};
    outer[0].loop.body = (struct step_list){.count = 1, .steps = &branch};
    lower_partition(&request, &target, &(struct step_list){.count = 2, .steps = outer});
    for (int i = 0; i < 3; i++)
        cr_expect_eq(inner[i].kernel.work, WORK, "step %d", i);
}
