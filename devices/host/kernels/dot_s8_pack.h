/* dot_s8_pack.h: operands of products of s8 (dot_s8.c) as pairs of 16 bits along k, of which one
 * instruction adds the products. What is missing in a last pair, and in a panel of fewer columns,
 * is zero. For processors with AVX2; thread-safe. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_DOT_S8_PACK_H
#define GANTRY_DEVICES_HOST_KERNELS_DOT_S8_PACK_H

#include <stdint.h>

enum {
    S8_WIDTH = 16 /* columns of a panel: two vectors of sums of 32 bits */
};

struct s8_matrix { /* borrowed; strides in elements */
    const int8_t *elements;
    int64_t k_stride, other_stride; /* along k, along rows of a left or columns of a right side */
};

/* `rows` rows of k elements of a left side, `row` elements apart in `to`, which is even. */
void s8_pack_rows(const struct s8_matrix *from, int64_t rows, int64_t k, int64_t row, int16_t *to);

/* `columns` columns of k elements of a right side as panels, `panel` elements apart: of each pair
 * of k, the pairs of S8_WIDTH columns. */
void s8_pack_panels(const struct s8_matrix *from, int64_t columns, int64_t k, int64_t panel,
                    int16_t *to);

#endif
