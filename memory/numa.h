/* numa.h: memory nodes and their local cores, with hwloc. Nothing is read before the first query,
 * and on a machine with one node hwloc's topology is not loaded at all. With GANTRY_SYSFS_ROOT set,
 * a recorded machine (machine.h) replaces the real one, and nothing is bound. Nodes are numbered
 * from 0 without gaps, in the operating system's order, including nodes that this process may not
 * use. Nothing here fails: an unknown machine has one node, 0. Thread-safe: the topology is loaded
 * once and never modified, so that hwloc allows concurrent readers. */
#ifndef GANTRY_MEMORY_NUMA_H
#define GANTRY_MEMORY_NUMA_H

#include <stdbool.h>
#include <stdint.h>

/* Number of memory nodes; >= 1. */
int numa_count(void);
/* The node of a core (by the operating system's core number); 0 when unknown. */
int numa_node_of_cpu(int cpu);
/* The node of the core that the calling thread runs on now. */
int numa_node_here(void);
/* The numbers of a node's cores, ascending. Writes at most `capacity` of them to `cpus`; returns
 * how many there are. */
int numa_cpus(int node, int *cpus, int capacity);
/* Bytes of memory of a node; 0 when unknown. */
uint64_t numa_memory(int node);
/* Whether this process may use memory of the node. */
bool numa_allowed(int node);
/* Whether the node can hold a device's memory: it has memory that this process may use and cores
 * that it may run on. */
bool numa_usable(int node);

/* Requests that pages of [bytes, bytes + size), not yet touched, come from `node`, or evenly from
 * all usable nodes; touched pages migrate if the system allows it. Returns true when granted. */
bool numa_bind(void *bytes, uint64_t size, int node);
bool numa_interleave(void *bytes, uint64_t size);
/* Restricts the calling thread to the cores of `node` (returns true when granted), or allows it all
 * cores that the process may use. */
bool numa_run_near(int node);
void numa_run_anywhere(void);

#endif
