/* vec.h: growable arrays in an arena. VEC(int64_t) dims = {0}; VEC_PUSH(arena, &dims, 3); The
 * elements are dims.items[0 .. dims.count-1]; growing moves them, so keep indices, not addresses.
 * VEC_PUSH may be used only inside arena_run(), which handles exhausted memory.
 */
#ifndef GANTRY_BASE_VEC_H
#define GANTRY_BASE_VEC_H

#include "base/arena.h"

#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, capacity;                                                                    \
    }

#define VEC_PUSH(arena, vec, ...)                                                                  \
    ((vec)->items = vec_reserve_((arena), (vec)->items, &(vec)->capacity, (vec)->count,            \
                                 sizeof *(vec)->items),                                            \
     (vec)->items[(vec)->count++] = (__VA_ARGS__))

#define VEC_LAST(vec) ((vec)->items[(vec)->count - 1])

/* Returns the items, reallocated when `capacity` is reached. */
void *vec_reserve_(struct arena *arena, void *items, size_t *capacity, size_t count,
                   size_t element_size);

#endif
