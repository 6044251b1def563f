/* thin_set.h: the inner loops of thin products (thin_step.h), for each instruction set: numbers of
 * any type become f32, in memory or on the way to a product. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_SET_H
#define GANTRY_DEVICES_HOST_THIN_THIN_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dtype.h"

enum {
    THIN_LANES = 16,  /* the widest vector of f32; runs are padded to a multiple of it */
    THIN_FEW_ROWS = 4 /* the most whose sums are registers; several are padded to an even number */
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

/* Rows of adjacent numbers that are decoded: to[i] = (from[i] -
 * zero[i / group]) * scale[i / group] + offset[i / group]. scale is NULL if there is no arithmetic;
 * zero and offset are NULL if unused. Behind the last number of a row, zeros are written up to a
 * multiple of THIN_LANES. */
struct thin_run {
    const void *from;
    float *to;
    int64_t count, rows;
    int64_t from_row, to_row; /* between rows: bytes, and f32 */
    int64_t panel, to_panel;  /* if not 0: so many numbers of a row, a multiple of THIN_LANES, are
                               * adjacent in `to`; so many f32 behind those the next ones begin */
    const float *zero, *scale, *offset;
    int64_t group;         /* 1, or a multiple of THIN_LANES */
    int64_t parameter_row; /* between those of rows; 0: all rows have the same ones */
    struct thin_form form;
};
typedef void thin_decode(const struct thin_run *run);

/* Products of rows with a right side that is decoded in registers:
 *
 *   out[rows, columns] += left[rows, k] * ((right - zero) * scale)
 *
 * zero is NULL where numbers are only scaled. Rows of left and out are `..._row` numbers apart. Of
 * by_rows a single row of left has its terms `left_step` apart; others are adjacent. */
struct thin_block {
    const void *right;
    int64_t right_row;       /* bytes between its rows, or columns */
    int64_t ahead;           /* how many bytes before a number is used caches fetch it; */
    int64_t row_bytes, next; /* of by_rows: in a row, and between its begin and that of the row
                              * which follows it as the same row of a block */
    const float *left;
    float *out;
    int64_t left_row, left_step, out_row, rows, columns, k;
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

enum {
    THIN_WORD_FIELDS = 8,
    THIN_WORD_SUMS = 3,
    THIN_WORD_ROWS = 8 /* of a block, whose lines are in the first cache together */
};

/* Products of one row with numbers of 4 bits that are fields of words: field f is the bits from
 * 4 * f on. Fields stay where they are, but for odd ones, which are shifted by 4 bits, so that the
 * integers that are multiplied are 256^(f / 2) times as large as numbers.
 *
 * A word of adjacent columns has 1, 4 or 8 of these, and 8 / columns = T terms: field f belongs to
 * column f / T and term f % T. */
struct thin_words {
    const void *right;              /* by_rows: rows x words; words_by_columns: columns x words */
    int64_t right_row, rows, words; /* words are a multiple of the lanes of a vector */
    int64_t ahead, row_bytes, next; /* as those of thin_block */
    uint32_t flip;                  /* bits of words that are negated first */
    /* Divided by the factors of fields. by_rows: left[row][term]. words_by_columns: for each vector
     * of words left[field][lane], and left_sum[lane], the sum of its terms, not divided. */
    const float *left, *left_sum;
    /* by_rows: for each vector of words sums[column][lane], which are written first unless `adds`;
     * words_by_columns: sums[column] */
    float *sums;
    bool adds;
    /* bias + zero is subtracted from numbers; the differences are multiplied by scale. zero may be
     * NULL. end: of columns; words_by_columns: of groups of `group` words of each column, whose
     * first ones are `parameter_row` apart. */
    float bias;
    const float *zero, *scale;
    /* end: scales of bf16 in place of `scale`, unless it is NULL; those that are used next are
     * `next_scales` bytes behind. *exceeds is set if one is larger than `limit`, or none. */
    const uint16_t *scale_bf16;
    int64_t next_scales;
    float limit;
    bool *exceeds;
    int64_t parameter_row, group;
    uint8_t order[THIN_WORD_FIELDS]; /* end: which column of a word is the first one, ... */
    float *out;                      /* end */
};
typedef void thin_multiply_words(const struct thin_words *words);
struct thin_words_code {
    /* Adds the products of words with adjacent columns to sums, a block of rows after the other. */
    thin_multiply_words *by_rows;
    /* out[column] += (sum - *left_sum * (bias + zero[column])) * scale[column] */
    thin_multiply_words *end;
};

/* Replaces indices in [0, 16), which are f32 too, by numbers of a table; their count is a multiple
 * of THIN_LANES. */
typedef void thin_look_up(float *numbers, int64_t count, const float *table);

/* Whether one of the numbers is larger than a limit, or none. */
typedef bool thin_exceeds(const float *numbers, int64_t count, float limit);

struct thin_set {
    struct thin_code codes[THIN_FIELDS][DTYPE_COUNT];
    struct thin_code tables[THIN_FIELDS];         /* of indices of 4 bits; decode is NULL */
    thin_look_up *look_up;                        /* NULL: there is none */
    struct thin_words_code words[THIN_WORD_SUMS]; /* of 1, 4 and 8 columns */
    thin_multiply_words *words_by_columns;
    int lanes; /* of a vector of words */
    thin_exceeds *exceeds;
    /* Packed numbers of 4 bits are loaded multiplied by this factor, a power of two. Zero points
     * and offsets must be multiplied by it, too, and the left side divided. 0: factor 1. */
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

/* The factor by which loaded numbers are multiplied. */
float thin_set_times(const struct thin_set *set, enum dtype dtype, enum thin_field field);

#endif
