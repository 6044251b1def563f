/* digest.c: SHA-256 (FIPS 180-4). */
#include "conformance/cts/digest.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct digest {
    uint32_t state[8];
    uint64_t size; /* bytes so far */
    unsigned char block[64];
};

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/* The same of the square roots of the first 8 primes. */
static const struct digest start = {.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};

static uint32_t rotate(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

static void expand(const unsigned char *block, uint32_t w[64])
{
    for (int i = 0; i < 16; i++, block += 4)
        w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 |
               block[3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
}

static void add_block(struct digest *digest, const unsigned char *block)
{
    uint32_t w[64], v[8]; /* v: a to h of the standard */
    expand(block, w);
    memcpy(v, digest->state, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t first = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) +
                         ((v[4] & v[5]) ^ (~v[4] & v[6])) + round_constants[i] + w[i];
        uint32_t second = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) +
                          ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        digest->state[i] += v[i];
}

static void add(struct digest *digest, const unsigned char *bytes, size_t size)
{
    size_t i = 0;
    for (; digest->size % 64 == 0 && i + 64 <= size; i += 64, digest->size += 64)
        add_block(digest, bytes + i);
    for (; i < size; i++) {
        digest->block[digest->size++ % 64] = bytes[i];
        if (digest->size % 64 == 0)
            add_block(digest, digest->block);
    }
}

static void finish(struct digest *digest, char out[DIGEST_TEXT])
{
    uint64_t bits = digest->size * 8;
    unsigned char padding[64] = {0x80}, length[8];
    add(digest, padding, 1 + (119 - digest->size % 64) % 64);
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    add(digest, length, 8);
    for (int i = 0; i < 8; i++)
        snprintf(out + i * 8, 9, "%08x", digest->state[i]);
}

void digest_bytes(const void *bytes, size_t size, char out[DIGEST_TEXT])
{
    struct digest digest = start;
    add(&digest, bytes, size);
    finish(&digest, out);
}

struct error *digest_file(const char *path, char out[DIGEST_TEXT])
{
    struct digest digest = start;
    unsigned char bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    if (!file)
        return ERROR(NOT_FOUND, "%s: the file cannot be opened", path);
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, file)) > 0;)
        add(&digest, bytes, size);
    fclose(file);
    finish(&digest, out);
    return NULL;
}
