/* machine_test.c: recorded machines (memory/testdata/machines, made by scripts/machines.py) as
 * lists, and the actual machine. */
#include "memory/machine.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

#define GIB (1ULL << 30)

static struct machine recorded(const char *name)
{
    struct machine machine;
    char path[128];
    snprintf(path, sizeof path, "memory/testdata/machines/%s", name);
    setenv("GANTRY_SYSFS_ROOT", path, 1);
    cr_assert_null(machine_read(&machine), "%s", name);
    cr_assert(machine.recorded);
    return machine;
}

static int allowed(const struct machine *machine)
{
    int count = 0;
    for (int i = 0; i < machine->cpu_count; i++)
        count += machine->cpus[i].allowed;
    return count;
}

Test(machine, recorded_machines)
{
    static const struct {
        const char *name;
        int packages, nodes, cores, cpus, allowed;
        uint64_t bytes;
    } expected[] = {
        {"1-node", 1, 1, 4, 8, 8, 32 * GIB},       {"2-nodes", 2, 2, 16, 16, 16, 128 * GIB},
        {"4-nodes", 2, 4, 16, 32, 32, 256 * GIB},  {"8-nodes", 2, 8, 32, 32, 32, 512 * GIB},
        {"memory-only", 2, 4, 8, 8, 8, 400 * GIB}, {"cpuset", 2, 2, 16, 16, 4, 128 * GIB},
        {"offline", 2, 2, 8, 16, 8, 128 * GIB},    {"quota", 2, 2, 16, 16, 16, 128 * GIB},
    };
    int64_t before = alloc_live();
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct machine machine = recorded(expected[i].name);
        cr_expect_eq(machine.package_count, expected[i].packages, "%s", expected[i].name);
        cr_expect_eq(machine.node_count, expected[i].nodes, "%s", expected[i].name);
        cr_expect_eq(machine.core_count, expected[i].cores, "%s", expected[i].name);
        cr_expect_eq(machine.cpu_count, expected[i].cpus, "%s", expected[i].name);
        cr_expect_eq(allowed(&machine), expected[i].allowed, "%s", expected[i].name);
        cr_expect_eq(machine.bytes, expected[i].bytes, "%s", expected[i].name);
        machine_free(&machine);
    }
    cr_expect_eq(alloc_live(), before);
}

Test(machine, cores_know_their_package_node_and_caches)
{
    struct machine machine = recorded("4-nodes");
    for (int i = 0; i < machine.core_count; i++) {
        const struct machine_core *core = &machine.cores[i];
        cr_expect_eq(core->package, i / 8);
        cr_expect_eq(core->node, i / 4);
        cr_expect_eq(machine.caches[core->caches[0]].bytes, 48 << 10);
        cr_expect_eq(machine.caches[core->caches[1]].bytes, 2 << 20);
        cr_expect_eq(machine.caches[core->caches[2]].bytes, 32 << 20);
        cr_expect_eq(core->caches[2], machine.cores[i / 4 * 4].caches[2], "shared by four");
        cr_expect_eq(core->caches[3], -1);
    }
    for (int i = 0; i < machine.cpu_count; i++) { /* one thread of each core, then the others */
        cr_expect_eq(machine.cpus[i].os_number, i);
        cr_expect_eq(machine.cpus[i].core, i % 16);
    }
    machine_free(&machine);
}

Test(machine, memory_without_cores)
{
    struct machine machine = recorded("memory-only");
    int with = 0;
    for (int i = 0; i < machine.node_count; i++) {
        const struct machine_node *node = &machine.nodes[i];
        with += node->has_cores;
        cr_expect_eq(node->has_cores, node->bytes == 64 * GIB);
        if (node->bytes == 16 * GIB)
            cr_expect_eq(node->package, 0);
        if (node->bytes == 256 * GIB)
            cr_expect_eq(node->package, -1);
    }
    cr_expect_eq(with, 2);
    for (int i = 0; i < machine.core_count; i++)
        cr_expect_eq(machine.nodes[machine.cores[i].node].bytes, 64 * GIB);
    machine_free(&machine);
}

Test(machine, what_the_process_may_not_use)
{
    struct machine machine = recorded("cpuset");
    cr_expect_not(machine.nodes[0].allowed);
    cr_expect(machine.nodes[1].allowed);
    for (int i = 0; i < machine.cpu_count; i++)
        cr_expect_eq(machine.cpus[i].allowed, i >= 8 && i < 12);
    machine_free(&machine);
    machine = recorded("offline");
    cr_expect_eq(machine.cpus[1].core, -1);
    cr_expect_not(machine.cpus[1].allowed);
    cr_expect(machine.cpus[0].allowed && machine.cpus[15].allowed);
    machine_free(&machine);
}

Test(machine, this_machine)
{
    struct machine machine;
    unsetenv("GANTRY_SYSFS_ROOT");
    cr_assert_null(machine_read(&machine));
    cr_expect_not(machine.recorded);
    cr_expect_geq(machine.node_count, 1);
    cr_expect_gt(machine.bytes, 0);
    cr_expect_geq(machine.core_count, 1);
    cr_expect_geq(allowed(&machine), 1);
    machine_free(&machine);
}

/* The error for an invalid topology file names the variable that selected it. */
Test(machine, unreadable_records)
{
    char root[] = "/tmp/machine_test_XXXXXX", path[64];
    struct machine machine;
    cr_assert_not_null(mkdtemp(root));
    setenv("GANTRY_SYSFS_ROOT", root, 1);
    snprintf(path, sizeof path, "%s/topology.xml", root);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs("<topology><object type=\"Mach", file);
    fclose(file);
    struct error *error = machine_read(&machine);
    cr_expect(error && strstr(error_message(error, NULL), "GANTRY_SYSFS_ROOT"));
    error_free(error);
    unlink(path), rmdir(root);
}

/* Fails every allocation in turn. */
Test(machine, survives_each_failing_allocation)
{
    struct machine machine = recorded("2-nodes");
    machine_free(&machine);
    int64_t before = alloc_live();
    bool done = false;
    for (int n = 1; !done; n++) {
        alloc_fail_at(n);
        struct error *error = machine_read(&machine);
        alloc_fail_at(0);
        done = !error;
        error_free(error);
        machine_free(&machine);
        cr_assert_eq(alloc_live(), before);
    }
}
