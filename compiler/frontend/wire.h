/* wire.h: protobuf messages from untrusted bytes. protobuf-c bounds neither nesting nor numbers, so
 * the bytes are walked along the message's descriptor before it reads them; what it makes is in
 * the arena. protobuf-c has no state between calls: what a thread unpacks into its own allocator is
 * independent of other threads. */
#ifndef GANTRY_COMPILER_FRONTEND_WIRE_H
#define GANTRY_COMPILER_FRONTEND_WIRE_H

#include <protobuf-c/protobuf-c.h>

#include "base/arena.h"
#include "base/error.h"

#define WIRE_MAX_DEPTH 64

/* INVALID_ARGUMENT, with the byte offset, when the bytes are no sound message: truncated, a field
 * number or wire type that does not exist, or messages nested deeper than WIRE_MAX_DEPTH. Cost is
 * linear in `size`. */
struct error *wire_check(const ProtobufCMessageDescriptor *descriptor, const void *bytes,
                         size_t size);

/* Checks, then unpacks into the arena: *out is never freed by itself. Call inside of
 * arena_run(). */
struct error *wire_unpack(struct arena *arena, const ProtobufCMessageDescriptor *descriptor,
                          const void *bytes, size_t size, ProtobufCMessage **out);

#endif
