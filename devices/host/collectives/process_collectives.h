/* process_collectives.h: one collective of a group with members in several processes. Each process
 * calls it for its own members, when all of these have arrived.
 *
 * All processes get the same bits, which do not depend on the division into processes: each element
 * is combined by the tree of the group's members, as inside one process (process_reductions.h). In
 * all_to_all, permute and broadcast every process gets its members' data, in an all_gather all
 * operands, once.
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
