/* ucx_near.h: processes on this machine. Messages between those with the same network go through
 * shared memory, of which each process makes a part (unlinked at once, so nothing is left in
 * /dev/shm). UCX notices only after 20 s that such a process has ended, so the system is asked: a
 * descriptor of a process (pidfd_open(2), Linux 5.3) becomes readable when it ends.
 *
 * NOT thread-safe: one call at a time for each set. */
#ifndef GANTRY_DEVICES_HOST_NET_UCX_UCX_NEAR_H
#define GANTRY_DEVICES_HOST_NET_UCX_UCX_NEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Whether the system has descriptors of processes; otherwise TCP connects those here, too. */
bool ucx_near_is_supported(void);

struct ucx_identity { /* of a process; part of its address */
    char boot[40];    /* names the machine until it is restarted; zeros: not known */
    uint64_t names;   /* the namespace of process numbers */
    uint64_t network; /* the namespace of network interfaces */
    uint64_t process;
    uint32_t user, group;
    uint32_t opens; /* others of the same user and group may open its memory */
};
void ucx_near_identify(struct ucx_identity *out);
/* Whether that process and this one may open each other's memory (the rule of ptrace(2) for
 * reading, without privileges). The same in both, like the next. */
bool ucx_near_opens(const struct ucx_identity *identity);
/* Whether messages between them may go through shared memory, too: UCX wakes the receiver by a
 * socket whose name is one of the network namespace. */
bool ucx_near_shares(const struct ucx_identity *identity);

/* Watches the process if its memory can be opened. `set`: a descriptor of epoll, which becomes
 * readable when it ends; `context` (not NULL) is then returned by ucx_near_ended(). *out: for
 * ucx_near_unwatch(), also after the end; -1: it is not watched.
 * *has_ended: already. RESOURCE_EXHAUSTED when the system watches no more processes. */
struct error *ucx_near_watch(int set, const struct ucx_identity *identity, void *context, int *out,
                             bool *has_ended);
/* Whether the watched process has ended, even if its parent has not waited for it. */
bool ucx_near_is_gone(int watch);
/* Stops watching, and sets *watch to -1. The set forgets the descriptor even if a forked process
 * has inherited it; closing it alone would not suffice. */
void ucx_near_unwatch(int set, int *watch);
/* The context of a watched process of the set that has ended, or NULL. It is returned again until
 * the process is not watched any more. */
void *ucx_near_ended(int set);

#endif
