/* proto.h: protobuf messages written by hand, inner ones first, as a message's size precedes
 * it. Source of the encoding: protobuf.dev, "Encoding". Bytes are in an arena; every call is
 * made under arena_run(), which is where memory that is gone ends. One thread at a time. */
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

/* A bare number: an element of a packed field. */
void proto_varint(struct proto *to, uint64_t value);
/* Fields. What they hold is copied. */
void proto_number(struct proto *to, int field, int64_t value);
void proto_bytes(struct proto *to, int field, const void *bytes, size_t size);
void proto_string(struct proto *to, int field, const char *string);
/* A message, or a packed field, that is complete. */
void proto_message(struct proto *to, int field, const struct proto *message);

#endif
