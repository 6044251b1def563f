/* numa_placement.h: placement of a device's memory and threads on machines with several memory
 * nodes. The devices of a client share the usable nodes (numa_usable) in order:
 *
 *   devices >= nodes   device i is near one node; its memory of every kind is requested there, and
 *                      the thread of its queue runs there, which wakes workers of that node first
 *                      (base/pool.h) where workers are pinned
 *   devices < nodes    a device has several nodes: its device memory is where it is first touched,
 *                      since its workers run on all of them, and its pinned host memory, which
 *                      copies read from anywhere, is interleaved
 *   one node           nothing is requested
 *
 * Nodes without cores (memory only) and nodes that a control group excludes are never chosen.
 * Results depend only on the arguments and the machine. Thread-safe. */
#ifndef GANTRY_MEMORY_NUMA_PLACEMENT_H
#define GANTRY_MEMORY_NUMA_PLACEMENT_H

#include "base/memory_kind.h"
#include "memory/hostmem.h"

struct numa_placement {
    int node;  /* the device's node; -1: several, or the machine has only one */
    int nodes; /* number of the device's usable nodes; 1 on a machine with one */
    int first; /* the lowest-numbered of them */
    struct hostmem_place memory[MEMORY_KIND_COUNT];
};

/* Placement of device `index` of `count` (index < count). */
struct numa_placement numa_placement_of(int index, int count);

#endif
