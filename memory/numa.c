/* numa.c: hwloc's topology, loaded once, and only where there is more than one node. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getcpu, CPU sets */
#endif
#include "memory/numa.h"

#include <hwloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"

static struct {
    int count;                 /* nodes; 1 until there is reason to say more */
    hwloc_topology_t topology; /* NULL with one node; lives until the process ends */
    bool recorded;             /* the topology is not this machine's */
} numa = {.count = 1};
static pthread_once_t numa_once = PTHREAD_ONCE_INIT;

/* Whether the kernel lists more nodes than number 0. */
static bool several_nodes(const char *root)
{
    char path[4096], list[64] = "";
    snprintf(path, sizeof path, "%s/sys/devices/system/node/online", root);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool read = fgets(list, sizeof list, file) != NULL;
    fclose(file);
    list[strcspn(list, "\n")] = '\0';
    return read && strcmp(list, "0") != 0;
}

static void numa_load(void)
{
    const char *root = env_text(ENV_GANTRY_SYSFS_ROOT);
    if (!several_nodes(root ? root : ""))
        return;
    if (root) { /* hwloc takes a recorded tree by its own variable only; this is for tests */
        setenv("HWLOC_FSROOT", root, 1);
        setenv("HWLOC_THISSYSTEM", "0", 1);
        numa.recorded = true;
    }
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology))
        return;
    if (hwloc_topology_load(topology)) {
        hwloc_topology_destroy(topology);
        return;
    }
    int count = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
    numa.count = count > 0 ? count : 1;
    numa.topology = topology;
}

/* hwloc's object of a node; NULL with one node or a wrong number. */
static hwloc_obj_t node_object(int node)
{
    pthread_once(&numa_once, numa_load);
    if (!numa.topology || node < 0 || node >= numa.count)
        return NULL;
    return hwloc_get_obj_by_type(numa.topology, HWLOC_OBJ_NUMANODE, (unsigned)node);
}

int numa_count(void)
{
    pthread_once(&numa_once, numa_load);
    return numa.count;
}

int numa_node_of_cpu(int cpu)
{
    for (int node = 0; cpu >= 0 && node < numa_count(); node++) {
        hwloc_obj_t object = node_object(node);
        if (object && hwloc_bitmap_isset(object->cpuset, (unsigned)cpu))
            return node;
    }
    return 0;
}

int numa_node_here(void)
{
    return numa_count() > 1 ? numa_node_of_cpu(sched_getcpu()) : 0;
}

/* With one node: the cores that this process may use. */
static int cpus_of_process(int *cpus, int capacity)
{
    cpu_set_t set;
    int count = 0;
    if (sched_getaffinity(0, sizeof set, &set))
        return 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &set)) {
            if (count < capacity)
                cpus[count] = cpu;
            count++;
        }
    return count;
}

int numa_cpus(int node, int *cpus, int capacity)
{
    hwloc_obj_t object = node_object(node);
    if (!object)
        return node == 0 && numa_count() == 1 ? cpus_of_process(cpus, capacity) : 0;
    int count = 0;
    unsigned cpu;
    hwloc_bitmap_foreach_begin(cpu, object->cpuset)
    {
        if (count < capacity)
            cpus[count] = (int)cpu;
        count++;
    }
    hwloc_bitmap_foreach_end();
    return count;
}

uint64_t numa_memory(int node)
{
    hwloc_obj_t object = node_object(node);
    if (object)
        return object->attr->numanode.local_memory;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return node == 0 && pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

bool numa_bind(void *bytes, uint64_t size, int node)
{
    hwloc_obj_t object = node_object(node);
    if (!object)
        return node == 0 && numa_count() == 1;
    return !numa.recorded && !hwloc_set_area_membind(numa.topology, bytes, size, object->nodeset,
                                                     HWLOC_MEMBIND_BIND, HWLOC_MEMBIND_BYNODESET);
}
