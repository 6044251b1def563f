/* machine.h: the machine's packages, memory nodes, caches, cores and processors as lists that also
 * say which of them this process may use. Read with hwloc on request.
 *
 * With GANTRY_SYSFS_ROOT set, a recorded machine replaces the real one: that folder contains
 * hwloc's topology.xml (`lstopo topology.xml`) or the /sys files that hwloc reads, and the control
 * group files (base/cgroup.h). Memory and threads are not bound then. A folder that contains
 * control groups only replaces only those. */
#ifndef GANTRY_MEMORY_MACHINE_H
#define GANTRY_MEMORY_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct machine_node { /* its index in the list is its number, as in numa.h */
    int os_number;    /* the operating system's */
    int package;      /* -1: none or several */
    uint64_t bytes;
    bool has_cores; /* it is the nearest memory of some core; false: memory only */
    bool allowed;   /* the process may have memory there */
};

struct machine_cache {
    int level;
    uint64_t bytes; /* 0: unknown */
};

enum { MACHINE_CACHE_LEVELS = 4 };
struct machine_core {
    int package, node;                /* -1: unknown */
    int caches[MACHINE_CACHE_LEVELS]; /* level i + 1: index in machine.caches, or -1 */
};

struct machine_cpu { /* a hardware thread */
    int os_number;
    int core;     /* index in machine.cores; -1: offline */
    bool allowed; /* by control groups and the process's own mask */
};

struct machine {
    bool recorded;
    uint64_t bytes;
    int package_count, node_count, cache_count, core_count, cpu_count;
    struct machine_node *nodes; /* the arrays are owned by the machine */
    struct machine_cache *caches;
    struct machine_core *cores;
    struct machine_cpu *cpus; /* by os_number, including offline ones */
};

/* Owned: machine_free. RESOURCE_EXHAUSTED; INTERNAL when hwloc reads no topology. */
struct error *machine_read(struct machine *out);
void machine_free(struct machine *machine);

/* ---- for numa.c ---- */
struct hwloc_topology;
struct hwloc_obj;
struct hwloc_bitmap_s;
/* hwloc's topology, including objects that the process may not use; NULL when it cannot be loaded.
 * Owned by the caller: hwloc_topology_destroy. Sets *recorded when it is a recorded machine's. */
struct hwloc_topology *machine_open(bool *recorded);
/* The processors that this process may use according to control groups and its own mask (on a
 * recorded machine: according to the recording); NULL when memory is exhausted. Owned:
 * hwloc_bitmap_free. */
struct hwloc_bitmap_s *machine_allowed_cpus(struct hwloc_topology *topology, bool recorded);
/* The memory node nearest to a processor or core. If several are equally near: the first, which is
 * the ordinary memory. NULL: unknown. */
struct hwloc_obj *machine_nearest_node(struct hwloc_obj *object);

#endif
