/* net_offer.h: the message by which a process lets another one on the same machine read the bytes
 * that it would send from its memory. Its tag is secret (net_message.h), so no other
 * process can make one. Pure functions; thread-safe. */
#ifndef GANTRY_DEVICES_HOST_NET_NET_OFFER_H
#define GANTRY_DEVICES_HOST_NET_NET_OFFER_H

#include "devices/host/net/network.h"

enum { NET_OFFER_PIECES = 64 };

/* While the process lends its bytes, the word at `proof_at` has the value `proof`. A reader that
 * finds this value after reading the bytes has read the right process in time. */
struct net_offer {
    char mark[4];
    uint32_t count;   /* of the pieces; 0: the bytes are sent instead */
    uint64_t process; /* its number in the system */
    uint64_t proof_at, proof;
    struct net_piece pieces[NET_OFFER_PIECES]; /* addresses in that process */
};

enum net_answer { /* to an offer; one byte */
                  NET_ANSWER_TAKEN,
                  NET_ANSWER_SEND,  /* these bytes shall be sent */
                  NET_ANSWER_CANNOT /* so shall all others: memory of that process cannot be read */
};

/* An offer without a process and a proof. */
void net_offer_make(struct net_offer *offer, const struct net_piece *pieces, int count);
/* Bytes to send. */
size_t net_offer_size(const struct net_offer *offer);
/* Whether pieces are few and long enough to be offered, and to be read from one. */
bool net_offer_suits(const struct net_piece *pieces, int count);
/* Reads `size` received bytes. INVALID_ARGUMENT for anything but an offer of `total` bytes, or an
 * empty one. */
struct error *net_offer_read(const void *bytes, size_t size, uint64_t total, struct net_offer *out);

#endif
