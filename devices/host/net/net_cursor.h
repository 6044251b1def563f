/* net_cursor.h: a position in a list of pieces (network.h), whose bytes are taken in their order.
 * Thread-safe: a cursor belongs to its owner. */
#ifndef GANTRY_DEVICES_HOST_NET_NET_CURSOR_H
#define GANTRY_DEVICES_HOST_NET_NET_CURSOR_H

#include "devices/host/net/network.h"

struct net_cursor {
    const struct net_piece *piece; /* borrowed */
    int64_t row, byte;
};

/* Bytes of all pieces. */
static inline uint64_t net_cursor_total(const struct net_piece *pieces, int count)
{
    uint64_t total = 0;
    for (int i = 0; i < count; i++)
        total += (uint64_t)(pieces[i].rows * pieces[i].row_bytes);
    return total;
}

/* Number of contiguous bytes from the position on; the cursor must not be at the end. */
static inline uint64_t net_cursor_run(struct net_cursor *at)
{
    while (at->row == at->piece->rows || !at->piece->row_bytes)
        *at = (struct net_cursor){.piece = at->piece + 1};
    const struct net_piece *piece = at->piece;
    int64_t rows = piece->stride == piece->row_bytes ? piece->rows - at->row : 1;
    return (uint64_t)(rows * piece->row_bytes - at->byte);
}

/* Address of the next `size` bytes, at most net_cursor_run(); advances the cursor. */
static inline char *net_cursor_take(struct net_cursor *at, uint64_t size)
{
    const struct net_piece *piece = at->piece;
    char *here = piece->base + at->row * piece->stride + at->byte;
    int64_t byte = at->byte + (int64_t)size;
    at->row += byte / piece->row_bytes;
    at->byte = byte % piece->row_bytes;
    return here;
}

#endif
