/* gang_state.h: the gangs of a client, for gang.c alone. */
#ifndef GANTRY_RUNTIME_GANG_STATE_H
#define GANTRY_RUNTIME_GANG_STATE_H

#include "base/fork.h"
#include "runtime/gang.h"

struct place {
    bool is_reserved;
    const struct loaded_executable *executable; /* of the job that joined; NULL: none did */
    struct job *settled;         /* its arguments are ready and it is not in its queue */
    struct execute_queue *queue; /* has got the job and needs a thread */
    struct job *beside;          /* the job is to run beside its queue */
};

struct gang {
    struct refs refs; /* of those who reserved, and of jobs */
    struct gangs *gangs;
    const struct loaded_executable *executable; /* of the first; retained */
    struct gang *next;                          /* in the list of open ones */
    struct gang *next_line;                     /* in the line of those between processes */
    int64_t launch_id, deadline;
    struct communicator *communicator;
    bool is_open;  /* in the list */
    bool is_ended; /* failed or started: jobs that settle go to their queues at once */
    bool has_warned;
    bool is_in_line;
    bool is_nested;  /* of callbacks: runs beside the queues */
    int size, count; /* devices; those in this process */
    int reserved, settled;
    struct place places[]; /* [size] */
};

struct scope { /* the devices of programs between processes */
    struct scope *next;
    uint64_t id, sequence; /* loaded_executable.scope; the last execution's number */
};

struct gangs {
    struct fork_lock lock; /* first; guards the rest, and the gangs */
    struct refs refs;      /* the client's, and the watcher's */
    struct gang *first;
    struct gang *line; /* between processes: those that have not started, in their order */
    struct scope *scopes;
    bool is_watched;
    atomic_uint changes; /* futex of the watcher */
};

#endif
