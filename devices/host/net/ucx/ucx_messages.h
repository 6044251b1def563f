/* ucx_messages.h: sends and receives of a transport: see transport.h. */
#ifndef GANTRY_DEVICES_HOST_NET_UCX_UCX_MESSAGES_H
#define GANTRY_DEVICES_HOST_NET_UCX_UCX_MESSAGES_H

#include "devices/host/net/ucx/ucx_state.h"

/* UCX reserves memory for a request of this transport beside its own. */
size_t ucx_messages_request_size(void);
void ucx_messages_request_init(void *memory);

struct transport_request *ucx_messages_send(struct transport_peer *peer, uint64_t tag,
                                            const void *data, uint64_t size, transport_done *done,
                                            void *context);
struct transport_request *ucx_messages_receive(struct transport *transport, uint64_t tag,
                                               void *data, uint64_t size, transport_done *done,
                                               void *context);
void ucx_messages_cancel(struct transport *transport, struct transport_request *request);
/* Ends all requests as lost, without UCX. */
void ucx_messages_lose(struct transport *transport);

#endif
