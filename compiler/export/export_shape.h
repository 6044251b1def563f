/* export_shape.h: exports shapes as ShapeProto of xla_data.proto. */
#ifndef GANTRY_COMPILER_EXPORT_EXPORT_SHAPE_H
#define GANTRY_COMPILER_EXPORT_EXPORT_SHAPE_H

#include "base/shape.h"
#include "base/proto.h"

/* Adds the shape of an array or, when `count` is not 1, of a tuple of arrays. Call inside
 * arena_run(). */
void export_shape(struct proto *to, int field, const struct shape *arrays, int count);

/* The shape of a text such as "bf16[8,512]{0,1:T(8,128)}", without its tiles: its arrays are in
 * `dims` (SHAPE_MAX_RANK numbers) and in `room`. Of a text that is none: an empty array of u8. */
struct shape export_shape_parse(const char *text, int64_t *dims, struct shape_layout *room);

/* A serialized ShapeProto of an array. *bytes is owned by the caller (alloc_free).
 * RESOURCE_EXHAUSTED when there is no memory. Thread-safe. */
struct error *export_shape_bytes(const struct shape *array, char **bytes, size_t *size);

#endif
