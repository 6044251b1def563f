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
#include "memory/machine.h"

static struct {
    int count;                 /* number of nodes; 1 unless more are found */
    hwloc_topology_t topology; /* NULL with one node; never freed */
    hwloc_cpuset_t cpus;       /* allowed by control groups and the process's own mask */
    bool recorded;             /* the topology is not this machine's */
} numa = {.count = 1};
static pthread_once_t numa_once = PTHREAD_ONCE_INIT;

/* Whether the kernel lists nodes other than 0. A recorded machine may have no such list. */
static bool several_nodes(const char *root)
{
    char path[4096], list[64] = "";
    snprintf(path, sizeof path, "%s/sys/devices/system/node/online", root ? root : "");
    FILE *file = fopen(path, "re");
    if (!file)
        return root != NULL;
    bool read = fgets(list, sizeof list, file) != NULL;
    fclose(file);
    list[strcspn(list, "\n")] = '\0';
    return read && strcmp(list, "0") != 0;
}

static void numa_load(void)
{
    const char *root = env_text(ENV_GANTRY_SYSFS_ROOT);
    if (!several_nodes(root) || !(numa.topology = machine_open(&numa.recorded)))
        return;
    int count = hwloc_get_nbobjs_by_type(numa.topology, HWLOC_OBJ_NUMANODE);
    numa.count = count > 0 ? count : 1;
    numa.cpus = machine_allowed_cpus(numa.topology, numa.recorded);
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
    pthread_once(&numa_once, numa_load);
    hwloc_obj_t unit = numa.topology && cpu >= 0
                           ? hwloc_get_pu_obj_by_os_index(numa.topology, (unsigned)cpu)
                           : NULL;
    hwloc_obj_t node = unit ? machine_nearest_node(unit) : NULL;
    return node ? (int)node->logical_index : 0;
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
        if (numa_node_of_cpu((int)cpu) != node)
            continue;
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

/* Whether the process may run on a core whose nearest memory is the node's. */
static bool runs_near(int node, hwloc_obj_t object)
{
    unsigned cpu;
    hwloc_bitmap_foreach_begin(cpu, object->cpuset)
    {
        if (numa.cpus && hwloc_bitmap_isset(numa.cpus, cpu) && numa_node_of_cpu((int)cpu) == node)
            return true;
    }
    hwloc_bitmap_foreach_end();
    return false;
}

bool numa_allowed(int node)
{
    hwloc_obj_t object = node_object(node);
    if (!object)
        return node == 0 && numa_count() == 1;
    return hwloc_bitmap_isset(hwloc_topology_get_allowed_nodeset(numa.topology), object->os_index);
}

bool numa_usable(int node)
{
    hwloc_obj_t object = node_object(node);
    if (!object)
        return node == 0 && numa_count() == 1;
    return object->attr->numanode.local_memory && numa_allowed(node) && runs_near(node, object);
}

bool numa_bind(void *bytes, uint64_t size, int node)
{
    hwloc_obj_t object = node_object(node);
    if (!object)
        return node == 0 && numa_count() == 1;
    return !numa.recorded && !hwloc_set_area_membind(numa.topology, bytes, size, object->nodeset,
                                                     HWLOC_MEMBIND_BIND, HWLOC_MEMBIND_BYNODESET);
}

/* The set of all usable nodes; NULL when memory is exhausted. */
static hwloc_nodeset_t usable_nodes(void)
{
    hwloc_nodeset_t set = hwloc_bitmap_alloc();
    for (int node = 0; set && node < numa_count(); node++)
        if (numa_usable(node))
            hwloc_bitmap_or(set, set, node_object(node)->nodeset);
    return set;
}

bool numa_interleave(void *bytes, uint64_t size)
{
    if (numa_count() == 1)
        return true;
    hwloc_nodeset_t set = numa.recorded ? NULL : usable_nodes();
    bool granted =
        set && !hwloc_bitmap_iszero(set) &&
        !hwloc_set_area_membind(numa.topology, bytes, size, set, HWLOC_MEMBIND_INTERLEAVE,
                                HWLOC_MEMBIND_BYNODESET | HWLOC_MEMBIND_MIGRATE);
    hwloc_bitmap_free(set);
    return granted;
}

bool numa_run_near(int node)
{
    hwloc_obj_t object = node_object(node);
    if (!object)
        return node == 0 && numa_count() == 1;
    hwloc_cpuset_t set = numa.recorded ? NULL : hwloc_bitmap_dup(object->cpuset);
    if (set && numa.cpus)
        hwloc_bitmap_and(set, set, numa.cpus);
    bool granted = set && numa.cpus && !hwloc_bitmap_iszero(set) &&
                   !hwloc_set_cpubind(numa.topology, set, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(set);
    return granted;
}

void numa_run_anywhere(void)
{
    if (numa_count() > 1 && numa.cpus && !numa.recorded)
        hwloc_set_cpubind(numa.topology, numa.cpus, HWLOC_CPUBIND_THREAD);
}
