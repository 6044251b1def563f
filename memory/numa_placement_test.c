/* numa_placement_test.c: the nodes assigned to devices on recorded machines. A process loads one
 * machine, so each machine has its own test. */
#include "memory/numa_placement.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "memory/numa.h"

static void use(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "memory/testdata/machines/%s", name);
    setenv("GANTRY_SYSFS_ROOT", path, 1);
}

/* Checks that the nodes of `count` devices are `nodes`; -1 for a device with several. */
static void expect_nodes(int count, const int *nodes)
{
    for (int i = 0; i < count; i++) {
        struct numa_placement placement = numa_placement_of(i, count);
        const struct hostmem_place *memory = placement.memory;
        int host = placement.nodes > 1 ? HOSTMEM_INTERLEAVED : nodes[i];
        cr_expect_eq(placement.node, nodes[i], "device %d of %d: node %d", i, count,
                     placement.node);
        cr_expect_eq(memory[MEMORY_DEVICE].node, nodes[i]);
        cr_expect_eq(memory[MEMORY_PINNED_HOST].node, host);
        cr_expect_eq(memory[MEMORY_UNPINNED_HOST].node, nodes[i]);
        cr_expect(memory[MEMORY_PINNED_HOST].pinned && !memory[MEMORY_DEVICE].pinned &&
                  !memory[MEMORY_UNPINNED_HOST].pinned);
    }
}

Test(numa_placement, one_node)
{
    use("1-node");
    cr_assert_eq(numa_count(), 1);
    expect_nodes(1, (int[]){-1});
    expect_nodes(4, (int[]){-1, -1, -1, -1});
    cr_expect_eq(numa_placement_of(0, 1).nodes, 1);
}

Test(numa_placement, two_nodes)
{
    use("2-nodes");
    cr_assert_eq(numa_count(), 2);
    expect_nodes(1, (int[]){-1});
    cr_expect_eq(numa_placement_of(0, 1).nodes, 2);
    expect_nodes(2, (int[]){0, 1});
    expect_nodes(3, (int[]){0, 0, 1});
    expect_nodes(8, (int[]){0, 0, 0, 0, 1, 1, 1, 1});
}

Test(numa_placement, four_nodes)
{
    use("4-nodes");
    expect_nodes(1, (int[]){-1});
    expect_nodes(2, (int[]){-1, -1});
    cr_expect_eq(numa_placement_of(1, 2).first, 2);
    cr_expect_eq(numa_placement_of(1, 2).nodes, 2);
    expect_nodes(3, (int[]){0, 1, -1});
    expect_nodes(4, (int[]){0, 1, 2, 3});
    expect_nodes(8, (int[]){0, 0, 1, 1, 2, 2, 3, 3});
}

Test(numa_placement, eight_nodes)
{
    use("8-nodes");
    expect_nodes(8, (int[]){0, 1, 2, 3, 4, 5, 6, 7});
    expect_nodes(4, (int[]){-1, -1, -1, -1});
    cr_expect_eq(numa_placement_of(3, 4).first, 6);
}

/* Nodes without cores are not assigned to devices. */
Test(numa_placement, memory_only_nodes)
{
    use("memory-only");
    cr_assert_eq(numa_count(), 4);
    for (int i = 0; i < 2; i++) {
        struct numa_placement placement = numa_placement_of(i, 2);
        cr_expect_eq(placement.nodes, 1);
        cr_expect_eq(numa_memory(placement.node), 64ULL << 30);
        cr_expect_eq(placement.node, numa_node_of_cpu(4 * i));
    }
    cr_expect_eq(numa_placement_of(0, 1).nodes, 2);
}

/* A container that has one node of two: everything is on that node. */
Test(numa_placement, control_group_with_one_node)
{
    use("cpuset");
    cr_assert_eq(numa_count(), 2);
    expect_nodes(1, (int[]){1});
    expect_nodes(2, (int[]){1, 1});
    cr_expect_eq(numa_placement_of(0, 1).memory[MEMORY_PINNED_HOST].node, 1);
}

Test(numa_placement, cores_that_are_offline)
{
    int cpus[16];
    use("offline");
    expect_nodes(2, (int[]){0, 1});
    cr_expect_eq(numa_cpus(0, cpus, 16), 6);
    cr_expect_eq(numa_cpus(1, cpus, 16), 2);
    cr_expect_eq(cpus[0], 14);
}

/* Device numbers at the ends of the allowed range. */
Test(numa_placement, many_devices)
{
    use("8-nodes");
    cr_expect_eq(numa_placement_of(1023, 1024).node, 7);
    cr_expect_eq(numa_placement_of(0, 1024).node, 0);
    cr_expect_eq(numa_placement_of(128, 1024).node, 1);
}

/* On a recorded machine nothing is bound, and the requests are counted as refused. */
Test(numa_placement, recorded_machines_bind_nothing)
{
    struct hostmem_mapping mapping;
    struct hostmem_stats stats;
    struct hostmem_place near = {1, false}, spread = {HOSTMEM_INTERLEAVED, false};
    use("2-nodes");
    cr_assert_null(hostmem_map(4096, &near, &mapping));
    cr_expect_not(mapping.bound);
    hostmem_unmap(&mapping);
    cr_assert_null(hostmem_map(4096, &spread, &mapping));
    cr_expect_not(mapping.bound);
    hostmem_unmap(&mapping);
    hostmem_stats(&stats);
    cr_expect_eq(stats.bind_refused, 8192);
    cr_expect_not(numa_run_near(1));
    numa_run_anywhere();
}

/* Memory that the process may use: all allowed nodes together, or the control group's limit. */
Test(numa_placement, limit_of_two_nodes)
{
    use("2-nodes");
    cr_expect_eq(hostmem_limit(), 128ULL << 30);
}

Test(numa_placement, limit_of_one_allowed_node)
{
    use("cpuset");
    cr_expect_eq(hostmem_limit(), 64ULL << 30);
}

Test(numa_placement, limit_of_a_control_group)
{
    use("quota");
    cr_expect_eq(hostmem_limit(), 16ULL << 30);
}
