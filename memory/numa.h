/* numa.h: memory nodes and the cores beside them, by hwloc. Nothing is read before the first
 * question, and on a machine with one node hwloc's topology is not loaded at all. Machines of a
 * recorded /sys tree take the real one's place under GANTRY_SYSFS_ROOT (then nothing is bound).
 * Numbers are those of the operating system's order, counted from 0 without gaps. Thread-safe;
 * nothing here fails: what is unknown is one node, 0. hwloc lets any number of threads read a
 * loaded topology that none changes: it is loaded once and never changed. */
#ifndef GANTRY_MEMORY_NUMA_H
#define GANTRY_MEMORY_NUMA_H

#include <stdbool.h>
#include <stdint.h>

/* Number of memory nodes; >= 1. */
int numa_count(void);
/* The node beside a core (by the operating system's core number); 0 when unknown. */
int numa_node_of_cpu(int cpu);
/* The node beside the core that the calling thread runs on now. */
int numa_node_here(void);
/* The core numbers beside a node, ascending: at most `capacity` are written to `cpus`; returns how
 * many there are. */
int numa_cpus(int node, int *cpus, int capacity);
/* Bytes of memory of a node; 0 when unknown. */
uint64_t numa_memory(int node);
/* Wishes that pages of [bytes, bytes + size), not yet touched, come from `node`; true when
 * granted. */
bool numa_bind(void *bytes, uint64_t size, int node);

#endif
