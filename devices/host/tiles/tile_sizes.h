/* tile_sizes.h: arithmetic of sizes, none of which is near the limits of its type. */
#ifndef GANTRY_DEVICES_HOST_TILES_TILE_SIZES_H
#define GANTRY_DEVICES_HOST_TILES_TILE_SIZES_H

#include <stdint.h>

static inline int64_t tile_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t tile_most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Of numbers that are not negative. */
static inline int64_t tile_divide_up(int64_t number, int64_t by)
{
    return (number + by - 1) / by;
}

static inline int64_t tile_round_up(int64_t number, int64_t to)
{
    return tile_divide_up(number, to) * to;
}

#endif
