/* base64.h: bytes written as text by RFC 4648, with padding and without line breaks. */
#ifndef GANTRY_COMPILER_FRONTEND_MOSAIC_BASE64_H
#define GANTRY_COMPILER_FRONTEND_MOSAIC_BASE64_H

#include <stdint.h>

#include "base/arena.h"

/* Decodes all of `text`; *out, in the arena, has three bytes for four letters. INVALID_ARGUMENT
 * names the first letter that is out of place. Thread-safe for different arenas. */
struct error *base64_decode(struct arena *arena, const char *text, size_t text_size,
                            const uint8_t **out, size_t *size);

#endif
