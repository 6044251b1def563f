/* digest.c: XXH3-128 (xxHash) of a file, in pieces. */
#include "conformance/cts/digest.h"

#include <stdint.h>
#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct error *digest_file(const char *path, char out[DIGEST_TEXT])
{
    XXH3_state_t state;
    unsigned char bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    if (!file)
        return ERROR(NOT_FOUND, "%s: the file cannot be opened", path);
    XXH3_128bits_reset(&state);
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, file)) > 0;)
        XXH3_128bits_update(&state, bytes, size);
    fclose(file);
    XXH128_hash_t hash = XXH3_128bits_digest(&state);
    snprintf(out, DIGEST_TEXT, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    return NULL;
}
