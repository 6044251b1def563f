/* wire.h: parses protobuf messages from untrusted bytes. protobuf-c limits neither nesting nor
 * counts, so the bytes are checked against the message's descriptor first. Messages are allocated
 * in the arena. protobuf-c has no global state, so threads may parse concurrently, each with its
 * own arena. */
#ifndef GANTRY_COMPILER_FRONTEND_WIRE_H
#define GANTRY_COMPILER_FRONTEND_WIRE_H

#include <protobuf-c/protobuf-c.h>

#include "base/arena.h"
#include "base/error.h"

#define WIRE_MAX_DEPTH 64

/* INVALID_ARGUMENT with the byte offset when the bytes are malformed: truncated, an invalid field
 * number or wire type, or messages nested deeper than WIRE_MAX_DEPTH. Linear in `size`. */
struct error *wire_check(const ProtobufCMessageDescriptor *descriptor, const void *bytes,
                         size_t size);

/* Checks the bytes and unpacks them; *out is in the arena. Call inside arena_run(). */
struct error *wire_unpack(struct arena *arena, const ProtobufCMessageDescriptor *descriptor,
                          const void *bytes, size_t size, ProtobufCMessage **out);

#endif
