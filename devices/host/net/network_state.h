/* network_state.h: state shared by network.c (peers, the thread), network_channel.c (executions),
 * network_run.c (exchanges) and network_stream.c (their bytes). The network's lock guards
 * everything that is not atomic; the transport is called with it, and calls back with it. */
#ifndef GANTRY_DEVICES_HOST_NET_NETWORK_STATE_H
#define GANTRY_DEVICES_HOST_NET_NETWORK_STATE_H

#include <stdatomic.h>

#include "base/fork.h"
#include "devices/host/net/network.h"
#include "devices/host/net/network_table.h"
#include "devices/host/net/transport.h"

enum {
    NETWORK_SEGMENT = 256 << 10, /* bytes of a message, at most */
    NETWORK_ATTENDED = 2000000,  /* ns for which a thread that waited is expected to come again */
    NETWORK_MAX_WAITING = 16     /* exchanges of an execution that are woken when it fails */
};

struct network_peer {
    struct network *network;
    struct transport_peer *link; /* NULL until the first message */
    char *host;                  /* owned */
    void *address;               /* owned */
    size_t address_size;
    uint64_t incarnation;    /* network_news(); 0: not known */
    char *leave_reason;      /* why it left; owned, NULL: without an error */
    bool is_near;            /* on this machine */
    bool reads;              /* it and this process may read each other's memory */
    atomic_bool cannot_read; /* it has failed to read this process's (network_loan.h) */
    bool has_left;           /* its client was destroyed; everything that it sent has arrived */
    bool is_lost;
    struct network_early *first_early, *last_early; /* owned */
    int early_count, early_waits;                   /* all, those of NET_WAIT */
    int lost_at; /* how many were lost before, and this one: the first one explains the others */
};

/* A message on its way. It owns its bytes, so its waiter may abandon it. */
struct network_segment {
    struct network *network;
    struct transport_request *request; /* NULL: complete */
    atomic_uint *owner; /* futex of the exchange that waits for it; NULL: freed when complete */
    atomic_bool is_done;
    bool is_owed; /* sent, and counted in network.owed */
    enum transport_status status;
    uint64_t size, capacity;
    struct network_segment *next; /* in the list of free ones, or of those that were posted */
    _Alignas(64) char bytes[];
};

/* In a set of devices: those without a bit of their own. */
#define NETWORK_OTHER_DEVICES (UINT64_C(1) << 63)

struct network_cause { /* of a wait */
    int process;       /* the last one of a chain of waits */
    char *operation;   /* in which that one is awaited; owned. NULL: nothing is known */
};

struct network_share { /* of a process in an execution */
    uint64_t devices;  /* a set of its devices, by their ordinals; 0: it takes no part */
    bool has_begun;    /* it has said so */
    bool is_idle;      /* and that nothing but other processes keeps it waiting */
    /* Chains of waits (network_wait.c): */
    bool is_asking; /* it waits for this process, in the execution `asks_in` */
    struct net_execution asks_in;
    int answered;               /* to it: the process of the cause plus 1; 0: nothing yet */
    int asked;                  /* exchanges that ask it */
    struct network_cause cause; /* its own answer */
};

struct network_channel {
    struct network_entry entry; /* first */
    struct network *network;
    struct network_launch launch;
    struct network_channel *next, *previous;
    atomic_uint *waiting[NETWORK_MAX_WAITING]; /* futexes of exchanges in progress */
    int waiting_count;
    struct network_segment *posted; /* owned; network_post(): on their way, or complete */
    atomic_uint posts;              /* futex of the posted ones, for which none waits */
    atomic_uint questions;          /* and answers: changes of the shares' chains of waits */
    atomic_bool is_failed;
    bool must_tell;                /* `failure` is still to be sent to the others */
    struct net_message failure;    /* noted by network_loss_note() */
    struct network_share shares[]; /* of all processes */
};

struct network_early {          /* a message about an execution that has not begun here */
    struct network_entry entry; /* first */
    struct network_early *next, *previous; /* of its sender */
    struct net_message message;
};

struct network {
    struct fork_lock lock; /* first */
    const struct transport_ops *ops;
    struct transport *transport;
    int process, count, lost_count, reported_count; /* losses: reported to the executions */
    uint8_t token[NET_TOKEN];
    struct net_message leave; /* sent to the others at the end */
    struct network_peer *peers;
    struct network_table channels, early, scopes;
    struct network_channel *first_channel;
    int untold;                                      /* channels with must_tell */
    struct network_segment *free_segments, *control; /* control: the receive that is posted */
    int free_count;
    int owed; /* messages that were sent and that the others have yet to receive */
    bool spins, has_started;
    bool is_child; /* of a fork: the transport is the parent's */
    atomic_bool stops;
    atomic_uint has_ended; /* futex: the thread's */
    /* The thread is parked while others advance the network: until a time (CLOCK_MONOTONIC, ns),
     * unless one of them sleeps. */
    _Atomic int64_t attended;
    atomic_uint sleepers, calls; /* calls: futex of the parked thread */
    atomic_uint pollers;         /* threads in network_run.c that wait for the transport's fd() */
    atomic_bool is_parked;
    atomic_bool was_awaited; /* network_awaits(): the last time */
};

/* All require the lock. */
/* Runs the transport until nothing happens, or for a while, and reads messages about executions. */
bool network_advance(struct network *network);
/* The same, until *changes differs from `seen`: what has arrived is used while it is in a cache. */
bool network_advance_until(struct network *network, const atomic_uint *changes, unsigned seen);
/* Lets the network's thread advance it now. Needs no lock. */
void network_call(struct network *network);
/* Connects to the process at first. */
struct error *network_link(struct network *network, int process, struct transport_peer **out);

/* Sends a message about executions. */
void network_tell(struct network *network, int process, const struct net_message *message);

/* ---- executions (network_channel.c); all require the lock ------------------------------------ */
bool network_includes(const struct network_channel *channel, int process);
/* Whether all other processes have begun, and are idle. */
bool network_channel_is_awaited(const struct network_channel *channel);
/* Another process announces an execution, or says that it failed. */
void network_channel_hear(struct network *network, const struct net_message *message);
/* Sends the failures that were noted; false: there are none. */
bool network_channel_tell(struct network *network);
void network_channel_forget_all(struct network *network);

/* ---- failures (network_loss.c); all require the lock ----------------------------------------- */
/* Why an execution of the program cannot continue without the process. */
struct error *network_gone(const struct network *network, int process, const char *program);
/* The execution fails in this process, once; exchanges in progress end. */
void network_loss_fail(struct network_channel *channel, const struct error *error);
/* The message by which the others learn of an error; also notes it as network_loss_remember(). */
void network_loss_message(const struct network_channel *channel, const struct error *error,
                          struct net_message *out);
/* Notes the error for network_channel_tell(): the transport cannot send now. */
void network_loss_note(struct network_channel *channel, const struct error *error);
/* Records the error of an execution, to report it to the others at the end. */
void network_loss_remember(struct network *network, const struct error *error);
/* The transport calls it for a peer. What the peer had sent before is read first. */
void network_loss_begin(void *peer);
/* The peer has ended: it gets no more messages. Not inside of a call of the transport. */
void network_loss_end(struct network_peer *peer);
/* Fails the executions of processes that were lost since; false: there are none. */
bool network_loss_report(struct network *network);

/* Lets the exchanges in progress look. Requires the lock. */
void network_loss_wake(struct network_channel *channel);

/* ---- chains of waits (network_wait.c); all require the lock ---------------------------------- */
/* A process that waits for long asks those for which it waits. One that is asked answers while it
 * waits, too, and again when its answer changes: so all learn which process keeps them waiting at
 * the end of a chain. A process that computes, is stopped or has not arrived does not answer. */
struct network_wait { /* of an exchange; all zeros: none */
    unsigned seen;    /* network_channel.questions */
    bool is_circular; /* the chain leads back to this process: it is not followed */
};

/* Asks a process of which an exchange needs data, unless another exchange of the execution does.
 * The last network_wait_withdraw() ends the question. */
void network_wait_ask(struct network_channel *channel, int process, const char *operation);
void network_wait_withdraw(struct network_channel *channel, int process);
/* Answers the processes that ask: an exchange waits for `process`. */
void network_wait_answer(struct network_wait *wait, struct network_channel *channel, int process,
                         const char *operation);
/* The exchange has ended: takes the answers back. */
void network_wait_end(struct network_channel *channel);
/* "3 on host b", or the process that keeps that one waiting, and where. */
void network_wait_describe(const struct network_channel *channel, int process, struct text *out);
/* A NET_WAIT of the channel's execution; or of one that begins here when the channel has ended. */
void network_wait_hear(struct network_channel *channel, const struct net_message *message);
/* Whether the two executions need a common device of this process. */
bool network_wait_is_behind(const struct network_channel *channel,
                            const struct net_message *message);
void network_wait_forget(struct network_channel *channel); /* what was heard */

/* ---- segments (network_segment.c) ------------------------------------------------------------ */
/* A segment for `size` bytes, which is complete. Owned: network_segment_drop(). */
struct error *network_segment_create(struct network *network, uint64_t size,
                                     struct network_segment **out);
/* Gives up a segment, which may be incomplete: one that receives is cancelled, one that sends still
 * arrives. Requires the lock. */
void network_segment_drop(struct network_segment *segment, bool receives);
/* Drops the complete segments that the execution posted; `all`: all of them, and if it has failed,
 * no process needs to receive them. Requires the lock. */
void network_segment_reap(struct network_channel *channel, bool all);
/* The execution of an incomplete segment, which sends, has failed: none needs to receive it. */
void network_segment_forget(struct network_segment *segment);
/* Start an incomplete segment of `size` bytes. `owner`: the futex to wake. Require the lock. */
void network_segment_send(struct network_segment *segment, struct transport_peer *peer,
                          uint64_t tag, uint64_t size, atomic_uint *owner);
void network_segment_receive(struct network_segment *segment, uint64_t tag, uint64_t size,
                             atomic_uint *owner);

#endif
