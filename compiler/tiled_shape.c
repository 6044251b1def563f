/* tiled_shape.c: see tiled_shape.h. */
#include "compiler/tiled_shape.h"

enum { WORD_BITS = 32 };

/* ---- tiles ----------------------------------------------------------------------------------- */
/* Bits of an element as stored; a pred takes a byte. */
static uint64_t element_bits(enum dtype dtype)
{
    int bits = dtype_info(dtype)->bits, bytes = dtype_bytes(dtype);
    bool packed = bytes == 1 && bits < 8 && dtype != DTYPE_PRED;
    return packed ? (uint64_t)bits : (uint64_t)bytes * 8;
}

static uint64_t bits_on(const struct accelerator *accelerator, enum dtype dtype)
{
    uint64_t bits = element_bits(dtype);
    return accelerator->coarse_tiles && bits < 8 ? 8 : bits;
}

/* Rows of a type that share a sublane. */
static uint64_t packing(const struct accelerator *accelerator, enum dtype dtype)
{
    uint64_t bits = bits_on(accelerator, dtype);
    return bits && bits < WORD_BITS ? WORD_BITS / bits : 1;
}

/* Rows of the smallest tile. */
static uint64_t least_rows(const struct accelerator *accelerator, enum dtype dtype)
{
    return packing(accelerator, dtype) * (accelerator->coarse_tiles ? 2 : 1);
}

static bool multiply(uint64_t *to, uint64_t by)
{
    return !__builtin_mul_overflow(*to, by, to);
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* The smallest power of two times `least` that is at least `size`, at most `most`. */
static uint64_t block(uint64_t size, uint64_t least, uint64_t most)
{
    uint64_t result = least;
    while (result < size && result < most)
        result *= 2;
    return result;
}

/* Rows of the tiles of an array with so many rows. Types of which more than two rows share a
 * sublane have tiles of `sublanes` whole sublanes if these divide the rows. */
static uint64_t tile_rows(const struct accelerator *accelerator, enum dtype dtype, uint64_t rows)
{
    uint64_t packed = packing(accelerator, dtype), sublanes = (uint64_t)accelerator->sublanes;
    if (!accelerator->coarse_tiles && packed > 2 && rows % (packed * sublanes) == 0)
        return packed * sublanes;
    return block(rows, least_rows(accelerator, dtype), sublanes);
}

/* A vector is in tiles of up to `sublanes` rows of lanes. */
static uint64_t vector_tile(const struct accelerator *accelerator, enum dtype dtype, uint64_t size)
{
    uint64_t lanes = (uint64_t)accelerator->lanes;
    return block(size, lanes * least_rows(accelerator, dtype),
                 lanes * (uint64_t)accelerator->sublanes);
}

/* ---- bytes ----------------------------------------------------------------------------------- */
static uint64_t to_bytes(const struct accelerator *accelerator, uint64_t elements, enum dtype dtype)
{
    if (!multiply(&elements, bits_on(accelerator, dtype)) || elements > UINT64_MAX / 2)
        return UINT64_MAX;
    return round_up(round_up(elements, 8) / 8, TILED_SHAPE_ALIGNMENT);
}

static uint64_t vector_bytes(const struct accelerator *accelerator, const struct shape *shape)
{
    uint64_t size = (uint64_t)shape->dims[0];
    if (size > UINT64_MAX / 2)
        return UINT64_MAX;
    size = round_up(size, vector_tile(accelerator, shape->dtype, size));
    return to_bytes(accelerator, size, shape->dtype);
}

/* Bytes with tiles of so many rows. */
static uint64_t bytes_of_rows(const struct accelerator *accelerator, const struct shape *shape,
                              int minor, int second, uint64_t unit)
{
    uint64_t elements = 1;
    bool fits =
        multiply(&elements, round_up((uint64_t)shape->dims[minor], (uint64_t)accelerator->lanes)) &&
        multiply(&elements, round_up((uint64_t)shape->dims[second], unit));
    for (int i = 0; i < shape->rank && fits; i++)
        if (i != minor && i != second)
            fits = multiply(&elements, (uint64_t)shape->dims[i]);
    return fits ? to_bytes(accelerator, elements, shape->dtype) : UINT64_MAX;
}

uint64_t tiled_shape_bytes_in(const struct accelerator *accelerator, const struct shape *shape,
                              int minor, int second)
{
    return bytes_of_rows(accelerator, shape, minor, second,
                         tile_rows(accelerator, shape->dtype, (uint64_t)shape->dims[second]));
}

/* ---- the choice ------------------------------------------------------------------------------ */
struct choice {
    int minor, second;
    uint64_t bytes, whole; /* with padding; as if all tiles had `sublanes` rows */
};

static struct choice choice_of(const struct accelerator *accelerator, const struct shape *shape,
                               int minor, int second)
{
    return (struct choice){
        minor, second, tiled_shape_bytes_in(accelerator, shape, minor, second),
        bytes_of_rows(accelerator, shape, minor, second, (uint64_t)accelerator->sublanes)};
}

/* The pair of minor dimensions that pads least; the last ones where that is equal. */
static struct choice choose(const struct accelerator *accelerator, const struct shape *shape,
                            enum tiled_choice by)
{
    struct choice best = choice_of(accelerator, shape, shape->rank - 1, shape->rank - 2);
    for (int minor = shape->rank - 1; minor >= 0; minor--)
        for (int second = shape->rank - 1; second >= 0; second--) {
            if (second == minor)
                continue;
            struct choice next = choice_of(accelerator, shape, minor, second);
            if (next.bytes < best.bytes ||
                (by == TILED_FREE && next.bytes == best.bytes && next.whole < best.whole))
                best = next;
        }
    return best;
}

uint64_t tiled_shape_bytes(const struct accelerator *accelerator, const struct shape *shape)
{
    if (shape->rank == 0)
        return TILED_SHAPE_ALIGNMENT;
    return shape->rank == 1 ? vector_bytes(accelerator, shape)
                            : choose(accelerator, shape, TILED_DEFAULT).bytes;
}

uint64_t tiled_shape_bytes_laid_out(const struct accelerator *accelerator,
                                    const struct shape *shape)
{
    if (shape->rank < 2 || !shape->tile_count)
        return tiled_shape_bytes(accelerator, shape);
    return tiled_shape_bytes_in(accelerator, shape, (int)shape_minor_to_major(shape, 0),
                                (int)shape_minor_to_major(shape, 1));
}

double tiled_shape_unpadded(const struct shape *shape)
{
    double bytes = (double)element_bits(shape->dtype) / 8;
    for (int i = 0; i < shape->rank; i++)
        bytes *= (double)shape->dims[i];
    return bytes;
}

/* ---- layouts --------------------------------------------------------------------------------- */
static void add_tile(struct shape *shape, struct shape_layout *room, int rank, uint64_t major,
                     uint64_t minor)
{
    int64_t *blocks = room->blocks[shape->tile_count];
    blocks[0] = (int64_t)(rank == 1 ? minor : major);
    blocks[1] = (int64_t)minor;
    room->tiles[shape->tile_count++] = (struct shape_tile){rank, blocks};
    shape->tiles = room->tiles;
}

static bool has_tiles(const struct shape *shape)
{
    return shape_elements(shape) > 0 && shape->memory != MEMORY_UNPINNED_HOST;
}

void tiled_shape_tile(const struct accelerator *accelerator, struct shape *shape,
                      struct shape_layout *room)
{
    uint64_t lanes = (uint64_t)accelerator->lanes, packed = packing(accelerator, shape->dtype);
    shape->tile_count = 0;
    if (!has_tiles(shape))
        return;
    if (shape->rank == 0) {
        add_tile(shape, room, 1, 0, lanes * least_rows(accelerator, shape->dtype));
        return;
    }
    if (shape->rank == 1) {
        add_tile(shape, room, 1, 0,
                 vector_tile(accelerator, shape->dtype, (uint64_t)shape->dims[0]));
        if (packed > 1)
            add_tile(shape, room, 1, 0, lanes);
    } else {
        uint64_t rows = (uint64_t)shape->dims[shape_minor_to_major(shape, 1)];
        add_tile(shape, room, 2, tile_rows(accelerator, shape->dtype, rows), lanes);
    }
    if (packed > 1)
        add_tile(shape, room, 2, packed, 1);
}

static void order(const struct choice *choice, struct shape *shape, struct shape_layout *room)
{
    int64_t *at = room->minor_to_major;
    *at++ = choice->minor;
    *at++ = choice->second;
    for (int i = shape->rank - 1; i >= 0; i--)
        if (i != choice->minor && i != choice->second)
            *at++ = i;
    if (choice->minor != shape->rank - 1 || choice->second != shape->rank - 2)
        shape->minor_to_major = room->minor_to_major;
}

void tiled_shape_choose(const struct accelerator *accelerator, enum tiled_choice by,
                        struct shape *shape, struct shape_layout *room)
{
    *shape = shape_without_layout(shape);
    if (!has_tiles(shape))
        return;
    if (shape->rank >= 2) {
        struct choice choice = choose(accelerator, shape, by);
        order(&choice, shape, room);
    }
    tiled_shape_tile(accelerator, shape, room);
}

void tiled_shape_print(const struct accelerator *accelerator, const struct shape *shape,
                       struct text *out)
{
    struct shape_layout room;
    struct shape laid_out = *shape;
    tiled_shape_choose(accelerator, TILED_DEFAULT, &laid_out, &room);
    laid_out.memory = MEMORY_DEVICE;
    shape_print(&laid_out, out);
}
