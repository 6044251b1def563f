/* network_loan.h: bytes of a flow that a process on the same machine reads from this one's memory
 * (near_memory.h) instead of receiving them. The lender offers them, and lends them until the
 * borrower has answered that it has taken them, or that they shall be sent. A borrower that cannot
 * read answers so, and the lender sends from then on. */
#ifndef GANTRY_DEVICES_HOST_NET_NETWORK_LOAN_H
#define GANTRY_DEVICES_HOST_NET_NETWORK_LOAN_H

#include "devices/host/net/network_state.h"

struct network_loan { /* of one direction of a flow; all zeros: none */
    struct network_segment *offer, *answer;
    _Atomic uint64_t proof; /* net_offer.h; of the lender */
    bool is_open;           /* offered or awaited, and not yet answered */
};

struct network_loan_terms {
    struct network_peer *peer; /* the other process */
    struct transport_peer *link;
    uint64_t offer_tag, answer_tag;
    const struct net_piece *pieces; /* to read, or to write */
    int count;
    uint64_t total;
    atomic_uint *changes; /* futex of the run */
};

/* Whether flows of this size are lent to the process, or borrowed from it; both sides agree. */
bool network_loan_suits(const struct network_peer *peer, uint64_t total);

/* None of these waits; they change nothing when there is nothing to do. Two calls for a loan, one
 * after the other: */
struct error *network_loan_offer(struct network_loan *loan, const struct network_loan_terms *terms);
struct error *network_loan_await(struct network_loan *loan, const struct network_loan_terms *terms);
/* *taken: the borrower has the bytes. Otherwise, when the loan is no longer open, they are sent.
 * Errors: INVALID_ARGUMENT for invalid messages. */
struct error *network_loan_lend(struct network_loan *loan, const struct network_loan_terms *terms,
                                bool *taken);
struct error *network_loan_take(struct network_loan *loan, const struct network_loan_terms *terms,
                                bool *taken);
/* Ends the loan: the borrower learns from the proof if it reads later. Requires the lock. */
void network_loan_end(struct network_loan *loan, bool lends, bool has_failed);

#endif
