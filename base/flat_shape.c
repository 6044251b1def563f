#include "base/flat_shape.h"

#include <string.h>

enum { DTYPE, MEMORY, RANK, IS_ORDERED, TILE_COUNT, FIELDS };

static void append(int64_t *numbers, int *at, const int64_t *from, int count)
{
    if (count)
        memcpy(numbers + *at, from, (size_t)count * sizeof *from);
    *at += count;
}

int flat_shape_write(const struct shape *shape, int64_t numbers[FLAT_SHAPE_MAX])
{
    int at = FIELDS;
    numbers[DTYPE] = shape->dtype;
    numbers[MEMORY] = shape->memory;
    numbers[RANK] = shape->rank;
    numbers[IS_ORDERED] = shape->minor_to_major != NULL;
    numbers[TILE_COUNT] = shape->tile_count;
    append(numbers, &at, shape->dims, shape->rank);
    append(numbers, &at, shape->minor_to_major, shape->minor_to_major ? shape->rank : 0);
    for (int i = 0; i < shape->tile_count; i++) {
        numbers[at++] = shape->tiles[i].rank;
        append(numbers, &at, shape->tiles[i].dims, shape->tiles[i].rank);
    }
    return at;
}

struct reader {
    const int64_t *at, *end;
};

/* The next numbers; NULL when there are fewer. */
static const int64_t *take(struct reader *reader, int64_t count)
{
    const int64_t *taken = reader->at;
    if (count < 0 || count > reader->end - reader->at)
        return NULL;
    reader->at += count;
    return taken;
}

static bool read_tiles(struct reader *reader, int count, struct shape_tile *tiles)
{
    for (int i = 0; i < count; i++) {
        const int64_t *rank = take(reader, 1);
        if (!rank || *rank > SHAPE_MAX_RANK || !(tiles[i].dims = take(reader, *rank)))
            return false;
        tiles[i].rank = (int)*rank;
    }
    return true;
}

struct error *flat_shape_read(const int64_t *numbers, int count, struct shape *out, void **owned)
{
    struct shape_tile tiles[SHAPE_MAX_TILES];
    struct reader reader = {numbers, numbers + count};
    const int64_t *fields = take(&reader, FIELDS);
    *out = (struct shape){0}, *owned = NULL;
    bool counts = fields && fields[RANK] >= 0 && fields[RANK] <= SHAPE_MAX_RANK &&
                  fields[TILE_COUNT] >= 0 && fields[TILE_COUNT] <= SHAPE_MAX_TILES &&
                  fields[DTYPE] == (int)fields[DTYPE] && fields[MEMORY] == (int)fields[MEMORY];
    struct shape shape = {.tiles = tiles};
    if (counts) {
        shape.dtype = (enum dtype)fields[DTYPE];
        shape.memory = (enum memory_kind)fields[MEMORY];
        shape.rank = (int)fields[RANK];
        shape.tile_count = (int)fields[TILE_COUNT];
        shape.dims = take(&reader, shape.rank);
        shape.minor_to_major = fields[IS_ORDERED] ? take(&reader, shape.rank) : NULL;
    }
    if (!counts || !shape.dims || (fields[IS_ORDERED] && !shape.minor_to_major) ||
        !read_tiles(&reader, shape.tile_count, tiles) || reader.at != reader.end)
        return ERROR(INVALID_ARGUMENT, "a shape of %d numbers has other counts in them", count);
    return shape_clone(&shape, out, owned);
}
