/* process_reductions.h: all_reduce and reduce_scatter between processes. Each element is combined
 * by the tree of the group's members (collective_types.h), so its bits do not depend on the
 * division of the members into processes, nor on the algorithm.
 *
 * Where the members of each process are a node of the tree (as many everywhere, a power of two,
 * side by side), a process combines its operands before anything is sent. For an all_reduce the
 * fastest way by base/loggp.h is taken:
 *
 *   direct    each sends all it has to each
 *   parts     each combines a part of the elements, and sends the result to each
 *   doubling  with nodes: each exchanges its node with the sibling: of one process, two, four ...
 *   halving   the same with a half of the elements, a quarter ..., and back (a power of two of
 *             processes; Rabenseifner 2004, with distances that double)
 *
 * Thread-safe for different groups. */
#ifndef GANTRY_DEVICES_HOST_COLLECTIVES_PROCESS_REDUCTIONS_H
#define GANTRY_DEVICES_HOST_COLLECTIVES_PROCESS_REDUCTIONS_H

#include "devices/host/collectives/process_job.h"

struct error *process_reductions_all_reduce(struct process_job *job);
struct error *process_reductions_scatter(struct process_job *job);

#endif
