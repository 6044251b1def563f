/* hlo_wire.h: messages of hlo.proto and xla_data.proto written by hand, inner ones first. Field
 * numbers are the public protos'. Bytes lie in an arena; all of it runs under arena_run(). */
#ifndef GANTRY_RUNTIME_HLO_WIRE_H
#define GANTRY_RUNTIME_HLO_WIRE_H

#include "base/arena.h"
#include "base/dtype.h"

struct hlo_message { /* starts as {arena} */
    struct arena *arena;
    unsigned char *bytes;
    size_t size, capacity;
};

void hlo_wire_varint(struct hlo_message *to,
                     uint64_t value); /* bare: an element of a packed field */
void hlo_wire_number(struct hlo_message *to, int field, int64_t value);
void hlo_wire_string(struct hlo_message *to, int field, const char *string);
/* Adds a message (or packed field) that is complete. */
void hlo_wire_message(struct hlo_message *to, int field, const struct hlo_message *message);

struct hlo_array { /* dims are borrowed for the call */
    enum dtype dtype;
    int rank;
    const int64_t *dims;
    const int64_t *minor_to_major; /* NULL: row-major */
};

/* A ShapeProto: an array; or, when `count` is not 1, a tuple of arrays. */
void hlo_wire_shape(struct hlo_message *to, int field, const struct hlo_array *arrays, int count);

#endif
