/* process_collectives.h: one collective of a group with members in several processes. Each process
 * calls it for its own members, when all of these have arrived.
 *
 * What is exchanged are operands, or the parts of them that the receiver needs, in their own type;
 * each element is reduced by one process, or by all, from all members' elements in the order of the
 * members, as inside of one process (collectives.h). So results have the same bits whatever the
 * division into processes, and on all of them.
 *
 *   all_reduce      every process gets all operands, or it reduces its part of the elements and
 *                   sends the others the result: what is faster by base/loggp.h
 *   reduce_scatter, all_to_all, permute, broadcast: every process gets what its members need
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

/* An error has failed the channel. UNIMPLEMENTED for kinds that do not cross processes yet. */
struct error *process_collectives_run(const struct process_group *group, const struct step *step);

#endif
