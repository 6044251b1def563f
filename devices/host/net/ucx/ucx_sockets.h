/* ucx_sockets.h: the TCP connections that UCX opens, and their ends. UCX 1.13 does not notice a cut
 * link: a connection with data on its way is repeated for a quarter of an hour by the system. Here
 * a connection is ended when the peer's system, which answers even for a process that is stopped,
 * has acknowledged nothing for a few seconds; UCX then reports the peer as lost.
 *
 * UCX must not learn from sending that a peer has ended: while it connects, or sends what waited
 * for that, it does not expect to lose the endpoint. So a send that fails counts as done or as
 * still possible, and the connection is shut down; UCX learns it when it reads next.
 *
 * UCX trusts whatever it reads: a message of 33 bytes makes it write to any address of the process.
 * So a connection begins with proofs of the job's token in both directions (net_proof.h), which UCX
 * does not see: until they are checked, it finds nothing to read, and what it sends to connect is
 * kept. A connection with a wrong proof is shut down at once, an accepted one without a proof after
 * TRANSPORT_CHECKS checks; UCX takes both for a peer that has disconnected. Whoever connects
 * waits for the acceptor as long as for UCX's own answer: it may be a process that starts late, or
 * is stopped. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_NET_UCX_UCX_SOCKETS_H
#define GANTRY_DEVICES_HOST_NET_UCX_UCX_SOCKETS_H

#include <stddef.h>

#include "devices/host/net/transport.h"

struct ucx_job { /* of a transport; zeros when it begins */
    bool is_known;
    uint8_t token[NET_TOKEN];
};

/* The sockets that this thread opens from now on, and connections that they accept, are the job's
 * (NULL: of no job). Returns what was set before. */
const struct ucx_job *ucx_sockets_enter(const struct ucx_job *job);
/* Connections of the job wait for its token. */
void ucx_sockets_know(struct ucx_job *job, const uint8_t token[NET_TOKEN]);
/* Before the job's memory is freed: what is still open can neither read nor send. */
void ucx_sockets_forget(const struct ucx_job *job);

/* The sockets of the process that accept connections: "10.0.0.1:41235, [fd00::1]:36411", truncated
 * to `capacity` bytes, its NUL included. */
void ucx_sockets_listening(char *out, size_t capacity);

/* Ends the connections that were cut, and those that the job has accepted and that have not proved
 * anything in time. To be called about every second. */
void ucx_sockets_check(const struct ucx_job *job);

#endif
