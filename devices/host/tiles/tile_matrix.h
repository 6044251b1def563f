/* tile_matrix.h: products of a block of rows with a packed right side (tile_product.h), tile by
 * tile. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_TILES_TILE_MATRIX_H
#define GANTRY_DEVICES_HOST_TILES_TILE_MATRIX_H

#include "devices/host/tiles/tile_product.h"

/* out[rows, columns] = or += left[rows, k] * right[k, columns]. Strides are in numbers. Whole tiles
 * of rows are read and written, and whole vectors of columns: elements beyond the last ones are
 * undefined afterwards, except that the beginning of the next row is correct. */
struct tile_matrix {
    const void *left;
    int64_t left_stride, left_k_stride; /* as in struct tile */
    int64_t left_tile_stride;           /* between tiles of rows; 0: TILE_ROWS * left_stride */
    void *right;                        /* packed */
    int64_t right_k;                    /* as many rows as it has: >= k */
    float *out;
    int64_t out_stride;
    int64_t rows, k, columns;
    /* Of each tile of rows, how much of k and of the columns is multiplied, if that is less; at
     * least 1. The other columns are undefined afterwards. NULL: all. */
    const int64_t *tile_k, *tile_columns;
    /* Of each tile of rows, the first row along k that is multiplied: a multiple of depth, less
     * than k. NULL: 0. */
    const int64_t *tile_first;
    int64_t part;       /* of k, that is multiplied at once: a multiple of depth, or k. If there are
                   * several, the columns up to out_stride are whole vectors */
    int64_t added_rows; /* are added to out, the others written: whole tiles, or all */
    struct tile_ahead *ahead; /* memory to prefetch meanwhile, or NULL; counts as fetched then */
};

void tile_matrix_multiply(const struct tile_product *product, const struct tile_matrix *m);

#endif
