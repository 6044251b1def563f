/* winograd_tiles.c: see winograd_tiles.h. */
#include "devices/host/kernels/winograd_tiles.h"

#include <math.h>
#include <string.h>

/* Measured with vectors of 16 lanes; shorter ones gain as much. */
enum { TRANSFORM_COST = 64 }; /* of an element of a tile, in multiply-adds */
#define LEAST_GAIN 1.2
#define MOST_TILES 0x1p53 /* that a count has room for; programs may ask for more */

struct winograd_tiles winograd_tiles_of(int64_t images, const int64_t *sizes)
{
    struct winograd_tiles tiles = {(sizes[0] + WINOGRAD_OUT - 1) / WINOGRAD_OUT,
                                   (sizes[1] + WINOGRAD_OUT - 1) / WINOGRAD_OUT, images};
    tiles.count *= tiles.rows * tiles.columns;
    return tiles;
}

struct winograd_place winograd_tiles_place(const struct winograd_tiles *tiles, int64_t number)
{
    int64_t row = number / tiles->columns;
    return (struct winograd_place){row / tiles->rows, row % tiles->rows * WINOGRAD_OUT,
                                   number % tiles->columns * WINOGRAD_OUT};
}

bool winograd_tiles_apply(const struct convolution_spec *s)
{
    return s->lhs == DTYPE_F32 && s->rhs == DTYPE_F32 && s->out == DTYPE_F32 && s->spatial == 2 &&
           s->feature_groups == 1 && s->batch_groups == 1 && s->out_feature_stride == 1 &&
           !s->above_default_precision && winograd_blocks();
}

bool winograd_tiles_pay(int64_t images, const int64_t *sizes, int64_t ins, int64_t outs)
{
    double pairs = (double)ins * (double)outs;
    double count = (double)images * ceil((double)sizes[0] / WINOGRAD_OUT) *
                   ceil((double)sizes[1] / WINOGRAD_OUT);
    double positions = (double)images * (double)sizes[0] * (double)sizes[1];
    double products = WINOGRAD_POINTS * count * pairs;
    double transforms = TRANSFORM_COST * ((double)(ins + outs) * count + pairs);
    return count < MOST_TILES && LEAST_GAIN * (products + transforms) <
                                     WINOGRAD_WINDOW * WINOGRAD_WINDOW * positions * pairs;
}

struct winograd_plane winograd_tiles_read(const struct winograd_image *image, const float *from,
                                          int64_t row, int64_t column, int size, int64_t features,
                                          float *copy)
{
    const float *first = winograd_tiles_at(image, from, row, column);
    if (first && winograd_tiles_at(image, from, row + size - 1, column + size - 1))
        return (struct winograd_plane){first, image->strides[0], image->strides[1]};
    for (int i = 0; i < size * size; i++) {
        const float *at = winograd_tiles_at(image, from, row + i / size, column + i % size);
        if (at)
            memcpy(copy + i * features, at, (size_t)features * sizeof *at);
        else
            memset(copy + i * features, 0, (size_t)features * sizeof *at);
    }
    return (struct winograd_plane){copy, size * features, features};
}
