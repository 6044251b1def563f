/* net_proof.c: see net_proof.h. */
#include "devices/host/net/net_proof.h"

#include <string.h>
#include <sys/random.h>

enum { ACCEPTOR, CONNECTOR };                        /* in net_proof.numbers */
enum { PROOF_TAG = 5 /* network_stream.c has 4 */ }; /* what a hash is for */

static int self(const struct net_proof *proof)
{
    return proof->accepts ? ACCEPTOR : CONNECTOR;
}

static void add(struct net_proof_bytes *to, const void *bytes, size_t size)
{
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

/* What the end `prover` proves with. */
static void prove(const struct net_proof *proof, int prover, const uint8_t token[NET_TOKEN],
                  uint8_t out[NET_PROOF])
{
    uint64_t words[3 + sizeof proof->numbers / 8] = {PROOF_TAG, (uint64_t)prover}, hash[2];
    memcpy(words + 3, proof->numbers, sizeof proof->numbers);
    for (uint64_t i = 0; i < 2; i++) {
        words[2] = i;
        hash[i] = net_message_hash(token, words, sizeof words / sizeof *words);
    }
    memcpy(out, hash, NET_PROOF);
}

/* The same time for every proof. */
static bool is_proof(const struct net_proof *proof, int prover, const uint8_t token[NET_TOKEN],
                     const uint8_t *bytes)
{
    uint8_t right[NET_PROOF];
    unsigned difference = 0;
    prove(proof, prover, token, right);
    for (int i = 0; i < NET_PROOF; i++)
        difference |= (unsigned)(bytes[i] ^ right[i]);
    return !difference;
}

bool net_proof_begin(struct net_proof *proof, bool accepts, struct net_proof_bytes *greeting)
{
    *proof = (struct net_proof){.accepts = accepts};
    *greeting = (struct net_proof_bytes){0};
    if (getrandom(proof->numbers[self(proof)], NET_NUMBER, 0) != NET_NUMBER)
        return false;
    if (accepts)
        add(greeting, proof->numbers[ACCEPTOR], NET_NUMBER);
    return true;
}

static size_t expected(const struct net_proof *proof)
{
    return proof->accepts ? NET_PROOF_BYTES : proof->knows_number ? NET_PROOF : NET_NUMBER;
}

void *net_proof_next(struct net_proof *proof, size_t *missing)
{
    *missing = expected(proof) - proof->received_size;
    return proof->received + proof->received_size;
}

static enum net_proof_result take_as_acceptor(struct net_proof *proof,
                                              const uint8_t token[NET_TOKEN],
                                              struct net_proof_bytes *answer)
{
    memcpy(proof->numbers[CONNECTOR], proof->received, NET_NUMBER);
    if (!is_proof(proof, CONNECTOR, token, proof->received + NET_NUMBER))
        return NET_PROOF_FAILS;
    prove(proof, ACCEPTOR, token, answer->bytes);
    answer->size = NET_PROOF;
    return NET_PROOF_HOLDS;
}

static enum net_proof_result take_as_connector(struct net_proof *proof,
                                               const uint8_t token[NET_TOKEN],
                                               struct net_proof_bytes *answer)
{
    uint8_t own[NET_PROOF];
    if (proof->knows_number)
        return is_proof(proof, ACCEPTOR, token, proof->received) ? NET_PROOF_HOLDS
                                                                 : NET_PROOF_FAILS;
    memcpy(proof->numbers[ACCEPTOR], proof->received, NET_NUMBER);
    proof->knows_number = true;
    prove(proof, CONNECTOR, token, own);
    add(answer, proof->numbers[CONNECTOR], NET_NUMBER);
    add(answer, own, NET_PROOF);
    return NET_PROOF_GOES_ON;
}

enum net_proof_result net_proof_take(struct net_proof *proof, size_t size,
                                     const uint8_t token[NET_TOKEN], struct net_proof_bytes *answer)
{
    size_t whole = expected(proof);
    *answer = (struct net_proof_bytes){0};
    proof->received_size += size;
    if (proof->received_size < whole)
        return NET_PROOF_GOES_ON;
    proof->received_size = 0;
    return (proof->accepts ? take_as_acceptor : take_as_connector)(proof, token, answer);
}
