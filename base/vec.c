/* vec.c: growth of vec.h's arrays, by doubling, so that n pushes cost O(n). */
#include "base/vec.h"

#include <string.h>

void *vec_reserve_(struct arena *arena, void *items, size_t *capacity, size_t count,
                   size_t element_size)
{
    if (count < *capacity)
        return items;
    size_t larger = *capacity ? 2 * *capacity : 4;
    void *moved = arena_array(arena, larger, element_size);
    if (moved && count)
        memcpy(moved, items, count * element_size);
    if (moved)
        arena_release(arena, items, *capacity * element_size);
    *capacity = larger;
    return moved;
}
