/* ucx_sockets.h: the TCP connections that UCX opens, and their ends. UCX 1.13 does not notice a cut
 * link: a connection with data on its way is repeated for a quarter of an hour by the system. Here
 * a connection is ended when the peer's system, which answers even for a process that is stopped,
 * has acknowledged nothing for a few seconds; UCX then reports the peer as lost.
 *
 * UCX must not learn from sending that a peer has ended: while it connects, or sends what waited
 * for that, it does not expect to lose the endpoint. So a send that fails counts as done or as
 * still possible, and the connection is shut down; UCX learns it when it reads next. Thread-safe.
 */
#ifndef GANTRY_DEVICES_HOST_NET_UCX_UCX_SOCKETS_H
#define GANTRY_DEVICES_HOST_NET_UCX_UCX_SOCKETS_H

#include <stddef.h>

/* The sockets of the process that accept connections: "10.0.0.1:41235, [fd00::1]:36411", truncated
 * to `capacity` bytes, its NUL included. */
void ucx_sockets_listening(char *out, size_t capacity);

/* Ends the connections that were cut. To be called about every second. */
void ucx_sockets_check(void);

#endif
