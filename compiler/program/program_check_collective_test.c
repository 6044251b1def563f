/* Hand-built collectives: valid ones pass, and each kind of damage is found. */
#include "compiler/program/program_check_collective.h"

#include <criterion/criterion.h>

static int offsets[3], members[4], sources[4];
static struct program_groups groups;
static struct collective_array array;
static int64_t dims[3];
static struct slice slices[2];
static struct step step;
static struct program program;

/* Two groups of two, which gather [3][2] f32 to [3][2][2]. */
static void setup(void)
{
    for (int i = 0; i < 4; i++)
        members[i] = i, sources[i] = i % 2;
    for (int i = 0; i < 3; i++)
        offsets[i] = 2 * i;
    groups = (struct program_groups){2, 4, offsets, members, sources};
    dims[0] = 3, dims[1] = 1, dims[2] = 2;
    array = (struct collective_array){DTYPE_F32, 3, 3, 1, 2, dims};
    slices[0] = (struct slice){0, 0, 24}, slices[1] = (struct slice){1, 0, 48};
    step = (struct step){
        .kind = STEP_COLLECTIVE, .slice_count = 2, .operand_count = 1, .slices = slices};
    step.collective = (struct collective_spec){.kind = COLLECTIVE_ALL_GATHER,
                                               .parts = 2,
                                               .dimension = 1,
                                               .array_count = 1,
                                               .arrays = &array};
    program = (struct program){
        .num_replicas = 2, .num_partitions = 2, .group_count = 1, .groups = &groups};
}

TestSuite(program_check_collective, .init = setup);

static bool good(void)
{
    struct error *error = program_check_groups(&program);
    bool passed = !error;
    error_free(error);
    return passed && program_check_collective(&program, &step);
}

#define EXPECT_BAD(field, value)                                                                   \
    do {                                                                                           \
        setup();                                                                                   \
        field = value;                                                                             \
        cr_expect_not(good(), "%s = %s", #field, #value);                                          \
    } while (0)

Test(program_check_collective, groups)
{
    cr_expect(good());
    EXPECT_BAD(members[1], 0);
    EXPECT_BAD(members[1], 4);
    EXPECT_BAD(members[1], -1);
    EXPECT_BAD(offsets[0], 1);
    EXPECT_BAD(offsets[1], 4);
    EXPECT_BAD(offsets[1], -1);
    EXPECT_BAD(offsets[2], 3);
    EXPECT_BAD(sources[3], 2);
    EXPECT_BAD(sources[3], -2);
    EXPECT_BAD(groups.group_count, -1);
    EXPECT_BAD(groups.offsets, NULL);
    EXPECT_BAD(groups.members, NULL);
    EXPECT_BAD(groups.sources, NULL);
    EXPECT_BAD(program.num_partitions, 1);
    EXPECT_BAD(program.num_partitions, 3);
}

Test(program_check_collective, steps)
{
    cr_expect(good());
    EXPECT_BAD(slices[0].size, 23);
    EXPECT_BAD(slices[1].size, 47);
    EXPECT_BAD(array.outer, -1);
    EXPECT_BAD(array.rank, 2 * SHAPE_MAX_RANK);
    EXPECT_BAD(array.rank, -1);
    EXPECT_BAD(array.dims, NULL);
    EXPECT_BAD(dims[0], 4);
    EXPECT_BAD(dims[0], -3);
    EXPECT_BAD(dims[1], INT64_MAX);
    EXPECT_BAD(step.collective.dimension, 3);
    EXPECT_BAD(step.collective.dimension, -1);
    EXPECT_BAD(array.inner, INT64_MAX);
    EXPECT_BAD(array.middle, INT64_C(1) << 61);
    EXPECT_BAD(array.dtype, DTYPE_TOKEN);
    EXPECT_BAD(array.dtype, DTYPE_COUNT);
    EXPECT_BAD(step.collective.parts, 1);
    EXPECT_BAD(step.collective.parts, 0);
    EXPECT_BAD(step.collective.groups, 1);
    EXPECT_BAD(step.collective.groups, -1);
    EXPECT_BAD(step.collective.array_count, 2);
    EXPECT_BAD(step.collective.array_count, -1);
    EXPECT_BAD(step.operand_count, 2);
    EXPECT_BAD(step.collective.kind, 99);
    EXPECT_BAD(step.collective.kind, COLLECTIVE_PARTITION_ID);
    EXPECT_BAD(step.collective.kind, COLLECTIVE_REDUCE_SCATTER);
}

Test(program_check_collective, reducers)
{
    setup();
    step.collective.kind = COLLECTIVE_ALL_REDUCE;
    cr_expect(good());
    step.collective.reducer = REDUCER_XOR;
    cr_expect_not(good(), "of floats");
    array.dtype = DTYPE_U32;
    cr_expect(good());
    step.collective.reducer = (enum collective_reducer)7;
    cr_expect_not(good());
}
