/* net_proof_test.c: proofs between two ends, and what proves nothing. */
#include "devices/host/net/net_proof.h"

#include <criterion/criterion.h>
#include <string.h>

static const uint8_t token[NET_TOKEN] = {1, 2, 3}, other[NET_TOKEN] = {1, 2, 4};

/* Hands over bytes in parts of `part`. */
static enum net_proof_result hand(struct net_proof *to, const struct net_proof_bytes *bytes,
                                  size_t part, const uint8_t key[NET_TOKEN],
                                  struct net_proof_bytes *answer)
{
    enum net_proof_result result = NET_PROOF_GOES_ON;
    for (size_t at = 0; at < bytes->size;) {
        size_t missing;
        void *next = net_proof_next(to, &missing);
        cr_assert(missing > 0 && missing <= bytes->size - at);
        size_t size = part < missing ? part : missing;
        memcpy(next, bytes->bytes + at, size);
        result = net_proof_take(to, size, key, answer);
        at += size;
        cr_expect(at == bytes->size || (result == NET_PROOF_GOES_ON && !answer->size));
    }
    return result;
}

struct ends {
    struct net_proof acceptor, connector;
    struct net_proof_bytes number, proof, answer;
};

/* Up to the connector's proof. */
static void begin(struct ends *ends, size_t part, const uint8_t key[NET_TOKEN])
{
    struct net_proof_bytes nothing;
    cr_assert(net_proof_begin(&ends->acceptor, true, &ends->number));
    cr_assert(net_proof_begin(&ends->connector, false, &nothing));
    cr_expect(ends->number.size == NET_NUMBER && !nothing.size);
    cr_expect_eq(hand(&ends->connector, &ends->number, part, key, &ends->proof), NET_PROOF_GOES_ON);
    cr_expect_eq(ends->proof.size, NET_PROOF_BYTES);
}

Test(net_proof, holds_between_ends_that_know_the_token)
{
    for (size_t part = 1; part <= NET_PROOF_BYTES; part++) {
        struct ends ends;
        struct net_proof_bytes nothing;
        begin(&ends, part, token);
        cr_expect_eq(hand(&ends.acceptor, &ends.proof, part, token, &ends.answer), NET_PROOF_HOLDS);
        cr_expect_eq(ends.answer.size, NET_PROOF);
        cr_expect_eq(hand(&ends.connector, &ends.answer, part, token, &nothing), NET_PROOF_HOLDS);
        cr_expect_eq(nothing.size, 0);
    }
}

Test(net_proof, fails_with_another_token)
{
    struct ends ends;
    struct net_proof_bytes nothing;
    begin(&ends, NET_PROOF_BYTES, other);
    cr_expect_eq(hand(&ends.acceptor, &ends.proof, 32, token, &ends.answer), NET_PROOF_FAILS);
    cr_expect_eq(ends.answer.size, 0, "it proves nothing to others");
    begin(&ends, NET_PROOF_BYTES, token);
    cr_expect_eq(hand(&ends.acceptor, &ends.proof, 32, token, &ends.answer), NET_PROOF_HOLDS);
    cr_expect_eq(hand(&ends.connector, &ends.answer, 16, other, &nothing), NET_PROOF_FAILS);
}

Test(net_proof, fails_when_a_bit_differs)
{
    for (int bit = 0; bit < 8 * NET_PROOF_BYTES; bit++) {
        struct ends ends;
        begin(&ends, NET_PROOF_BYTES, token);
        ends.proof.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        cr_expect_eq(hand(&ends.acceptor, &ends.proof, 32, token, &ends.answer), NET_PROOF_FAILS);
    }
    for (int bit = 0; bit < 8 * NET_PROOF; bit++) {
        struct ends ends;
        struct net_proof_bytes nothing;
        begin(&ends, NET_PROOF_BYTES, token);
        hand(&ends.acceptor, &ends.proof, 32, token, &ends.answer);
        ends.answer.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        cr_expect_eq(hand(&ends.connector, &ends.answer, 16, token, &nothing), NET_PROOF_FAILS);
    }
}

/* Neither what was said on another connection, nor what the end itself has said. */
Test(net_proof, fails_with_recorded_bytes)
{
    struct ends recorded, ends;
    struct net_proof_bytes nothing, own = {.size = NET_PROOF};
    begin(&recorded, NET_PROOF_BYTES, token);
    hand(&recorded.acceptor, &recorded.proof, 32, token, &recorded.answer);
    begin(&ends, NET_PROOF_BYTES, token);
    cr_expect_eq(hand(&ends.acceptor, &recorded.proof, 32, token, &nothing), NET_PROOF_FAILS);
    struct net_proof connector = ends.connector;
    cr_expect_eq(hand(&connector, &recorded.answer, 16, token, &nothing), NET_PROOF_FAILS);
    memcpy(own.bytes, ends.proof.bytes + NET_NUMBER, NET_PROOF);
    cr_expect_eq(hand(&ends.connector, &own, 16, token, &nothing), NET_PROOF_FAILS);
}
