/* ucx_state.h: state shared by transport_ucx.c (the transport, its peers) and ucx_messages.c.
 * NOT thread-safe: see transport.h. */
#ifndef GANTRY_DEVICES_HOST_NET_UCX_UCX_STATE_H
#define GANTRY_DEVICES_HOST_NET_UCX_UCX_STATE_H

#include <ucp/api/ucp.h>

#include "devices/host/net/transport.h"
#include "devices/host/net/ucx/ucx_sockets.h"

struct transport_peer {
    struct transport *transport;
    struct transport_peer *next;
    ucp_ep_h endpoint; /* NULL: the process could not be reached, or has ended */
    void (*lost)(void *context);
    void *context;
    int watch; /* ucx_near.h */
    bool is_lost;
};

struct transport {
    ucp_context_h context;
    ucp_worker_h worker;
    struct transport_peer *peers;
    struct transport_request *requests; /* that are not complete */
    struct ucx_job job;
    int fd;         /* of epoll: UCX's own, and watched processes */
    bool is_broken; /* UCX has failed (ucx_guard.h): it is not called any more */
};

/* Calls UCX, unless it has failed. False: it has, and all peers and requests are lost. */
bool ucx_call(struct transport *transport, void (*work)(void *context), void *context);
struct error *ucx_error(const char *what, ucs_status_t status);

#endif
