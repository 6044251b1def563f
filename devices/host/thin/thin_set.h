/* thin_set.h: the inner loops of thin products (thin_step.h), for each instruction set: numbers of
 * any type become f32, in memory or on the way to a product. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_SET_H
#define GANTRY_DEVICES_HOST_THIN_THIN_SET_H

#include <stdint.h>

#include "base/dtype.h"

enum {
    THIN_LANES = 16,  /* the widest vector of f32; runs are padded to a multiple of it */
    THIN_FEW_ROWS = 4 /* whose sums are registers: rows are 1, or padded to a multiple of it */
};

/* Where in its element a number is: a number of 4 bits may have half of a byte; THIN_WORD: its bits
 * begin at `shift` of a word of 32 bits. THIN_PAIR: both halves are numbers, for products of one
 * row with two blocks, of low bits and of high bits; they differ in the left side, parameters and
 * `out` alone. */
enum thin_field { THIN_WHOLE, THIN_LOW, THIN_HIGH, THIN_WORD, THIN_PAIR, THIN_FIELDS };

struct thin_form {      /* what the bits of numbers are: */
    int shift;          /* where they begin, in a word */
    const float *table; /* of 16 numbers, of which `tables` in thin_set are indices */
};

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
    struct thin_form form;
};
typedef void thin_decode(const struct thin_run *run);

/* Products of rows with a right side that is decoded in registers:
 *
 *   out[rows, columns] += left[rows, k] * ((right - zero) * scale)
 *
 * zero is NULL where numbers are only scaled. Rows of left and out are `..._row` numbers apart. */
struct thin_block {
    const void *right;
    int64_t right_row;       /* bytes between its rows, or columns */
    int64_t ahead;           /* how many bytes before a number is used caches fetch it; */
    int64_t row_bytes, next; /* of by_rows: in a row, and between its begin and that of the row
                              * which follows it as the same row of a block */
    const float *left;
    float *out;
    int64_t left_row, out_row, rows, columns, k;
    const float *zero, *scale;
    int64_t group, parameter_row; /* of by_columns */
    struct thin_form form;
};
typedef void thin_multiply(const struct thin_block *block);

struct thin_code { /* of one type of numbers; NULL: none */
    thin_decode *decode;
    /* right[k, columns], whose columns are adjacent, as those of `out`; columns are a multiple of
     * THIN_LANES. Parameters are of columns. A sum adds its terms in the order of k. */
    thin_multiply *by_rows;
    /* right[columns, k], whose terms are adjacent; k and group are multiples of THIN_LANES. Column
     * c has the parameters c * parameter_row + k / group. */
    thin_multiply *by_columns;
};

/* Replaces indices in [0, 16), which are f32 too, by numbers of a table; their count is a multiple
 * of THIN_LANES. */
typedef void thin_look_up(float *numbers, int64_t count, const float *table);

struct thin_set {
    struct thin_code codes[THIN_FIELDS][DTYPE_COUNT];
    struct thin_code tables[THIN_FIELDS]; /* of indices of 4 bits; decode is NULL */
    thin_look_up *look_up;                /* NULL: there is none */
    /* What is loaded of numbers of 4 bits that share a byte is so many times as large: a power of
     * two. Zero points and offsets have to be, too, and the left side as small. 0: once. */
    float times[DTYPE_COUNT];
};

/* Each is a source. */
extern const struct thin_set thin_set_any, thin_set_avx2, thin_set_avx512;

/* The implementation for this processor; static. */
const struct thin_set *thin_set(void);

/* Decodes numbers of a type: a float, or an integer of at most 16 bits. Those that are THIN_LOW or
 * THIN_HIGH have 4 bits, those of THIN_WORD 4 or 8. */
void thin_set_decode(const struct thin_set *set, enum dtype dtype, enum thin_field field,
                     const struct thin_run *run);

/* Replaces the indices of rows of decoded numbers by the numbers of a table with `size` of them, a
 * power of two. */
void thin_set_look_up(const struct thin_set *set, const struct thin_run *run, const float *table,
                      int size);

/* How many times as large as the numbers what is loaded of them is. */
float thin_set_times(const struct thin_set *set, enum dtype dtype, enum thin_field field);

#endif
