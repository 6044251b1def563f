/* Programs of one product: indices that move its operands stay in the allocations. */
#include "compiler/program/program_check.h"

#include <criterion/criterion.h>

static int64_t dims[] = {4, 4}, minor_to_major[] = {1, 0};
static struct program_value in, out;
static struct allocation allocations[] = {
    {ALLOCATION_PARAMETER, 0, 64, MEMORY_DEVICE}, {ALLOCATION_RESULT, 0, 64, MEMORY_DEVICE},
    {ALLOCATION_CONSTANTS, 0, 0, MEMORY_DEVICE},  {ALLOCATION_TEMP, 0, 128, MEMORY_DEVICE},
    {ALLOCATION_TEMP, 0, 0, MEMORY_PINNED_HOST},  {ALLOCATION_TEMP, 0, 0, MEMORY_UNPINNED_HOST}};
static char name[] = "kernel", *kernel_names[] = {name};
static struct slice slices[3];
static struct step step;
static struct program program;

/* out[4, 4] = in[4, 4] * temp[4, 4] */
static void setup(void)
{
    in = out = (struct program_value){
        .shape = {.dtype = DTYPE_F32, .rank = 2, .dims = dims, .minor_to_major = minor_to_major},
        .bytes = 64,
        .alias = -1};
    slices[0] = (struct slice){0, 0, 64};
    slices[1] = (struct slice){3, 0, 64};
    slices[2] = (struct slice){1, 0, 64};
    step = (struct step){.kind = STEP_DOT,
                         .label = name,
                         .slice_count = 3,
                         .operand_count = 2,
                         .slices = slices,
                         .dot = {.lhs = DTYPE_F32,
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
                                 .out_n_stride = 1}};
    program = (struct program){.name = name,
                               .num_replicas = 1,
                               .num_partitions = 1,
                               .parameter_count = 1,
                               .result_count = 1,
                               .parameters = &in,
                               .results = &out,
                               .allocation_count = 6,
                               .allocations = allocations,
                               .plan_count = 1,
                               .kernel_count = 1,
                               .kernel_names = kernel_names,
                               .object = name,
                               .steps = {1, &step}};
}

TestSuite(program_check_offset, .init = setup);

static bool good(void)
{
    struct error *error = program_check(&program);
    const bool passed = !error;
    cr_expect(passed || error_code(error) == PJRT_Error_Code_INTERNAL);
    error_free(error);
    return passed;
}

/* An index in [0, last] moves the right side inside of the 128 bytes of temporaries. */
Test(program_check_offset, slices_that_indices_move_stay_in_allocations)
{
    struct slice_offset offsets[2] = {
        {.slice = 1, .dtype = DTYPE_S32, .index = {0, 60, 4}, .last = 1, .stride = 64}};
    step.offset_count = 1, step.offsets = offsets;
    cr_expect(good());
    offsets[0].last = 2;
    cr_expect_not(good(), "the end of the allocation");
    offsets[0].last = INT64_MAX;
    cr_expect_not(good(), "overflow");
    offsets[0].last = -1;
    cr_expect_not(good());
    offsets[0].last = 1, offsets[0].stride = -64;
    cr_expect_not(good());
    offsets[0].stride = 64, offsets[0].index.size = 2;
    cr_expect_not(good(), "half an index");
    offsets[0].index = (struct slice){9, 0, 4};
    cr_expect_not(good());
    offsets[0].index = (struct slice){0, 60, 4}, offsets[0].dtype = DTYPE_F32;
    cr_expect_not(good());
    offsets[0].dtype = DTYPE_COUNT;
    cr_expect_not(good());
    offsets[0].dtype = DTYPE_S32, offsets[0].slice = 2;
    cr_expect_not(good(), "the result");
    offsets[0].slice = 1, offsets[1] = offsets[0], step.offset_count = 2;
    cr_expect_not(good(), "both together");
    offsets[0].stride = offsets[1].stride = 32;
    cr_expect(good());
    offsets[1].slice = 0;
    cr_expect_not(good(), "in the order of slices");
    step.offset_count = -1;
    cr_expect_not(good());
}

/* Copies compare their slices, which may not overlap; kernels have constant addresses. */
Test(program_check_offset, only_steps_of_libraries_have_offsets)
{
    struct slice_offset offset = {.slice = 0, .dtype = DTYPE_S32, .index = {0, 0, 4}};
    step.offset_count = 1, step.offsets = &offset;
    cr_expect(good());
    step.kind = STEP_KERNEL, step.plan = -1, program.plan_count = 0;
    step.kernel.index = 0, step.kernel.work = step.kernel.grain = 1;
    cr_expect_not(good());
    step.offset_count = 0;
    cr_expect(good());
}
