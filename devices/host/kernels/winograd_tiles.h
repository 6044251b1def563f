/* winograd_tiles.h: the tiles of images whose features are adjacent. Strides are in elements. What
 * is beyond an image is zero. Pure functions; thread-safe. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_WINOGRAD_TILES_H
#define GANTRY_DEVICES_HOST_KERNELS_WINOGRAD_TILES_H

#include <stddef.h>

#include "compiler/program/program.h"
#include "devices/host/kernels/winograd_block.h"

enum {
    WINOGRAD_WINDOW = 3,         /* rows and columns of a window */
    WINOGRAD_OUT = 2,            /* positions that a tile has for them, in rows and in columns */
    WINOGRAD_LEAST_FEATURES = 16 /* fewer do not fill vectors */
};

struct winograd_image {
    int64_t sizes[2], strides[2]; /* rows, columns */
};

/* Images are cut into rows and columns of tiles. */
struct winograd_tiles {
    int64_t rows, columns;
    int64_t count; /* of all images */
};

struct winograd_place { /* of a tile; its first position in the image */
    int64_t image, row, column;
};

struct winograd_tiles winograd_tiles_of(int64_t images, const int64_t *sizes);
struct winograd_place winograd_tiles_place(const struct winograd_tiles *tiles, int64_t number);

/* Whether a convolution's types, dimensions, groups and precision are those of the kernels, and
 * this processor has them. */
bool winograd_tiles_apply(const struct convolution_spec *spec);

/* Whether transforms and products of tiles take less time than the sums over windows that they
 * replace, from `ins` features to `outs` for all positions of images. */
bool winograd_tiles_pay(int64_t images, const int64_t *sizes, int64_t ins, int64_t outs);

/* The features at a row and column of an image; NULL beyond it. */
static inline const float *winograd_tiles_at(const struct winograd_image *image, const float *from,
                                             int64_t row, int64_t column)
{
    if (row < 0 || row >= image->sizes[0] || column < 0 || column >= image->sizes[1])
        return NULL;
    return from + row * image->strides[0] + column * image->strides[1];
}

/* `size` by `size` vectors of `features` elements from a row and column of an image on: in place
 * or, if some of them are beyond the image, in `copy`, which has size * size * features elements.
 * */
struct winograd_plane winograd_tiles_read(const struct winograd_image *image, const float *from,
                                          int64_t row, int64_t column, int size, int64_t features,
                                          float *copy);

#endif
