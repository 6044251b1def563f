#include "base/intern.h"

#include "base/map.h"

const void *intern_bytes(struct arena *arena, const void *bytes, size_t size)
{
    void **map = arena_interned(arena);
    if (!*map)
        *map = map_create(arena);
    return *map ? map_intern(*map, bytes, size) : NULL;
}
