/* network.h: the other processes of a client: connections, executions that span processes, and the
 * exchange of bytes between them.
 *
 * One thread per network receives and sends while no other thread waits. A thread that waits in
 * network_exchange() does so itself: for 20 us without yielding, then yielding to other threads
 * until 200 us, then it sleeps until there is something to receive or to send; after 20 ms more the
 * network's thread does that, and wakes it. On a machine with more processes of the job than cores
 * no thread spins.
 *
 * An execution is a *channel*: each process opens it with the same number and announces its
 * program, and the processes compare. A failure in one process fails the channel in all: an error
 * of the program, different programs or another order of programs on the same devices
 * (FAILED_PRECONDITION), a process that ended or was disconnected, or one that did not send its
 * data within GANTRY_COLLECTIVE_TIMEOUT seconds (UNAVAILABLE, naming process, host and operation;
 * where processes wait for each other in a chain: those at its end). Other channels continue.
 *
 * In a forked child there is no network: its functions return FAILED_PRECONDITION or do nothing.
 * Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_NET_NETWORK_H
#define GANTRY_DEVICES_HOST_NET_NETWORK_H

#include <stdatomic.h>

#include "base/text.h"
#include "devices/host/net/net_message.h"

struct network;
struct network_channel;

struct network_node { /* a process; borrowed during network_start() */
    const char *host; /* for messages */
    const void *address;
    size_t address_size;
    bool is_near; /* on the same machine */
};

/* Opens the transport for process `process` of `count`. *out is owned: network_destroy(). */
struct error *network_create(int process, int count, struct network **out);
/* This process's address, for the others; owned (alloc_free). */
struct error *network_address(struct network *network, void **bytes, size_t *size);
/* Starts the thread. `nodes`: all `count` processes. */
struct error *network_start(struct network *network, const uint8_t token[NET_TOKEN],
                            const struct network_node *nodes);
void network_destroy(struct network *network); /* accepts NULL; no channel may be open */
int network_process(const struct network *network);
/* FAILED_PRECONDITION in a forked child. */
struct error *network_check(const struct network *network);

struct network_view { /* of a process of the job */
    const char *host; /* borrowed from the network */
    bool is_near;     /* on this process's machine, or itself */
    bool reads;       /* it can read this process's memory, as far as is known */
    bool is_lost;
};
void network_view(struct network *network, int process, struct network_view *out);
int network_count(const struct network *network);
/* What the client's coordinator says of a process: one that has failed, or that was started again
 * (another incarnation than before), is lost, as if its connection had ended: its executions fail
 * with UNAVAILABLE, now and later. INVALID_ARGUMENT when there is no such process. */
struct network_news {
    int process;
    uint64_t incarnation; /* 0: unknown */
    bool has_failed;
    const char *reason; /* borrowed for the call; "" */
};
struct error *network_news(struct network *network, const struct network_news *news);
/* Where this process accepts connections, as text (transport.h); "" in a forked child. */
void network_listens(struct network *network, char *out, size_t capacity);

/* ---- executions ------------------------------------------------------------------------------ */
struct network_launch {
    struct net_execution execution;
    uint64_t program[2]; /* equal in all processes that execute the same */
    bool is_idle;        /* nothing but the other processes keeps this one waiting */
    const char *name;    /* of the program; borrowed until the channel is closed */
    int participants;
    const int *processes; /* [participants] of the devices; borrowed until it is closed */
    /* [participants] of the devices in their processes: the execution has a place in the order in
     * which these devices execute. NULL: it has none. */
    const int *ordinals;
    /* Called at most once, from any thread, when the execution fails elsewhere. It must not call
     * the network. */
    void (*failed)(void *context, const struct error *error /* borrowed */);
    void *context;
};

/* Announces the execution. Those with an order are opened in it, and their numbers increase.
 * Errors: UNAVAILABLE when one of the processes has ended; ALREADY_EXISTS when an execution with
 * that number is open. */
struct error *network_open(struct network *network, const struct network_launch *launch,
                           struct network_channel **out);
/* Whether all other processes have announced the execution and are idle. Spins for it for a limited
 * time, unless the last spin did not succeed. */
bool network_awaits(struct network_channel *channel);
/* Tells the others that the execution has failed here, once; ends exchanges in progress. */
void network_fail(struct network_channel *channel, const struct error *error /* borrowed */);
void network_close(struct network_channel *channel); /* accepts NULL; no exchange is in progress */

/* ---- bytes ----------------------------------------------------------------------------------- */
struct net_piece { /* rows of memory, `stride` bytes apart */
    char *base;
    int64_t rows, row_bytes, stride;
};

struct network_flow { /* between this process and another one */
    int process;
    int send_count, receive_count;
    /* Read, and written. The other process has as many bytes in its receives, and sends. */
    const struct net_piece *sends, *receives;
};

struct network_exchange {
    struct network_channel *channel;
    /* Names the exchanges that have an order: those of one stream are the same, one after the
     * other, in all processes. */
    uint64_t stream;
    const char *label; /* of the operation, for messages */
    int flow_count;
    const struct network_flow *flows; /* one a process */
    /* Sent bytes must not change before the exchange ends: processes on this machine may read them
     * in place. The same in all processes. */
    bool lends;
};

/* Adds for which other process an exchange of the execution has waited for long: "; process 0 waits
 * for process 3 on host b"; or nothing. */
void network_add_wait(struct network_channel *channel, struct text *out);

/* Whether this process and that one read what is lent, as far as is known: then the threads that
 * exchange copy the bytes, and none travel while they compute. */
bool network_reads(const struct network_channel *channel, int process);

/* Returns when everything is received and sent bytes may be overwritten. Errors have also failed
 * the channel: CANCELLED when the client's program interrupts the wait (base/interrupt.h), since
 * the thread that waits is the one that exchanges. */
struct error *network_exchange(const struct network_exchange *exchange);

/* The same in steps, for a thread that runs several exchanges. */
struct network_run;
/* `exchange` and `changes` are borrowed until network_end(). `changes` is a futex: it changes when
 * network_continue() may have something to do. Several exchanges may have the same one. */
struct error *network_begin(const struct network_exchange *exchange, atomic_uint *changes,
                            struct network_run **out);
/* Makes progress without waiting. Call it at every change, and at least twice a second. *complete:
 * everything is received, and sent bytes may be overwritten. */
struct error *network_continue(struct network_run *run, bool *complete);
/* Waits until it is complete, and ends it. */
struct error *network_finish(struct network_run *run);
/* `has_failed`: the other processes do not wait for unsent data of this one. */
void network_end(struct network_run *run, bool has_failed);
/* For an exchange of one flow that only sends: does not wait for the receiver. Bytes in flight are
 * copied; the caller limits their number. */
struct error *network_post(const struct network_exchange *exchange);

/* Sleeps until *changes differs from `seen`, or for a moment. Returns true when the client's
 * program interrupts it. */
bool network_sleep(struct network *network, atomic_uint *changes, unsigned seen);

#endif
