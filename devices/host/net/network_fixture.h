/* network_fixture.h: a network of four processes, of which this one is the first, without a thread;
 * its transport loses everything. What the others say is passed to network_channel_hear(). */
#ifndef GANTRY_DEVICES_HOST_NET_NETWORK_FIXTURE_H
#define GANTRY_DEVICES_HOST_NET_NETWORK_FIXTURE_H

#include "base/alloc.h"
#include "devices/host/net/network_state.h"

enum { PROCESSES = 4 };

static int sent; /* messages */

/* ---- a transport that loses everything ------------------------------------------------------- */
static inline struct error *fixture_connect(struct transport *transport, const void *address,
                                            size_t size, void (*lost)(void *context), void *context,
                                            struct transport_peer **out)
{
    static char peer;
    (void)transport, (void)address, (void)size, (void)lost, (void)context;
    *out = (struct transport_peer *)&peer;
    return NULL;
}

static inline struct transport_request *fixture_isend(struct transport_peer *peer, uint64_t tag,
                                                      const void *data, uint64_t size,
                                                      transport_done *done, void *context)
{
    (void)peer, (void)tag, (void)data, (void)size;
    sent++;
    done(context, TRANSPORT_DONE, 0);
    return NULL;
}

static const struct transport_ops ops = {.connect = fixture_connect, .isend = fixture_isend};

/* ---- the network ----------------------------------------------------------------------------- */
static inline struct network *make(void)
{
    static char host[] = "host";
    struct network *network;
    if (alloc_zeroed(sizeof *network, &network) ||
        alloc_array(PROCESSES, sizeof *network->peers, &network->peers))
        __builtin_trap();
    fork_lock_init(&network->lock, FORK_NETWORK, NULL);
    network->ops = &ops;
    network->count = PROCESSES;
    for (int i = 0; i < PROCESSES; i++)
        network->peers[i] = (struct network_peer){.network = network, .host = host};
    return network;
}

static inline void destroy(struct network *network)
{
    network_channel_forget_all(network);
    fork_lock_remove(&network->lock);
    alloc_free(network->peers);
    alloc_free(network);
}

#endif
