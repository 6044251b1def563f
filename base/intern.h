/* intern.h: immutable values that many users in an arena describe alike, such as types, are stored
 * once. An arena is used by one thread at a time. */
#ifndef GANTRY_BASE_INTERN_H
#define GANTRY_BASE_INTERN_H

#include "base/arena.h"

/* The arena's copy of the bytes, which is one for all calls with equal bytes. Only inside
 * arena_run(). Bytes of padding count, so structs should be zeroed first. */
const void *intern_bytes(struct arena *arena, const void *bytes, size_t size);

#define INTERN_ARRAY(arena, type, array, count)                                                    \
    ((const type *)intern_bytes((arena), (array), (size_t)(count) * sizeof(type)))

#endif
