/* network_loan.c: see network_loan.h. */
#include "devices/host/net/network_loan.h"

#include <string.h>
#include <unistd.h>

#include "devices/host/net/near_memory.h"

/* Bytes that are lent. A loan costs an answer, and saves a copy: 7 us more and some 0.3 ns a byte
 * less (base/loggp.h), so it pays from about 24 KB on where both processes spin. Where they sleep,
 * the answer must wake the lender, too, and it pays from more bytes on. */
enum { LEAST = 64 << 10 };

bool network_loan_suits(const struct network_peer *peer, uint64_t total)
{
    return peer->reads && total >= LEAST;
}

bool network_reads(const struct network_channel *channel, int process)
{
    const struct network_peer *peer = &channel->network->peers[process];
    return peer->reads && !atomic_load(&peer->cannot_read);
}

static struct error *send_bytes(const struct network_loan_terms *terms, uint64_t tag,
                                const void *bytes, size_t size, struct network_segment **out)
{
    struct network *network = terms->peer->network;
    TRY(network_segment_create(network, size, out));
    memcpy((*out)->bytes, bytes, size);
    fork_lock_take(&network->lock);
    network_segment_send(*out, terms->link, tag, size, terms->changes);
    fork_lock_release(&network->lock);
    return NULL;
}

static struct error *await_bytes(const struct network_loan_terms *terms, uint64_t tag, size_t size,
                                 struct network_segment **out)
{
    struct network *network = terms->peer->network;
    TRY(network_segment_create(network, size, out));
    fork_lock_take(&network->lock);
    network_segment_receive(*out, tag, size, terms->changes);
    fork_lock_release(&network->lock);
    return NULL;
}

/* *arrived: the message is there. */
static struct error *check_arrived(const struct network_segment *segment,
                                   const struct network_loan_terms *terms, bool *arrived)
{
    *arrived = segment && atomic_load(&segment->is_done);
    if (!*arrived || segment->status == TRANSPORT_DONE)
        return NULL;
    return ERROR(UNAVAILABLE, "no offer of memory, or no answer, was received from host %s",
                 terms->peer->host);
}

/* ---- the lender ------------------------------------------------------------------------------ */
struct error *network_loan_offer(struct network_loan *loan, const struct network_loan_terms *terms)
{
    bool offers =
        !atomic_load(&terms->peer->cannot_read) && net_offer_suits(terms->pieces, terms->count);
    struct net_offer offer;
    net_offer_make(&offer, terms->pieces, offers ? terms->count : 0);
    offer.process = (uint64_t)getpid();
    offer.proof_at = (uint64_t)(uintptr_t)&loan->proof;
    offer.proof = terms->offer_tag | 1;
    atomic_store(&loan->proof, offer.proof);
    loan->is_open = offers;
    if (offers)
        TRY(await_bytes(terms, terms->answer_tag, 1, &loan->answer));
    return send_bytes(terms, terms->offer_tag, &offer, net_offer_size(&offer), &loan->offer);
}

struct error *network_loan_lend(struct network_loan *loan, const struct network_loan_terms *terms,
                                bool *taken)
{
    bool arrived;
    *taken = false;
    TRY(check_arrived(loan->answer, terms, &arrived));
    if (!loan->is_open || !arrived)
        return NULL;
    enum net_answer answer = (unsigned char)loan->answer->bytes[0];
    if (loan->answer->size != 1 || answer > NET_ANSWER_CANNOT)
        return ERROR(INVALID_ARGUMENT, "an invalid answer to an offer of memory");
    loan->is_open = false;
    atomic_store(&loan->proof, 0);
    if (answer == NET_ANSWER_CANNOT)
        atomic_store(&terms->peer->cannot_read, true);
    *taken = answer == NET_ANSWER_TAKEN;
    return NULL;
}

/* ---- the borrower ---------------------------------------------------------------------------- */
struct error *network_loan_await(struct network_loan *loan, const struct network_loan_terms *terms)
{
    loan->is_open = true;
    return await_bytes(terms, terms->offer_tag, sizeof(struct net_offer), &loan->offer);
}

static enum net_answer read_offered(const struct net_offer *offer,
                                    const struct network_loan_terms *terms)
{
    if (!net_offer_suits(terms->pieces, terms->count) ||
        !net_offer_suits(offer->pieces, (int)offer->count))
        return NET_ANSWER_SEND;
    switch (near_memory_read(offer, terms->pieces, terms->total)) {
    case NEAR_MEMORY_READ: return NET_ANSWER_TAKEN;
    case NEAR_MEMORY_FORBIDDEN: return NET_ANSWER_CANNOT;
    default: return NET_ANSWER_SEND;
    }
}

struct error *network_loan_take(struct network_loan *loan, const struct network_loan_terms *terms,
                                bool *taken)
{
    struct net_offer offer;
    bool arrived;
    *taken = false;
    TRY(check_arrived(loan->offer, terms, &arrived));
    if (!loan->is_open || !arrived)
        return NULL;
    TRY(net_offer_read(loan->offer->bytes, loan->offer->size, terms->total, &offer));
    loan->is_open = false;
    if (!offer.count)
        return NULL;
    char answer = (char)read_offered(&offer, terms);
    *taken = answer == NET_ANSWER_TAKEN;
    return send_bytes(terms, terms->answer_tag, &answer, 1, &loan->answer);
}

/* ---- both ------------------------------------------------------------------------------------ */
static void drop(struct network_segment *segment, bool receives, bool has_failed)
{
    if (has_failed && segment)
        network_segment_forget(segment);
    network_segment_drop(segment, receives);
}

void network_loan_end(struct network_loan *loan, bool lends, bool has_failed)
{
    atomic_store(&loan->proof, 0);
    drop(loan->offer, !lends, has_failed);
    drop(loan->answer, lends, has_failed);
}
