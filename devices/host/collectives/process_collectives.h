/* process_collectives.h: one collective of a group with members in several processes. Each process
 * calls it for its own members, when all of these have arrived.
 *
 * Processes exchange operands, or the parts that the receiver needs, in their own type. One
 * process, or all, reduce each element from all members' elements in the order of the members, as
 * inside one process (collectives.h). So the bits of results are equal in all processes and do not
 * depend on the division into processes.
 *
 *   all_reduce      every process gets all operands, or it reduces its part of the elements and
 *                   sends the others the result: the faster one by base/loggp.h
 *   reduce_scatter, all_to_all, permute, broadcast: every process gets its members' data
 *   all_gather      every process gets all operands, once
 *
 * Thread-safe for different groups. */
#ifndef GANTRY_DEVICES_HOST_COLLECTIVES_PROCESS_COLLECTIVES_H
#define GANTRY_DEVICES_HOST_COLLECTIVES_PROCESS_COLLECTIVES_H

#include "compiler/program/program.h"
#include "devices/host/net/network.h"

struct process_group {
    struct network_channel *channel;
    uint64_t stream;             /* of the group: network_exchange.stream */
    int process;                 /* this one */
    int count;                   /* members */
    const int *members;          /* participants */
    const int *processes;        /* of the participants */
    const int *sources;          /* struct program_groups */
    void *const *const *buffers; /* of the members in this process, as in collectives_run() */
    const char *program;
};

/* Errors have also failed the channel. UNIMPLEMENTED for kinds that do not cross processes yet. */
struct error *process_collectives_run(const struct process_group *group, const struct step *step);

#endif
