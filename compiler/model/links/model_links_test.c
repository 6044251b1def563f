/* Tests of model_links.h: the formulas on lines, rings and boxes. A link sends a byte a second. */
#include "compiler/model/links/model_links.h"

#include <criterion/criterion.h>

enum { MAX = 256 };

static struct accelerator accelerator;
static struct target target;
static struct module module;
static struct model_links links;
static int offsets[2], members[MAX];
static struct program_groups groups;

static void begin(void)
{
    accelerator = (struct accelerator){.devices_per_chip = 1, .links = 4, .link_rate = 1};
    target = (struct target){.accelerator = &accelerator, .interconnect = {{4, 4, 1}, 1}};
    module = (struct module){.num_replicas = 1, .num_partitions = 16};
    cr_assert_null(arena_create(&module.arena));
    links = (struct model_links){.module = &module, .target = &target};
    offsets[0] = offsets[1] = 0;
    groups = (struct program_groups){.group_count = 1, .offsets = offsets, .members = members};
}

static void end(void)
{
    arena_destroy(module.arena);
}

TestSuite(model_links, .init = begin, .fini = end);

static void member(int id)
{
    members[offsets[1]++] = id;
    groups.member_count = offsets[1];
}

static void row(int count, int step)
{
    for (int i = 0; i < count; i++)
        member(i * step);
}

/* The tests change groups, topology and rates in place. */
static double seconds(enum op_code code, double bytes)
{
    struct op op = {.code = code};
    links.uses = NULL;
    return model_links_seconds(&links, &op, &groups, bytes);
}

static double permuted(int64_t rows, const int64_t *pairs, double bytes)
{
    struct op op = {.code = OP_collective_permute};
    op.attrs.collective_permute.source_target_pairs = (struct pairs){.rows = rows, .at = pairs};
    links.uses = NULL;
    return model_links_seconds(&links, &op, &groups, bytes);
}

Test(model_links, one_alone_sends_nothing)
{
    row(1, 1);
    cr_expect_eq(seconds(OP_all_reduce, 100), 0);
}

Test(model_links, the_end_of_a_line_has_one_link)
{
    row(4, 1);
    cr_expect_float_eq(seconds(OP_all_gather, 4), 12, 1e-9);
    cr_expect_float_eq(seconds(OP_reduce_scatter, 16), 12, 1e-9);
    cr_expect_float_eq(seconds(OP_all_reduce, 16), 24, 1e-9);
    cr_expect_float_eq(seconds(OP_all_to_all, 16), 16, 1e-9);
}

Test(model_links, a_ring_has_two_directions)
{
    accelerator.ring_size = 4;
    row(4, 1);
    cr_expect_float_eq(seconds(OP_all_gather, 4), 6, 1e-9);
    cr_expect_float_eq(seconds(OP_all_to_all, 16), 8, 1e-9);
}

Test(model_links, a_cube_is_a_torus_only_as_a_whole)
{
    accelerator.ring_size = 4;
    accelerator.links = 6;
    row(4, 1);
    cr_expect_float_eq(seconds(OP_all_gather, 4), 12, 1e-9, "4x4x1 is no cube");
}

Test(model_links, a_box_uses_both_axes)
{
    for (int i = 0; i < 16; i++)
        member(i);
    cr_expect_float_eq(seconds(OP_all_gather, 2), 15, 1e-9);
}

Test(model_links, members_that_are_apart_share_links)
{
    row(2, 2);
    cr_expect_float_eq(seconds(OP_all_gather, 4), 8, 1e-9, "4 bytes over links of two groups");
}

Test(model_links, hops_add_up)
{
    accelerator.hop_seconds = 100;
    row(4, 1);
    cr_expect_float_eq(seconds(OP_all_gather, 4), 312, 1e-9);
    accelerator.ring_size = 4;
    cr_expect_float_eq(seconds(OP_all_gather, 4), 206, 1e-9);
}

Test(model_links, cores_of_a_chip_share_its_links)
{
    accelerator.devices_per_chip = 2;
    accelerator.core_link_rate = 8;
    row(4, 2);
    cr_expect_float_eq(seconds(OP_all_gather, 4), 24, 1e-9, "the other cores do the same");
    begin();
    accelerator.devices_per_chip = 2;
    accelerator.core_link_rate = 8;
    row(8, 1);
    cr_expect_float_eq(seconds(OP_all_gather, 2), 13, 1e-9, "12 of 16 by links, 8 between cores");
}

Test(model_links, slices_use_the_network)
{
    static const int64_t assignment[] = {100000, 200000};
    target.interconnect.slices = 2;
    accelerator.network_rate = 0.5;
    module.num_partitions = 2;
    module.device_assignment = assignment;
    row(2, 1);
    cr_expect_float_eq(seconds(OP_all_gather, 4), 8, 1e-9);
}

Test(model_links, a_permute_waits_for_its_busiest_link)
{
    static const int64_t neighbors[] = {0, 1, 1, 2, 2, 3};
    static const int64_t crossing[] = {0, 3, 1, 2};
    static const int64_t around[] = {3, 0};
    accelerator.hop_seconds = 100;
    cr_expect_float_eq(permuted(3, neighbors, 5), 105, 1e-9);
    cr_expect_float_eq(permuted(3, neighbors, 5), 105, 1e-9, "the same again");
    cr_expect_float_eq(permuted(2, crossing, 5), 310, 1e-9);
    cr_expect_float_eq(permuted(1, around, 5), 305, 1e-9);
    accelerator.ring_size = 4;
    cr_expect_float_eq(permuted(1, around, 5), 105, 1e-9);
}

Test(model_links, assigned_ids_may_be_any)
{
    static const int64_t assignment[] = {-5, INT64_MAX, INT64_MIN, 1 << 30};
    module.device_assignment = assignment;
    row(4, 1);
    cr_expect_geq(seconds(OP_all_reduce, 4), 0);
    target.interconnect.slices = 3;
    cr_expect_geq(seconds(OP_all_reduce, 4), 0);
}

Test(model_links, an_unknown_topology_is_a_line)
{
    static const int64_t pairs[] = {0, 9};
    target.interconnect.bounds[0] = 0;
    row(4, 1);
    cr_expect_float_eq(seconds(OP_all_gather, 4), 12, 1e-9);
    cr_expect_float_eq(permuted(1, pairs, 5), 5, 1e-9);
}

Test(model_links, the_slowest_group_counts)
{
    static int two[] = {0, 1, 4, 6}, ends[] = {0, 2, 4};
    groups = (struct program_groups){.group_count = 2, .offsets = ends, .members = two};
    cr_expect_float_eq(seconds(OP_all_gather, 4), 8, 1e-9, "4 and 6 are two steps apart");
}

Test(model_links, groups_are_visited_once)
{
    struct op op = {.code = OP_all_gather};
    row(4, 1);
    cr_expect_float_eq(model_links_seconds(&links, &op, &groups, 4), 12, 1e-9);
    members[1] = members[2] = members[3] = 0;
    cr_expect_float_eq(model_links_seconds(&links, &op, &groups, 8), 24, 1e-9, "other bytes");
    op.code = OP_all_reduce;
    cr_expect_float_eq(model_links_seconds(&links, &op, &groups, 16), 24, 1e-9, "another kind");
}
