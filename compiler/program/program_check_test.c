/* Hand-built programs: valid ones pass, and each kind of error is found. */
#include "compiler/program/program_check.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static int64_t dims[2], minor_to_major[2];
static struct program_value in, out;
static struct allocation allocations[6];
static char name[] = "kernel", *kernel_names[] = {name};
static struct slice slices[3];
static struct step step;
static struct program program;

/* out[4, 4] = in[4, 4] * temp[4, 4] */
static void setup(void)
{
    static const struct allocation all[] = {{ALLOCATION_PARAMETER, 0, 64, MEMORY_DEVICE},
                                            {ALLOCATION_RESULT, 0, 64, MEMORY_DEVICE},
                                            {ALLOCATION_CONSTANTS, 0, 0, MEMORY_DEVICE},
                                            {ALLOCATION_TEMP, 0, 128, MEMORY_DEVICE},
                                            {ALLOCATION_TEMP, 0, 0, MEMORY_PINNED_HOST},
                                            {ALLOCATION_TEMP, 0, 0, MEMORY_UNPINNED_HOST}};
    memcpy(allocations, all, sizeof all);
    dims[0] = dims[1] = 4;
    minor_to_major[0] = 0, minor_to_major[1] = 1;
    in = out = (struct program_value){
        .shape = {.dtype = DTYPE_F32, .rank = 2, .dims = dims}, .bytes = 64, .alias = -1};
    slices[0] = (struct slice){0, 0, 64};
    slices[1] = (struct slice){3, 64, 64};
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

TestSuite(program_check, .init = setup);

static bool good(void)
{
    struct error *error = program_check(&program);
    bool passed = !error;
    cr_expect(passed || error_code(error) == PJRT_Error_Code_INTERNAL);
    error_free(error);
    return passed;
}

/* A product of an operand with itself whose right-hand side is missing has two slices. */
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
    step.dot.n = 0; /* an empty side accesses no memory, but lhs is not empty */
    cr_expect_not(good());
    step.dot.m = 0;
    cr_expect(good());
    step.plan = 1;
    cr_expect_not(good());
}

/* An operand that repeats one element fits in any slice, but may have to be copied. */
Test(program_check, operands_of_a_product_have_sizes)
{
    step.dot.lhs_m_stride = step.dot.lhs_k_stride = step.dot.rhs_k_stride = 0;
    step.dot.k = 1000;
    cr_expect(good());
    step.dot.k = (int64_t)1 << 40;
    cr_expect_not(good());
}

Test(program_check, slices_lie_in_allocations)
{
    slices[1].offset = 65;
    cr_expect_not(good());
    slices[1].offset = UINT64_MAX;
    cr_expect_not(good());
    slices[1] = (struct slice){7, 0, 64};
    cr_expect_not(good());
    slices[1] = (struct slice){-1, 0, 64};
    cr_expect_not(good());
    slices[1] = (struct slice){3, 0, 64};
    cr_expect(good());
    allocations[3].size = 63;
    cr_expect_not(good());
    allocations[3].size = 128;
    slices[1] = (struct slice){4, 0, 64};
    cr_expect_not(good());
    allocations[4].size = 64;
    cr_expect(good());
    slices[1].allocation = 3;
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
                                                 .stride = {1},
                                                 .lhs_dilation = {1},
                                                 .rhs_dilation = {1},
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
    step.convolution.feature_groups = 2;
    step.convolution.rhs_dilation[0] = 0;
    cr_expect_not(good());
    step.convolution.rhs_dilation[0] = 1;
    step.convolution.spatial = 4;
    cr_expect_not(good());
}

Test(program_check, costs)
{
    program.cost = 2, program.expected_cost = 2;
    cr_expect(good());
    program.expected_cost = 3;
    cr_expect_not(good());
    program.expected_cost = -1;
    cr_expect_not(good());
    program.cost = -1;
    cr_expect_not(good());
    program.cost = 0, program.expected_cost = 0;
    program.analysis.flops = NAN;
    cr_expect_not(good());
    program.analysis.flops = 0, step.analysis.bytes_accessed = -1;
    cr_expect_not(good());
}

/* A program around one step that is replaced. */
Test(program_check, control_flow_and_what_is_inside)
{
    struct slice predicate = {0, 0, 3};
    struct step inner = {.kind = STEP_KERNEL,
                         .label = "kernel",
                         .slice_count = 3,
                         .operand_count = 2,
                         .slices = slices,
                         .plan = -1,
                         .kernel = {.index = 1, .work = 1, .grain = 1}};
    program.plan_count = 0;
    step = (struct step){.kind = STEP_CASE,
                         .label = "case",
                         .slice_count = 1,
                         .operand_count = 1,
                         .slices = &predicate,
                         .plan = -1};
    struct step_list branch = {1, &inner};
    step.branch.count = 1;
    step.branch.branches = &branch;
    cr_expect_not(good());
    predicate.size = 4;
    cr_expect_not(good());
    inner.kernel.index = 0;
    cr_expect(good());
    inner.kernel.grain = 0;
    cr_expect_not(good());
    inner.kernel.grain = 1;
    step.kind = STEP_WHILE;
    step.loop.condition = step.loop.body = branch;
    cr_expect(good());
    step.kind = (enum step_kind)99;
    cr_expect_not(good());
}

Test(program_check, parameters_and_constants_are_not_written)
{
    slices[2] = (struct slice){0, 0, 64};
    cr_expect_not(good());
    slices[2] = (struct slice){3, 0, 64};
    cr_expect(good());
}

Test(program_check, the_boundary)
{
    struct program_value *values[] = {&in, &out};
    for (int i = 0; i < 2; i++) {
        const struct program_value before = *values[i];
        struct program_value *value = values[i];
#define WRONG(field, wrong)                                                                        \
    do {                                                                                           \
        value->field = (wrong);                                                                    \
        cr_expect_not(good(), "%s = %s", #field, #wrong);                                          \
        *value = before;                                                                           \
    } while (0)
        WRONG(shape.dtype, (enum dtype)1000);
        WRONG(shape.dtype, DTYPE_INVALID);
        WRONG(shape.dtype, DTYPE_TOKEN);
        WRONG(shape.dtype, DTYPE_F64);
        WRONG(shape.memory, (enum memory_kind)3);
        WRONG(shape.memory, (enum memory_kind) - 1);
        WRONG(shape.rank, 1);
        WRONG(shape.rank, -1);
        WRONG(shape.rank, SHAPE_MAX_RANK + 1);
        WRONG(bytes, 128);
        WRONG(alias, 0);
        WRONG(alias, 1);
        WRONG(alias, -2);
#undef WRONG
    }
    dims[0] = 3; /* without changing the size in bytes */
    cr_expect_not(good());
    dims[0] = dims[1] = INT64_C(1) << 40;
    cr_expect_not(good());
    dims[0] = dims[1] = 4;
    in.shape.minor_to_major = minor_to_major;
    cr_expect(good());
    minor_to_major[1] = 0;
    cr_expect_not(good());
    minor_to_major[1] = 2;
    cr_expect_not(good());
    in.shape.minor_to_major = NULL;
    in.alias = out.alias = 0;
    cr_expect(good());
    in.shape.memory = MEMORY_PINNED_HOST;
    cr_expect_not(good());
}

Test(program_check, devices_and_their_assignment)
{
    int64_t devices[4] = {3, 1, 0, 2};
    program.num_replicas = program.num_partitions = 65536; /* the product overflows int */
    cr_expect_not(good());
    program.num_replicas = 0;
    cr_expect_not(good());
    program.num_replicas = program.num_partitions = 2;
    cr_expect(good());
    program.device_assignment = devices;
    cr_expect_not(good());
    program.assignment_count = 3;
    cr_expect_not(good());
    program.assignment_count = 4;
    cr_expect(good());
    devices[3] = 3;
    cr_expect_not(good(), "a device twice");
}

Test(program_check, allocations_are_those_of_the_boundary)
{
    for (int i = 0; i < 6; i++) {
        const struct allocation before = allocations[i];
        allocations[i].size++;
        cr_expect(good() == (before.kind == ALLOCATION_TEMP));
        allocations[i].size = UINT64_MAX;
        cr_expect_not(good());
        allocations[i] = before;
        allocations[i].kind = (enum allocation_kind)((int)before.kind ^ 1);
        cr_expect_not(good());
        allocations[i] = before;
        allocations[i].memory = (enum memory_kind)((before.memory + 1) % MEMORY_KIND_COUNT);
        cr_expect_not(good());
        allocations[i] = before;
    }
    program.allocation_count = 5;
    cr_expect_not(good());
    program.allocation_count = 6;
    allocations[3].size = UINT64_C(1) << 63;
    cr_expect_not(good());
}

/* The program has one step. */
Test(program_check, the_memory_plan_is_inside_the_temporaries)
{
    char contents[] = "f32[4,4]";
    struct program_buffer buffers[2] = {{{3, 0, 64}, 0, 0, contents},
                                        {{3, 64, 64}, 0, 0, contents}};
    const struct program_buffer bad[] = {
        {{3, 65, 64}, 0, 0, contents},        {{3, UINT64_MAX, 2}, 0, 0, contents},
        {{3, 0, UINT64_MAX}, 0, 0, contents}, {{3, 0, 0}, 0, 0, contents},
        {{3, 0, 64}, 0, 1, contents},         {{3, 0, 64}, -1, 0, contents},
        {{3, 0, 64}, 1, 0, contents},         {{3, 0, 64}, 0, INT64_MAX, contents},
        {{4, 0, 64}, 0, 0, contents},         {{3, 0, 64}, 0, 0, NULL},
        {{0, 0, 64}, 0, 0, contents},         {{-1, 0, 64}, 0, 0, contents},
        {{7, 0, 64}, 0, 0, contents}};
    program.buffers = buffers;
    program.buffer_count = 2;
    cr_expect(good());
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        buffers[1] = bad[i];
        cr_expect_not(good(), "bad buffer %zu", i);
    }
    struct step more[] = {step, step};
    more[1].plan = 1;
    program.steps = (struct step_list){2, more};
    program.plan_count = 2;
    buffers[1] = (struct program_buffer){{1, 0, 64}, 0, 1, contents};
    cr_expect(good());
    buffers[0].first = buffers[0].last = 1; /* not sorted by `first` */
    cr_expect_not(good());
}

Test(program_check, a_plan_belongs_to_one_step)
{
    struct step steps[2] = {step, step};
    program.steps = (struct step_list){2, steps};
    program.plan_count = 2;
    cr_expect_not(good());
    steps[1].plan = 1;
    cr_expect(good());
    program.plan_count = 3;
    cr_expect_not(good());
}

Test(program_check, transfers_use_declared_channels)
{
    struct program_channel channels[] = {{1, false}, {2, true}};
    program.plan_count = 0;
    program.channel_count = 2;
    program.channels = channels;
    step = (struct step){.kind = STEP_SEND,
                         .label = "send",
                         .slice_count = 1,
                         .operand_count = 1,
                         .slices = slices,
                         .plan = -1,
                         .channel = 1};
    cr_expect(good());
    step.channel = 2;
    cr_expect_not(good());
    step.channel = 1;
    step.operand_count = 0;
    cr_expect_not(good());
    step.operand_count = 1;
    channels[0].id = 3;
    cr_expect_not(good());
}

static bool call_is_valid(struct call_value *values, struct call_attribute *attributes, int count)
{
    step.kind = STEP_CUSTOM_CALL;
    step.call = (struct call_spec){.target = name,
                                   .config = name,
                                   .operand_count = 2,
                                   .value_count = 3,
                                   .values = values,
                                   .attribute_count = count,
                                   .attributes = attributes};
    return good();
}

Test(program_check, custom_calls)
{
    struct call_value values[3], one = {.shape = {.dtype = DTYPE_F32, .rank = 2, .dims = dims}};
    for (int i = 0; i < 3; i++)
        values[i] = one, values[i].slice = i;
    char a[] = "a", b[] = "b";
    float number = 1;
    struct call_attribute attributes[2] = {{.name = a,
                                            .name_size = 1,
                                            .kind = CALL_SCALAR,
                                            .dtype = DTYPE_F32,
                                            .elements = 1,
                                            .data = &number,
                                            .size = 4},
                                           {.name = b, .name_size = 1, .kind = CALL_DICTIONARY}};
    cr_expect(call_is_valid(values, attributes, 2));
    values[1].slice = 0;
    cr_expect_not(call_is_valid(values, attributes, 2));
    values[1].slice = 1;
    values[1].shape.dtype = DTYPE_F64;
    cr_expect_not(call_is_valid(values, attributes, 2));
    values[1].shape.dtype = DTYPE_F32;
    attributes[0].size = 8;
    cr_expect_not(call_is_valid(values, attributes, 2));
    attributes[0].kind = CALL_ARRAY;
    attributes[0].elements = SIZE_MAX / 4 + 3; /* times 4 is 8 */
    cr_expect_not(call_is_valid(values, attributes, 2));
    attributes[0].elements = 2;
    cr_expect(call_is_valid(values, attributes, 2));
    attributes[0].name = b, attributes[1].name = a;
    cr_expect_not(call_is_valid(values, attributes, 2));
    attributes[1].name = b;
    attributes[1].name_size = 0; /* the NUL is not at that position */
    cr_expect_not(call_is_valid(values, attributes, 2));
}

/* ---- copies between memory kinds ------------------------------------------------------------- */
static struct step steps[4];

/* Copies one row of the parameter, 4 x 4 floats, to the temporaries, which also hold the two
 * indices. */
static void copy_setup(void)
{
    static struct slice at[4];
    at[0] = (struct slice){0, 0, 64};
    at[1] = (struct slice){3, 0, 4}, at[2] = (struct slice){3, 4, 4};
    at[3] = (struct slice){3, 64, 16};
    steps[0] = (struct step){.kind = STEP_COPY_START,
                             .label = "copy",
                             .plan = -1,
                             .slice_count = 4,
                             .operand_count = 3,
                             .slices = at};
    steps[0].copy = (struct copy_spec){.rank = 2,
                                       .is_indexed = true,
                                       .index = DTYPE_S32,
                                       .element = 4,
                                       .sizes = {1, 4},
                                       .dims = {4, 4}};
    steps[1] = (struct step){.kind = STEP_COPY_DONE, .label = "copy_done", .plan = -1};
    steps[2] = steps[0], steps[3] = steps[1];
    steps[2].copy.number = steps[3].copy.number = 1;
    program.steps = (struct step_list){2, steps};
    program.plan_count = 0;
    program.copy_count = 1;
}

Test(program_check, copies_stay_inside_of_their_arrays)
{
    copy_setup();
    cr_assert(good());
#define WRONG(field, value)                                                                        \
    do {                                                                                           \
        struct copy_spec saved = steps[0].copy;                                                    \
        steps[0].copy.field = (value);                                                             \
        cr_expect_not(good(), #field " = " #value);                                                \
        steps[0].copy = saved;                                                                     \
    } while (0)
    WRONG(rank, 1);
    WRONG(rank, 3);
    WRONG(rank, -1);
    WRONG(rank, COPY_MAX_RANK + 1);
    WRONG(element, 8);
    WRONG(element, -4);
    WRONG(sizes[0], 2);
    WRONG(sizes[0], 5);
    WRONG(sizes[1], -4);
    WRONG(dims[0], 3);
    WRONG(dims[0], INT64_MAX);
    WRONG(starts[0], -1);
    WRONG(starts[0], 4);
    WRONG(starts[1], 1);
    WRONG(updates, true);
    WRONG(is_indexed, false);
    WRONG(index, DTYPE_S64);
    WRONG(index, DTYPE_F32);
    WRONG(index, DTYPE_COUNT);
    WRONG(index, (enum dtype) - 1);
#undef WRONG
}

Test(program_check, copies_end_once_in_the_list_of_their_start)
{
    copy_setup();
    program.steps.count = 4, program.copy_count = 2;
    cr_assert(good());
    steps[3].copy.number = 0; /* twice */
    cr_expect_not(good());
    steps[3].copy.number = 2;
    cr_expect_not(good());
    steps[3].copy.number = -1;
    cr_expect_not(good());
    steps[3].copy.number = 1;
    program.steps.count = 3; /* the second is never awaited */
    cr_expect_not(good());
    program.steps.count = 4;
    steps[2].copy.number = 0;
    cr_expect_not(good());
    steps[2].copy.number = 1;
    program.copy_count = 3;
    cr_expect_not(good());
    program.copy_count = 2;
    struct step loop = {.kind = STEP_WHILE,
                        .label = "while",
                        .plan = -1,
                        .slice_count = 1,
                        .operand_count = 1,
                        .slices = steps[0].slices + 1,
                        .loop = {.body = {1, &steps[1]}}};
    struct step nested[] = {steps[0], loop}; /* started outside of the loop, awaited inside */
    program.steps = (struct step_list){2, nested};
    program.copy_count = 1;
    cr_expect_not(good());
}

/* out[4, 4] = softmax(in[4, 4] * in[4, 4]) * in[4, 4], with a mask in temp. */
static void attention_setup(struct slice *operands)
{
    struct dot_spec *scores = &step.attention.scores, *values = &step.attention.values;
    *values = step.dot;
    *scores = step.dot;
    scores->rhs_k_stride = 1, scores->rhs_n_stride = 4;
    step.attention.kernel = 0;
    step.attention.kernel_operands = 1;
    step.attention.scores_operand = 1;
    step.attention.mask_operand = 0;
    step.attention.mask_rows = 4;
    for (int i = 0; i < 3; i++)
        operands[i] = slices[0];
    operands[3] = (struct slice){3, 64, 16};
    operands[4] = slices[2];
    step.kind = STEP_ATTENTION;
    step.slices = operands;
    step.slice_count = 5, step.operand_count = 4;
}

Test(program_check, attention_stays_in_its_slices)
{
    struct slice operands[5];
    attention_setup(operands);
    cr_assert(good());
    for (int i = 0; i < 5; i++) {
        operands[i].size -= 4;
        cr_expect_not(good(), "slice %d", i);
        operands[i].size += 4;
    }
    step.attention.values.rhs = DTYPE_BF16;
    cr_expect_not(good());
    step.attention.values.rhs = DTYPE_F32;
    for (int kernel = -1; kernel <= 1; kernel++) {
        step.attention.kernel = kernel;
        cr_expect_eq(good(), kernel == 0);
    }
    step.attention.kernel = 0;
    step.slice_count = 4, step.operand_count = 3;
    cr_expect_not(good());
}
