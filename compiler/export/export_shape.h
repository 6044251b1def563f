/* export_shape.h: types as ShapeProto of xla_data.proto. Runs under arena_run(). */
#ifndef GANTRY_COMPILER_EXPORT_EXPORT_SHAPE_H
#define GANTRY_COMPILER_EXPORT_EXPORT_SHAPE_H

#include "base/dtype.h"
#include "base/proto.h"

struct export_array { /* dims are borrowed for the call */
    enum dtype dtype;
    int rank;
    const int64_t *dims;
    const int64_t *minor_to_major; /* NULL: row-major */
};

/* An array; or, when `count` is not 1, a tuple of arrays. */
void export_shape(struct proto *to, int field, const struct export_array *arrays, int count);

#endif
