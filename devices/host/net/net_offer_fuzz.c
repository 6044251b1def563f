/* net_offer_fuzz.c: any bytes as an offer of memory from another process: an error, or pieces that
 * have the expected bytes together. */
#include <stdint.h>

#include "devices/host/net/net_cursor.h"
#include "devices/host/net/net_offer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct net_offer offer;
    uint64_t total = size < 2 ? 0 : UINT64_C(1) << data[1] % 63;
    struct error *error = net_offer_read(data, size, total, &offer);
    if (!error && (offer.count > NET_OFFER_PIECES ||
                   (offer.count && net_cursor_total(offer.pieces, (int)offer.count) != total)))
        __builtin_trap();
    error_free(error);
    return 0;
}
