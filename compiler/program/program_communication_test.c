/* program_communication_test.c: bytes of each kind of collective, by hand-built groups. */
#include "compiler/program/program_communication.h"

#include <criterion/criterion.h>

#include "base/alloc.h"

static int offsets[] = {0, 3, 4}, members[] = {2, 0, 1, 3}, sources[] = {1, 2, -1, 0};
static struct program_groups groups = {2, 4, offsets, members, sources};
static int64_t dims[] = {5, 6};
static struct collective_array array = {DTYPE_F32, 2, 1, 1, 30, dims};
static struct step steps[2];
static struct program program = {.num_replicas = 1,
                                 .num_partitions = 4,
                                 .group_count = 1,
                                 .groups = &groups,
                                 .collective_count = 1};

static double sent(enum collective_kind kind)
{
    struct program_communication *list;
    int count;
    steps[0] = (struct step){.kind = STEP_COLLECTIVE,
                             .collective = {.kind = kind, .array_count = 1, .arrays = &array}};
    program.steps = (struct step_list){1, steps};
    cr_assert_null(program_communication(&program, &list, &count));
    cr_expect_eq(list->bytes, 120);
    double bytes = list->sent;
    alloc_free(list);
    return bytes;
}

/* Groups of 3 and 1; two pairs of different members. */
Test(program_communication, bytes_of_each_kind)
{
    cr_expect_eq(sent(COLLECTIVE_ALL_REDUCE), 2 * 2 * 120 / 4.0);
    cr_expect_eq(sent(COLLECTIVE_ALL_GATHER), 3 * 2 * 120 / 4.0);
    cr_expect_eq(sent(COLLECTIVE_REDUCE_SCATTER), 2 * 120 / 4.0);
    cr_expect_eq(sent(COLLECTIVE_ALL_TO_ALL), 2 * 120 / 4.0);
    cr_expect_eq(sent(COLLECTIVE_BROADCAST), 2 * 120 / 4.0);
    cr_expect_eq(sent(COLLECTIVE_PERMUTE), 2 * 120 / 4.0);
}

Test(program_communication, loops_multiply_and_unknown_ones_count_once)
{
    struct program_communication *list;
    int count;
    double bytes;
    sent(COLLECTIVE_ALL_GATHER);
    steps[1] = (struct step){.kind = STEP_WHILE};
    steps[1].loop.condition = steps[1].loop.body = program.steps;
    steps[1].loop.trip_count = 10;
    program.steps = (struct step_list){1, &steps[1]};
    program.collective_count = 2;
    cr_assert_null(program_communication(&program, &list, &count));
    cr_expect_eq(list[0].times, 11);
    cr_expect_eq(list[1].times, 10);
    cr_expect_eq(list[1].step, 2);
    alloc_free(list);
    steps[1].loop.trip_count = -1;
    cr_assert_null(program_communication(&program, &list, &count));
    cr_expect_eq(list[1].times, 1);
    cr_expect_not(list[1].is_exact);
    alloc_free(list);
    cr_assert_null(program_communication_bytes(&program, &bytes));
    cr_expect_eq(bytes, 3 * 180);
}

Test(program_communication, names_are_those_of_hlo)
{
    cr_expect_str_eq(program_communication_name(COLLECTIVE_PERMUTE), "collective-permute");
    cr_expect_str_eq(program_communication_name(COLLECTIVE_BROADCAST), "collective-broadcast");
    cr_expect_str_eq(program_communication_name(COLLECTIVE_PARTITION_ID), "partition-id");
}
