#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory/machine.h"
#include "memory/numa.h"

static char root[64];

/* Writes text to a file below root; creates its folders. */
static void record(const char *text, const char *format, int number)
{
    char path[256];
    int size = snprintf(path, sizeof path, "%s", root);
    snprintf(path + size, sizeof path - (size_t)size, format, number);
    for (char *slash = path + size + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    fprintf(file, "%s\n", text);
    fclose(file);
}

/* The /sys tree of a machine with 2 nodes of 4 cores each. */
static void record_machine(void)
{
    snprintf(root, sizeof root, "/tmp/gantry_numa_XXXXXX");
    cr_assert_not_null(mkdtemp(root));
    record("0-1", "/sys/devices/system/node/online", 0);
    record("0-1", "/sys/devices/system/node/possible", 0);
    record("0-7", "/sys/devices/system/cpu/online", 0);
    record("0-7", "/sys/devices/system/cpu/possible", 0);
    for (int node = 0; node < 2; node++) {
        char text[96];
        record(node ? "000000f0" : "0000000f", "/sys/devices/system/node/node%d/cpumap", node);
        record(node ? "20 10" : "10 20", "/sys/devices/system/node/node%d/distance", node);
        snprintf(text, sizeof text, "Node %d MemTotal:       %d kB", node, 1048576 * (node + 1));
        record(text, "/sys/devices/system/node/node%d/meminfo", node);
    }
    for (int cpu = 0; cpu < 8; cpu++) {
        char mask[16], number[16];
        snprintf(mask, sizeof mask, "%08x", 1U << cpu);
        snprintf(number, sizeof number, "%d", cpu);
        record(cpu < 4 ? "0000000f" : "000000f0",
               "/sys/devices/system/cpu/cpu%d/topology/core_siblings", cpu);
        record(mask, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings", cpu);
        record(number, "/sys/devices/system/cpu/cpu%d/topology/core_id", cpu);
        record(cpu < 4 ? "0" : "1", "/sys/devices/system/cpu/cpu%d/topology/physical_package_id",
               cpu);
        record("1", "/sys/devices/system/cpu/cpu%d/online", cpu);
    }
    setenv("GANTRY_SYSFS_ROOT", root, 1);
}

static void forget_machine(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", root);
    cr_assert_eq(system(command), 0);
}

Test(numa, recorded_machine_with_two_nodes)
{
    int cpus[8], one;
    record_machine();
    int count = numa_count();
    forget_machine();
    cr_assert_eq(count, 2);
    cr_assert_eq(numa_node_of_cpu(3), 0);
    cr_assert_eq(numa_node_of_cpu(4), 1);
    cr_assert_eq(numa_node_of_cpu(99), 0);
    cr_assert_eq(numa_cpus(1, cpus, 8), 4);
    cr_assert_eq(cpus[0], 4);
    cr_assert_eq(cpus[3], 7);
    cr_assert_eq(numa_cpus(1, &one, 1), 4);
    cr_assert_eq(numa_cpus(2, cpus, 8), 0);
    cr_assert_eq(numa_memory(1), 2ULL << 30);
    cr_assert_not(numa_bind(cpus, sizeof cpus, 1));
}

/* The same tree as lists. Nothing is read from the processor that runs the test. */
Test(numa, recorded_tree_as_a_machine)
{
    struct machine machine;
    record_machine();
    struct error *error = machine_read(&machine);
    forget_machine();
    cr_assert_null(error);
    cr_expect(machine.recorded);
    cr_expect_eq(machine.package_count, 2);
    cr_expect_eq(machine.node_count, 2);
    cr_expect_eq(machine.core_count, 8);
    cr_expect_eq(machine.cache_count, 0);
    cr_expect_eq(machine.bytes, 3ULL << 30);
    for (int i = 0; i < machine.core_count; i++)
        cr_expect_eq(machine.cores[i].node, i / 4);
    machine_free(&machine);
}

Test(numa, this_machine)
{
    int cpus[1024];
    unsetenv("GANTRY_SYSFS_ROOT");
    cr_assert_geq(numa_count(), 1);
    cr_assert_gt(numa_cpus(0, cpus, 1024), 0);
    cr_assert_gt(numa_memory(0), 0);
    cr_assert_lt(numa_node_here(), numa_count());
    cr_assert_eq(numa_cpus(-1, cpus, 1024), 0);
}

Test(numa, unknown_machine_is_one_node)
{
    setenv("GANTRY_SYSFS_ROOT", "/nonexistent", 1);
    cr_assert_eq(numa_count(), 1);
    cr_assert_eq(numa_node_of_cpu(5), 0);
}
