/* attention_backward_rows.h: the rows of a block of the gradient of attention
 * (attention_backward_blocks.h): the arrays computed and stored for a block of rows before the
 * products that read them. */
#ifndef GANTRY_DEVICES_HOST_ATTENTION_ATTENTION_BACKWARD_ROWS_H
#define GANTRY_DEVICES_HOST_ATTENTION_ATTENTION_BACKWARD_ROWS_H

#include "devices/host/attention/attention_arrays.h"
#include "devices/host/attention/attention_backward_blocks.h"
#include "devices/host/tiles/tile_matrix.h"

/* The scratch of one thread for the rows of a block. The kernels read and write f32. Products read
 * numbers of their own type: these arrays, or, of bf16, rounded copies. */
struct attention_rows {
    const struct attention_backward_call *call;
    const struct tile_product *product;
    void *keys, *values; /* packed, of a batch: the right sides of scores and change */
    struct attention_array queries, given; /* rows that tiles can read: the left sides */
    float *weights, *change; /* [rows, n]; change becomes the gradient of the scores */
    /* of bf16: pairs of rows, whose numbers alternate; and rows */
    uint16_t *weight_pairs, *gradient_pairs, *gradient_rows;
    /* Of each tile of rows, the columns before those that are zero in it, and in the tiles before.
     * Of each tile of columns, the first row of the first tile that they are not zero in. */
    int64_t *needed, *first_rows;
    struct tile_ahead *ahead; /* memory to prefetch during products */
};

struct rows { /* of a block, in a batch */
    int64_t batch, first, count;
};

/* Numbers of an array [rows, n] that tiles may read and write behind its end, too, and of pairs of
 * rows. */
int64_t attention_rows_numbers(const struct tile_product *product, int64_t rows, int64_t n);
int64_t attention_rows_pairs(int64_t rows, int64_t n);

/* Computes the needed columns of weights and gradient from queries and given. Other columns of a
 * tile are not written, except TILE_ROWS zeros after the needed ones, up to the end of the row.
 * `is_usual`: columns that the mask hides may be left out (struct attention_backward_spec). Returns
 * the number of columns that the last tile needs. */
int64_t attention_rows_compute(const struct attention_rows *r, const struct rows *rows,
                               bool is_usual);

/* Sets the left sides of products and their tiles: the transposed weights, the transposed gradient
 * and the gradient. */
void attention_rows_weights_left(const struct attention_rows *r, struct tile_matrix *out);
void attention_rows_gradient_left(const struct attention_rows *r, struct tile_matrix *out);
void attention_rows_gradient(const struct attention_rows *r, struct tile_matrix *out);

#endif
