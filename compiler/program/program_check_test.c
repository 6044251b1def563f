/* Programs put together by hand: good ones pass, and each thing that is wrong is found. */
#include "compiler/program/program_check.h"

#include <criterion/criterion.h>

static struct program_value in = {.shape.dtype = DTYPE_F32, .bytes = 64}, out = {.bytes = 64};
static struct allocation allocations[] = {
    {ALLOCATION_PARAMETER, 0, 64}, {ALLOCATION_RESULT, 0, 64}, {ALLOCATION_TEMP, 0, 128}};
static struct slice slices[3];
static struct step step;
static struct program program;

/* out[4, 4] = in[4, 4] * temp[4, 4] */
static void setup(void)
{
    for (int i = 0; i < 3; i++)
        allocations[i].index = 0;
    slices[0] = (struct slice){0, 0, 64};
    slices[1] = (struct slice){2, 64, 64};
    slices[2] = (struct slice){1, 0, 64};
    step = (struct step){
        .kind = STEP_DOT, .label = "dot", .slice_count = 3, .operand_count = 2, .slices = slices};
    step.dot = (struct dot_spec){.lhs = DTYPE_F32,
                                 .rhs = DTYPE_F32,
                                 .out = DTYPE_F32,
                                 .outer = 1,
                                 .batch = 1,
                                 .m = 4,
                                 .n = 4,
                                 .k = 4,
                                 .lhs_m_stride = 4,
                                 .lhs_k_stride = 1,
                                 .rhs_k_stride = 4,
                                 .rhs_n_stride = 1,
                                 .out_m_stride = 4,
                                 .out_n_stride = 1};
    program = (struct program){.parameter_count = 1,
                               .result_count = 1,
                               .parameters = &in,
                               .results = &out,
                               .allocation_count = 3,
                               .allocations = allocations,
                               .temp_size = 128,
                               .plan_count = 1,
                               .kernel_count = 1,
                               .steps = {1, &step}};
}

TestSuite(program_check, .init = setup);

static bool good(void)
{
    struct error *error = program_check(&program);
    bool passed = !error;
    cr_expect(passed || error_code(error) == PJRT_Error_Code_INTERNAL);
    error_free(error);
    return passed;
}

/* A product of one operand with itself whose right side was forgotten has two slices. */
Test(program_check, a_product_has_three_slices_large_enough)
{
    cr_expect(good());
    step.slice_count = 2;
    cr_expect_not(good());
    step.slice_count = 3;
    step.dot.lhs_m_stride = 5;
    cr_expect_not(good());
    step.dot.lhs_m_stride = -4;
    cr_expect_not(good());
    step.dot.lhs_m_stride = INT64_MAX;
    cr_expect_not(good());
    step.dot.n = 0; /* what is empty touches nothing, but the left side is not */
    cr_expect_not(good());
    step.dot.m = 0;
    cr_expect(good());
    step.plan = 1;
    cr_expect_not(good());
}

Test(program_check, slices_lie_in_allocations)
{
    slices[1].offset = 65;
    cr_expect_not(good());
    slices[1].offset = UINT64_MAX;
    cr_expect_not(good());
    slices[1] = (struct slice){3, 0, 64};
    cr_expect_not(good());
    slices[1] = (struct slice){-1, 0, 64};
    cr_expect_not(good());
    slices[1] = (struct slice){2, 0, 64};
    cr_expect(good());
    program.temp_size = 127;
    cr_expect_not(good());
    program.temp_size = 128;
    allocations[0].index = 1;
    cr_expect_not(good());
}

Test(program_check, convolutions_with_groups)
{
    step.kind = STEP_CONVOLUTION;
    step.convolution = (struct convolution_spec){.lhs = DTYPE_F32,
                                                 .rhs = DTYPE_F32,
                                                 .out = DTYPE_F32,
                                                 .spatial = 1,
                                                 .batch = 2,
                                                 .in_features = 4,
                                                 .out_features = 4,
                                                 .feature_groups = 2,
                                                 .batch_groups = 1,
                                                 .in = {2},
                                                 .kernel = {2},
                                                 .out_size = {2},
                                                 .lhs_batch_stride = 8,
                                                 .lhs_feature_stride = 2,
                                                 .lhs_stride = {1},
                                                 .rhs_in_stride = 8,
                                                 .rhs_out_stride = 2,
                                                 .rhs_stride = {1},
                                                 .out_batch_stride = 8,
                                                 .out_feature_stride = 2,
                                                 .out_stride = {1}};
    cr_expect(good());
    step.convolution.feature_groups = 1; /* the kernel would be twice as large */
    cr_expect_not(good());
    step.convolution.feature_groups = 0;
    cr_expect_not(good());
}

Test(program_check, control_flow_and_what_is_inside)
{
    struct step inner = step;
    slices[0].size = 3;
    step = (struct step){.kind = STEP_CASE, .label = "case", .slice_count = 1, .slices = slices};
    struct step_list branch = {1, &inner};
    step.branch.count = 1;
    step.branch.branches = &branch;
    inner.slices = (struct slice[]){{0, 0, 64}, {2, 64, 64}, {1, 0, 64}};
    cr_expect_not(good());
    slices[0].size = 4;
    cr_expect(good());
    inner.kind = STEP_KERNEL;
    inner.kernel.index = 1;
    cr_expect_not(good());
    inner.kernel.index = 0;
    cr_expect(good());
    step.kind = STEP_WHILE;
    step.loop.condition = step.loop.body = branch;
    cr_expect(good());
    step.kind = (enum step_kind)99;
    cr_expect_not(good());
}
