/* net_offer.c: see net_offer.h. */
#include "devices/host/net/net_offer.h"

#include <string.h>

static const char mark[4] = {'G', 'N', 'O', '1'};
/* LEAST_ROW: bytes, on average. The system needs 0.4 us a row to find its pages, and then 0.3 ns a
 * byte; messages need 0.3 to 0.6 ns a byte, whatever the rows. */
enum { HEAD = offsetof(struct net_offer, pieces), LEAST_ROW = 2048 };

void net_offer_make(struct net_offer *offer, const struct net_piece *pieces, int count)
{
    *offer = (struct net_offer){.count = (uint32_t)count};
    memcpy(offer->mark, mark, sizeof mark);
    if (count)
        memcpy(offer->pieces, pieces, (size_t)count * sizeof *pieces);
}

size_t net_offer_size(const struct net_offer *offer)
{
    return HEAD + offer->count * sizeof *offer->pieces;
}

bool net_offer_suits(const struct net_piece *pieces, int count)
{
    int64_t rows = 0, bytes = 0;
    for (int i = 0; i < count; i++) {
        rows += pieces[i].stride == pieces[i].row_bytes ? 1 : pieces[i].rows;
        bytes += pieces[i].rows * pieces[i].row_bytes;
    }
    return count <= NET_OFFER_PIECES && bytes / LEAST_ROW >= rows;
}

/* Whether the addresses of the rows are numbers. */
static bool is_reachable(const struct net_piece *piece)
{
    int64_t reach, end;
    return !__builtin_mul_overflow(piece->rows, piece->stride, &reach) &&
           !__builtin_add_overflow((int64_t)(intptr_t)piece->base, reach, &end);
}

/* Whether the pieces have `total` bytes together. */
static bool has_total(const struct net_offer *offer, uint64_t total)
{
    for (uint32_t i = 0; i < offer->count; i++) {
        const struct net_piece *piece = &offer->pieces[i];
        if (piece->rows <= 0 || piece->row_bytes <= 0 ||
            (uint64_t)piece->rows > total / (uint64_t)piece->row_bytes || !is_reachable(piece))
            return false;
        total -= (uint64_t)piece->rows * (uint64_t)piece->row_bytes;
    }
    return !total;
}

struct error *net_offer_read(const void *bytes, size_t size, uint64_t total, struct net_offer *out)
{
    memset(out, 0, sizeof *out);
    if (size < HEAD || size > sizeof *out)
        return ERROR(INVALID_ARGUMENT,
                     "an offer of another process has %zu bytes; allowed: %d to %d", size,
                     (int)HEAD, (int)sizeof *out);
    memcpy(out, bytes, size);
    if (memcmp(out->mark, mark, sizeof mark) || out->count > NET_OFFER_PIECES ||
        size != net_offer_size(out) || (out->count && !has_total(out, total)))
        return ERROR(INVALID_ARGUMENT,
                     "%zu bytes of another process are not an offer of %llu bytes of memory", size,
                     (unsigned long long)total);
    return NULL;
}
