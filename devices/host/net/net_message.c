/* net_message.c: see net_message.h. */
#include "devices/host/net/net_message.h"

#include <string.h>

static const char mark[4] = {'G', 'N', 'E', 'T'};
enum { VERSION = 4, HEAD = offsetof(struct net_message, text) };

void net_message_make(struct net_message *message, enum net_kind kind,
                      const uint8_t token[NET_TOKEN], int sender, const char *text)
{
    size_t size = strlen(text);
    *message = (struct net_message){.version = VERSION, .kind = (uint16_t)kind};
    message->text_size = (uint32_t)(size < NET_TEXT ? size : NET_TEXT);
    message->sender = (uint32_t)sender;
    memcpy(message->mark, mark, sizeof mark);
    memcpy(message->token, token, NET_TOKEN);
    memcpy(message->text, text, message->text_size);
}

size_t net_message_size(const struct net_message *message)
{
    return HEAD + message->text_size;
}

/* The same time for every token. */
static bool is_token(const uint8_t *a, const uint8_t *b)
{
    unsigned difference = 0;
    for (int i = 0; i < NET_TOKEN; i++)
        difference |= (unsigned)(a[i] ^ b[i]);
    return !difference;
}

struct error *net_message_read(const void *bytes, size_t size, const uint8_t token[NET_TOKEN],
                               int processes, int receiver, struct net_message *out)
{
    memset(out, 0, sizeof *out);
    if (size < HEAD || size > HEAD + NET_TEXT)
        return ERROR(INVALID_ARGUMENT,
                     "a message between processes has %zu bytes; allowed: %d to %d", size,
                     (int)HEAD, (int)HEAD + NET_TEXT);
    memcpy(out, bytes, size);
    if (memcmp(out->mark, mark, sizeof mark) || out->version != VERSION ||
        out->text_size != size - HEAD || out->kind > NET_WAIT || out->code > 16)
        return ERROR(INVALID_ARGUMENT,
                     "%zu bytes are not a message of version %d between processes", size, VERSION);
    if (!is_token(out->token, token) || out->sender >= (uint32_t)processes ||
        out->sender == (uint32_t)receiver || out->awaited >= (uint32_t)processes)
        return ERROR(INVALID_ARGUMENT, "a message of process %u is not of this job", out->sender);
    return NULL;
}

/* ---- tags ------------------------------------------------------------------------------------ */
static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static void round_of(uint64_t v[4])
{
    v[0] += v[1], v[1] = rotate(v[1], 13) ^ v[0], v[0] = rotate(v[0], 32);
    v[2] += v[3], v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3], v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1], v[1] = rotate(v[1], 17) ^ v[2], v[2] = rotate(v[2], 32);
}

static void absorb(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    round_of(v), round_of(v);
    v[0] ^= word;
}

uint64_t net_message_hash(const uint8_t key[NET_TOKEN], const uint64_t *words, size_t count)
{
    uint64_t k[2];
    memcpy(k, key, sizeof k);
    uint64_t v[4] = {k[0] ^ 0x736f6d6570736575, k[1] ^ 0x646f72616e646f6d,
                     k[0] ^ 0x6c7967656e657261, k[1] ^ 0x7465646279746573};
    for (size_t i = 0; i < count; i++)
        absorb(v, words[i]);
    absorb(v, (uint64_t)(count * 8) << 56);
    v[2] ^= 0xff;
    for (int i = 0; i < 4; i++)
        round_of(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
