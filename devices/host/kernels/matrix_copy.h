/* matrix_copy.h: copies a matrix with any strides to one with contiguous rows. Pure functions;
 * thread-safe. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_MATRIX_COPY_H
#define GANTRY_DEVICES_HOST_KERNELS_MATRIX_COPY_H

#include <stdint.h>

/* to[i, j] = from[i, j] for elements of `bytes`, which both sides are aligned to up to 8. `row` and
 * `column` are the strides of `from` in elements; in `to` rows are `to_row` apart, and columns are
 * contiguous. The sides do not overlap. Borrowed: valid during the call. */
void matrix_copy(int64_t bytes, const char *from, int64_t row, int64_t column, int64_t rows,
                 int64_t columns, char *to, int64_t to_row);

#endif
