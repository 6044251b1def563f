/* proto.h: a protobuf encoder. Inner messages are written first, since a message's size precedes
 * it. For the encoding, see protobuf.dev, "Encoding". Bytes are allocated in an arena, so every
 * call must be inside arena_run(), which reports exhausted memory. One thread at a time. */
#ifndef GANTRY_BASE_PROTO_H
#define GANTRY_BASE_PROTO_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct proto { /* starts as {arena} */
    struct arena *arena;
    unsigned char *bytes;
    size_t size, capacity;
};

/* A varint without a tag: an element of a packed field. */
void proto_varint(struct proto *to, uint64_t value);
/* Fields. Their contents are copied. */
void proto_number(struct proto *to, int field, int64_t value);
void proto_double(struct proto *to, int field, double value);
void proto_bytes(struct proto *to, int field, const void *bytes, size_t size);
/* A string, which must be UTF-8 or readers refuse the whole message: of other bytes, such as those
 * of a character that was cut, each becomes '?'. */
void proto_text(struct proto *to, int field, const char *text, size_t size);
void proto_string(struct proto *to, int field, const char *string);
/* A complete message or packed field. */
void proto_message(struct proto *to, int field, const struct proto *message);

#endif
