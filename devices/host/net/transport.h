/* transport.h: messages between processes: the narrow table behind which an engine does the work
 * (ucx/transport_ucx.c, in libgantry_net.so). An engine moves bytes between processes by 64-bit
 * tags; all else (peers, deadlines, collectives) is network.h's.
 *
 * Messages from one process to another with equal tags arrive in the order in which they were sent.
 * A receive takes the first message with its tag, be it sent before or after.
 *
 * NOT thread-safe: one call at a time for each transport. `done` and `lost` are called inside of
 * the calls below, so they must not call the transport. */
#ifndef GANTRY_DEVICES_HOST_NET_TRANSPORT_H
#define GANTRY_DEVICES_HOST_NET_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/host/net/net_message.h"

struct transport;         /* this process */
struct transport_peer;    /* another process */
struct transport_request; /* a send or receive that is not complete */

enum transport_status {
    TRANSPORT_DONE,
    TRANSPORT_CANCELLED,
    TRANSPORT_TRUNCATED, /* the message was longer than the receive */
    TRANSPORT_LOST       /* the peer has ended or cannot be reached */
};

/* A longer message is complete when its receiver has begun to receive it, so a sender cannot fill
 * the receiver's memory with messages that it does not expect yet. */
enum { TRANSPORT_AHEAD = 16 << 10 };

/* Calls of check() after which an accepted connection that has not proved anything is closed. */
enum { TRANSPORT_CHECKS = 10 };

/* Called once for each request. `size`: the bytes received. */
typedef void transport_done(void *context, enum transport_status status, uint64_t size);

struct transport_ops {
    /* *out is owned: close(). It uses the network interface of that name, or all (NULL).
     * UNAVAILABLE when the machine has no usable network. */
    struct error *(*init)(const char *interface, struct transport **out);
    /* The address by which others connect, opaque bytes; owned (alloc_free). */
    struct error *(*address)(struct transport *transport, void **bytes, size_t *size);
    /* Whether the process with that address and this one may read each other's memory
     * (near_memory.h), as far as is known. The same in both. Thread-safe. */
    bool (*reads)(const void *address, size_t size);
    /* Connections exist only between processes with this token, which each end proves to the other
     * (net_proof.h). Those that begin before this call wait for it. */
    void (*admit)(struct transport *transport, const uint8_t token[NET_TOKEN]);
    /* Where this process accepts connections, as text: "10.0.0.1:41235, 10.1.0.1:36411"; truncated
     * to `capacity` bytes, its NUL included. */
    void (*listens)(struct transport *transport, char *out, size_t capacity);
    /* Returns at once; an address without an answer is reported by `lost`, now or later. *out
     * belongs to the transport. INVALID_ARGUMENT for bytes that are not an address,
     * RESOURCE_EXHAUSTED when the system cannot watch one more process. */
    struct error *(*connect)(struct transport *transport, const void *address, size_t size,
                             void (*lost)(void *context), void *context,
                             struct transport_peer **out);
    /* Both borrow `data` until `done`. They return NULL if `done` has been called already,
     * otherwise a request that is valid until then. */
    struct transport_request *(*isend)(struct transport_peer *peer, uint64_t tag, const void *data,
                                       uint64_t size, transport_done *done, void *context);
    struct transport_request *(*irecv)(struct transport *transport, uint64_t tag, void *data,
                                       uint64_t size, transport_done *done, void *context);
    /* Advances requests; returns whether anything happened. */
    bool (*progress)(struct transport *transport);
    /* Asks for the request to end with TRANSPORT_CANCELLED, unless it completes before. */
    void (*cancel)(struct transport *transport, struct transport_request *request);
    /* The peer has ended: what is on its way to it ends, now or later. */
    void (*abandon)(struct transport_peer *peer);
    /* Looks for peers that are cut off, and for connections from others. To be called about every
     * second, and then progress(). */
    void (*check)(struct transport *transport);
    /* Looks for peers on this machine that have ended; makes fd() readable when there is something
     * to do, or one of them ends. False: there is already. */
    bool (*arm)(struct transport *transport);
    int (*fd)(struct transport *transport);
    /* Makes fd() readable. Exception: thread-safe. */
    void (*wake)(struct transport *transport);
    /* Lets the peers receive messages in flight, ends all requests with their `done`, and closes
     * all peers, within a second. */
    void (*close)(struct transport *transport);
};

/* What an engine's library exports as net_transport (ucx/transport_ucx.h). */
typedef const struct transport_ops *net_transport_function(void);

#endif
