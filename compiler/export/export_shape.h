/* export_shape.h: exports shapes as ShapeProto of xla_data.proto. Call inside arena_run(). */
#ifndef GANTRY_COMPILER_EXPORT_EXPORT_SHAPE_H
#define GANTRY_COMPILER_EXPORT_EXPORT_SHAPE_H

#include "base/shape.h"
#include "base/proto.h"

/* Adds the shape of an array or, when `count` is not 1, of a tuple of arrays. */
void export_shape(struct proto *to, int field, const struct shape *arrays, int count);

#endif
