/* machine.c: flattens hwloc's objects into lists. */
#include "memory/machine.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/env.h"

/* ---- loading --------------------------------------------------------------------------------- */
/* Points the topology at a recorded machine; returns false when the folder has no topology (it may
 * still have control groups). hwloc accepts a recorded tree only through its own environment
 * variables; this is for tests. */
static bool use_recorded(hwloc_topology_t topology, const char *root)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/topology.xml", root);
    if (!access(path, R_OK))
        return !hwloc_topology_set_xml(topology, path);
    snprintf(path, sizeof path, "%s/sys/devices/system", root);
    if (access(path, R_OK))
        return false;
    setenv("HWLOC_HIDE_ERRORS", "2", 1);   /* otherwise hwloc prints what it does not find */
    setenv("HWLOC_COMPONENTS", "-x86", 1); /* that component queries the actual processor */
    setenv("HWLOC_FSROOT", root, 1);
    setenv("HWLOC_THISSYSTEM", "0", 1);
    return true;
}

hwloc_topology_t machine_open(bool *recorded)
{
    const char *root = env_text(ENV_GANTRY_SYSFS_ROOT);
    hwloc_topology_t topology;
    *recorded = false;
    if (hwloc_topology_init(&topology))
        return NULL;
    *recorded = root && use_recorded(topology, root);
    hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (!hwloc_topology_load(topology))
        return topology;
    hwloc_topology_destroy(topology);
    return NULL;
}

static const hwloc_obj_type_t cache_types[MACHINE_CACHE_LEVELS] = {
    HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE};

/* ---- lists ----------------------------------------------------------------------------------- */
static int count_of(hwloc_topology_t topology, hwloc_obj_type_t type)
{
    int count = hwloc_get_nbobjs_by_type(topology, type);
    return count > 0 ? count : 0;
}

static hwloc_obj_t object_of(hwloc_topology_t topology, hwloc_obj_type_t type, int index)
{
    return hwloc_get_obj_by_type(topology, type, (unsigned)index);
}

/* The number of the package that contains an object. */
static int package_of(hwloc_topology_t topology, hwloc_obj_t object)
{
    hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, object);
    return package ? (int)package->logical_index : -1;
}

hwloc_obj_t machine_nearest_node(hwloc_obj_t object)
{
    while (object && !object->memory_first_child)
        object = object->parent;
    for (object = object ? object->memory_first_child : NULL;
         object && object->type != HWLOC_OBJ_NUMANODE;)
        object = object->memory_first_child; /* a cache in front of the memory */
    return object;
}

/* Nodes do not count memory that was added while the system ran. */
static uint64_t installed_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

static void read_nodes(hwloc_topology_t topology, struct machine *out)
{
    hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_nodeset(topology);
    for (int i = 0; i < out->node_count; i++) {
        hwloc_obj_t node = object_of(topology, HWLOC_OBJ_NUMANODE, i);
        out->nodes[i] = (struct machine_node){
            .os_number = (int)node->os_index,
            .package = package_of(topology, node),
            .bytes = node->attr->numanode.local_memory,
            .allowed = hwloc_bitmap_isset(allowed, node->os_index),
        };
        out->bytes += out->nodes[i].bytes;
    }
    if (!out->recorded)
        out->bytes = out->bytes > installed_bytes() ? out->bytes : installed_bytes();
}

static void read_caches(hwloc_topology_t topology, struct machine *out)
{
    for (int level = 0, at = 0; level < MACHINE_CACHE_LEVELS; level++)
        for (int i = 0; i < count_of(topology, cache_types[level]); i++) {
            hwloc_obj_t cache = object_of(topology, cache_types[level], i);
            cache->userdata = &out->caches[at];
            out->caches[at++] = (struct machine_cache){level + 1, cache->attr->cache.size};
        }
}

static void read_cores(hwloc_topology_t topology, struct machine *out)
{
    for (int i = 0; i < out->core_count; i++) {
        hwloc_obj_t core = object_of(topology, HWLOC_OBJ_CORE, i);
        hwloc_obj_t node = machine_nearest_node(core);
        struct machine_core *to = &out->cores[i];
        to->package = package_of(topology, core);
        to->node = node ? (int)node->logical_index : -1;
        if (node)
            out->nodes[to->node].has_cores = true;
        for (int level = 0; level < MACHINE_CACHE_LEVELS; level++) {
            hwloc_obj_t cache = hwloc_get_ancestor_obj_by_type(topology, cache_types[level], core);
            to->caches[level] =
                cache ? (int)((struct machine_cache *)cache->userdata - out->caches) : -1;
        }
    }
}

hwloc_cpuset_t machine_allowed_cpus(hwloc_topology_t topology, bool recorded)
{
    hwloc_cpuset_t allowed = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology));
    hwloc_cpuset_t mask = recorded ? NULL : hwloc_bitmap_alloc();
    if (allowed && mask && !hwloc_get_cpubind(topology, mask, HWLOC_CPUBIND_PROCESS))
        hwloc_bitmap_and(allowed, allowed, mask);
    hwloc_bitmap_free(mask);
    return allowed;
}

static void read_cpus(hwloc_topology_t topology, struct machine *out)
{
    hwloc_const_bitmap_t complete = hwloc_topology_get_complete_cpuset(topology);
    hwloc_cpuset_t allowed = machine_allowed_cpus(topology, out->recorded);
    unsigned number;
    int at = 0;
    hwloc_bitmap_foreach_begin(number, complete)
    {
        hwloc_obj_t unit = hwloc_get_pu_obj_by_os_index(topology, number);
        hwloc_obj_t core =
            unit ? hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, unit) : NULL;
        if (at < out->cpu_count)
            out->cpus[at++] = (struct machine_cpu){.os_number = (int)number,
                                                   .core = core ? (int)core->logical_index : -1,
                                                   .allowed = core && allowed &&
                                                              hwloc_bitmap_isset(allowed, number)};
    }
    hwloc_bitmap_foreach_end();
    hwloc_bitmap_free(allowed);
}

/* ---- reading --------------------------------------------------------------------------------- */
static struct error *allocate(hwloc_topology_t topology, struct machine *out)
{
    int cpus = hwloc_bitmap_weight(hwloc_topology_get_complete_cpuset(topology));
    out->package_count = count_of(topology, HWLOC_OBJ_PACKAGE);
    out->node_count = count_of(topology, HWLOC_OBJ_NUMANODE);
    out->core_count = count_of(topology, HWLOC_OBJ_CORE);
    out->cpu_count = cpus > 0 ? cpus : 0;
    for (int level = 0; level < MACHINE_CACHE_LEVELS; level++)
        out->cache_count += count_of(topology, cache_types[level]);
    TRY(alloc_array((size_t)out->node_count, sizeof *out->nodes, &out->nodes));
    TRY(alloc_array((size_t)out->cache_count, sizeof *out->caches, &out->caches));
    TRY(alloc_array((size_t)out->core_count, sizeof *out->cores, &out->cores));
    return alloc_array((size_t)out->cpu_count, sizeof *out->cpus, &out->cpus);
}

struct error *machine_read(struct machine *out)
{
    *out = (struct machine){0};
    hwloc_topology_t topology = machine_open(&out->recorded);
    if (!topology)
        return ERROR(INTERNAL, "hwloc cannot read the topology of %s",
                     out->recorded
                         ? "the recorded machine: GANTRY_SYSFS_ROOT must be a folder with "
                           "hwloc's topology.xml or a tree of /sys"
                         : "this machine");
    struct error *error = allocate(topology, out);
    if (!error) {
        read_nodes(topology, out);
        read_caches(topology, out);
        read_cores(topology, out);
        read_cpus(topology, out);
    }
    hwloc_topology_destroy(topology);
    if (error)
        machine_free(out);
    return error;
}

void machine_free(struct machine *machine)
{
    alloc_free(machine->nodes);
    alloc_free(machine->caches);
    alloc_free(machine->cores);
    alloc_free(machine->cpus);
    *machine = (struct machine){0};
}
