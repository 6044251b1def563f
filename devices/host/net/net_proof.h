/* net_proof.h: how the two ends of a connection prove to each other that they know the job's token,
 * which itself is not sent. Each end draws a random number for every connection, so a proof that
 * was recorded proves nothing on another one:
 *
 *   1. the acceptor sends its number;
 *   2. the connector sends its number and a proof, a keyed hash of both numbers;
 *   3. the acceptor checks it, and sends a proof of its own, a different hash of both numbers;
 *   4. the connector checks it.
 *
 * The hash is SipHash-2-4 with the token as its key (net_message.h), two words of it: a
 * pseudorandom function of short inputs, which is what a code for authentication needs. An acceptor
 * proves nothing to a connector that has not proved that it knows the token. The bytes behind the
 * proofs are neither encrypted nor authenticated.
 *
 * Pure functions, except that a number is drawn; thread-safe. */
#ifndef GANTRY_DEVICES_HOST_NET_NET_PROOF_H
#define GANTRY_DEVICES_HOST_NET_NET_PROOF_H

#include <stdbool.h>

#include "devices/host/net/net_message.h"

enum { NET_NUMBER = 16, NET_PROOF = 16, NET_PROOF_BYTES = NET_NUMBER + NET_PROOF };

struct net_proof { /* of one end of a connection */
    bool accepts;
    bool knows_number;                 /* of the other end */
    uint8_t numbers[2][NET_NUMBER];    /* the acceptor's, the connector's */
    uint8_t received[NET_PROOF_BYTES]; /* of the message that comes next */
    size_t received_size;
};

struct net_proof_bytes { /* to send; none: size 0 */
    uint8_t bytes[NET_PROOF_BYTES];
    size_t size;
};

enum net_proof_result { NET_PROOF_GOES_ON, NET_PROOF_HOLDS, NET_PROOF_FAILS };

/* *greeting: what this end sends first. False: the system has no random numbers. */
bool net_proof_begin(struct net_proof *proof, bool accepts, struct net_proof_bytes *greeting);
/* Where the bytes that come next belong, and how many are missing. */
void *net_proof_next(struct net_proof *proof, size_t *missing);
/* `size` of them have come, at most the missing ones. *answer: to send, unless it fails. */
enum net_proof_result net_proof_take(struct net_proof *proof, size_t size,
                                     const uint8_t token[NET_TOKEN],
                                     struct net_proof_bytes *answer);

#endif
