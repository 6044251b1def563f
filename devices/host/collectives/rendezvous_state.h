/* rendezvous_state.h: state shared by rendezvous.c (meetings) and rendezvous_messages.c (messages
 * between two participants). Thread-safe, as rendezvous.h. */
#ifndef GANTRY_DEVICES_HOST_COLLECTIVES_RENDEZVOUS_STATE_H
#define GANTRY_DEVICES_HOST_COLLECTIVES_RENDEZVOUS_STATE_H

#include <stdatomic.h>

#include "base/text.h"
#include "devices/host/collectives/messages.h"
#include "devices/host/collectives/rendezvous.h"
#include "devices/host/net/network.h"

struct meeting {
    _Alignas(64) atomic_uint arrived;
    atomic_uint complete, changes;
    atomic_bool is_failed;             /* it took place, but without results */
    _Atomic(const struct step *) step; /* of the first to arrive */
    void *const **buffers;             /* of each member */
};

struct group {
    int size, here;               /* members; those in this process */
    uint64_t stream;              /* the group's number among all */
    const int *members, *sources; /* of the program */
    void **scratch; /* of the participant that does the work of a meeting: one meets at a time */
    struct meeting meetings[2];
};

struct seat {            /* of a participant in one table of groups */
    struct group *group; /* NULL: it is in none */
    int position;
    unsigned count; /* meetings so far */
};

struct rendezvous {
    struct communicator base; /* first */
    const struct program *program;
    int participants, here, group_count; /* here: participants in this process */
    struct communicator_setup setup;
    struct network_channel *channel; /* owned; NULL: not announced */
    struct messages *messages;       /* owned */
    struct group *groups;            /* of all tables */
    struct seat *seats;              /* [table][participant] */
    void *const **buffers;           /* what the meetings point to */
    void **scratch;                  /* what the groups point to */
    atomic_int entered;              /* participants that have started */
    _Atomic int64_t last_entry;      /* time of the last start */
    _Atomic(struct error *) error;   /* owned */
    atomic_bool has_warned;          /* of a participant that does not arrive */
};

struct clock { /* of one wait */
    int64_t begin, limit;
};

static inline bool rendezvous_is_here(const struct rendezvous *r, int participant)
{
    return !r->setup.network ||
           r->setup.processes[participant] == network_process(r->setup.network);
}

/* An owned copy of the error with which it has failed, or NULL. */
struct error *rendezvous_failure_of(struct rendezvous *r);
/* Fails with `error` (moved), and returns the error that all get. */
struct error *rendezvous_fail_all(struct rendezvous *r, struct error *error);
/* The step that the participant runs instead of arriving. */
void rendezvous_describe_missing(const struct rendezvous *r, int participant, struct text *out);
struct clock rendezvous_clock(const struct rendezvous *r);
/* The time since which all that have not arrived could have. */
int64_t rendezvous_waited(struct rendezvous *r, const struct clock *clock, int64_t now);

/* ---- messages (rendezvous_messages.c) -------------------------------------------------------- */
/* A STEP_COLLECTIVE that sends or receives, of the participant with that seat. */
struct error *rendezvous_messages_send(struct rendezvous *r, int participant,
                                       const struct step *step, const struct seat *seat,
                                       void *const *buffers);
struct error *rendezvous_messages_receive(struct rendezvous *r, int participant,
                                          const struct step *step, const struct seat *seat,
                                          void *const *buffers);

#endif
