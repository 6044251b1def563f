/* read_map.h: what an expression reads: each argument that a value is computed from, and the index
 * of the element that is read as an expression of the value's index. */
#ifndef GANTRY_COMPILER_SCHEDULE_READ_MAP_H
#define GANTRY_COMPILER_SCHEDULE_READ_MAP_H

#include "base/vec.h"
#include "compiler/schedule/access.h"

/* An index into one dimension: an access of the whole way from the value to the argument.
 * ACCESS_LOOP: `dim` numbers the loops that operations on the way have. */
struct read {
    const struct value *argument;
    struct access at[SHAPE_MAX_RANK];
};

struct read_map {
    VEC(struct read) reads;
    bool complete; /* else the expression is so large that some are missing */
};

/* The reads of a value, without repetitions. Memory is the arena's. */
struct read_map read_map_of(struct arena *arena, const struct value *value);

#endif
