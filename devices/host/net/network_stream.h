/* network_stream.h: what two processes owe each other in an exchange: a stream of bytes in each
 * direction. It is cut into segments, of which a few are on their way at once: they are packed from
 * the pieces of memory, and unpacked into them, by the thread that advances the stream. Streams to
 * a process on the same machine may lend their bytes instead (network_loan.h).
 *
 * NOT thread-safe: one thread at a time for each stream. */
#ifndef GANTRY_DEVICES_HOST_NET_NETWORK_STREAM_H
#define GANTRY_DEVICES_HOST_NET_NETWORK_STREAM_H

#include "devices/host/net/net_cursor.h"
#include "devices/host/net/network_loan.h"

enum { NETWORK_WINDOW = 8 /* segments on their way in each direction */ };

struct network_direction {
    struct net_cursor cursor;
    uint64_t tag, total; /* bytes */
    uint64_t begun;      /* bytes of segments that were started */
    uint64_t done;       /* bytes that were unpacked */
    struct network_segment *window[NETWORK_WINDOW];
    unsigned first, last; /* segments in the window, modulo its size */
    struct network_loan loan;
    bool is_lent; /* a loan was offered, or is awaited */
};

struct network_stream {
    const struct network_exchange *exchange; /* borrowed until network_stream_end() */
    const struct network_flow *flow;         /* of the exchange */
    atomic_uint *changes;                    /* futex of the thread that waits; borrowed */
    struct transport_peer *link;
    struct network_direction out, in;
    bool is_asked; /* network_wait_ask() */
};

/* Connects to the process at first. Requires the lock. */
struct error *network_stream_begin(struct network_stream *stream,
                                   const struct network_exchange *exchange,
                                   const struct network_flow *flow, atomic_uint *changes);
/* Does what can be done without waiting; sets *moved if that was something. */
struct error *network_stream_advance(struct network_stream *stream, bool *moved);
/* For a stream that only sends: sends everything now. The channel owns the segments. */
struct error *network_stream_post(struct network_stream *stream);
/* Everything is received, and sent bytes may be overwritten. */
bool network_stream_is_complete(const struct network_stream *stream);
/* Whether the other process has yet to do something. */
bool network_stream_waits(const struct network_stream *stream);
/* Segments that are on their way complete by themselves; `has_failed`: the other process does not
 * need them. Accepts a stream of zeros. Requires the lock. */
void network_stream_end(struct network_stream *stream, bool has_failed);

#endif
