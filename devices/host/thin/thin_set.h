/* thin_set.h: the inner loops of thin products (thin_step.h), for each instruction set: numbers of
 * any type become f32, and rows of f32 are multiplied. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_SET_H
#define GANTRY_DEVICES_HOST_THIN_THIN_SET_H

#include <stdint.h>

#include "base/dtype.h"

/* The widest vector of f32; runs are padded to a multiple of it. */
enum { THIN_LANES = 16 };

/* Where in its element a number is: a number of 4 bits may have half of a byte. */
enum thin_field { THIN_WHOLE, THIN_LOW, THIN_HIGH, THIN_FIELDS };

/* Rows of adjacent numbers that are decoded, all with the same parameters: to[i] = (from[i] -
 * zero[i / group]) * scale[i / group] + offset[i / group]. scale is NULL where there is no
 * arithmetic, and zero and offset are where there is no other. Behind the last number of a row,
 * zeros are written up to a multiple of THIN_LANES. */
struct thin_run {
    const void *from;
    float *to;
    int64_t count, rows;
    int64_t from_row, to_row; /* between rows: bytes, and f32 */
    const float *zero, *scale, *offset;
    int64_t group; /* 1, or a multiple of THIN_LANES */
};
typedef void thin_decode(const struct thin_run *run);

/* Products of rows. Of all arrays rows are `..._row` numbers apart. */
struct thin_block {
    const float *left, *right; /* left[rows, k] */
    float *out;                /* out[rows, columns] += */
    int64_t left_row, right_row, out_row;
    int64_t rows, columns, k;
};
typedef void thin_multiply(const struct thin_block *block);

struct thin_set {
    /* right[k, columns], whose columns are adjacent, as those of `out`. Columns are a multiple of
     * THIN_LANES. A sum adds its terms in the order of k. */
    thin_multiply *by_rows;
    /* right[columns, k], whose terms are adjacent. k is a multiple of THIN_LANES. */
    thin_multiply *by_columns;
    /* By field and type of the numbers; NULL: one number at a time. */
    thin_decode *decode[THIN_FIELDS][DTYPE_COUNT];
};

/* The implementation for this processor; static. */
const struct thin_set *thin_set(void);

/* Decodes numbers of a type: a float, or an integer of at most 16 bits. Those that are not
 * THIN_WHOLE have 4 bits. */
void thin_set_decode(const struct thin_set *set, enum dtype dtype, enum thin_field field,
                     const struct thin_run *run);

#endif
