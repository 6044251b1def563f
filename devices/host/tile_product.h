/* tile_product.h: small products of f32 matrices on the calling thread: TILE_ROWS rows of a left
 * side, which are contiguous along k, with a panel of a packed right side. Sums are in the order of
 * k, with fused multiply-adds where the processor has them, so a result's bits do not depend on the
 * tiles around it. There is one implementation for each instruction set (GANTRY_ISA selects).
 *
 *   panel p of a right side has its columns [p * width, (p + 1) * width), as k rows of `width`
 *   floats; columns beyond the last are zero. Panels follow one another. */
#ifndef GANTRY_DEVICES_HOST_TILE_PRODUCT_H
#define GANTRY_DEVICES_HOST_TILE_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

enum { TILE_ROWS = 6 };

struct tile { /* out[TILE_ROWS, vectors] = or += lhs[TILE_ROWS, k] * rhs[k, vectors] */
    const float *lhs, *rhs;
    float *out;
    int64_t lhs_stride, out_stride; /* between rows, in elements */
    int64_t k;
    int vectors; /* columns that are computed, in vectors of `lanes` */
    bool adds;
};

struct tile_product {
    int lanes, width; /* of a vector, and of a panel: a multiple of lanes */
    void (*multiply)(const struct tile *tile);
    /* Whether no number is an infinity or NaN; `count` is a multiple of lanes. */
    bool (*is_finite)(const float *numbers, int64_t count);
};

/* The implementation for this processor; static. */
const struct tile_product *tile_product(void);

/* Elements of a packed right side. */
int64_t tile_product_packed(const struct tile_product *product, int64_t k, int64_t columns);

/* Packs a right side, whose strides are in elements. */
void tile_product_pack(const struct tile_product *product, const float *from, int64_t k_stride,
                       int64_t column_stride, int64_t k, int64_t columns, float *to);

#endif
