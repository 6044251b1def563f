/* thin_integer_code.h: the inner loops of thin_integers.h, for each instruction set: integers of 16
 * bits times numbers of 4 or 8 bits, whose columns are adjacent. Sums are exact. Thread-safe.
 *
 * A word of 16 bits of a row has 2 or 4 adjacent columns. Words of two rows are interleaved, which
 * makes them operands of an instruction that multiplies pairs and adds the two products (pmaddwd,
 * or vpdpwssd). No column's bits are moved where that can be avoided:
 *
 *   w = 256 h + low byte     sum(q * low byte) = sum(q * w) - 256 sum(q * h)
 *
 * modulo 2^32, which is exact as the sum of the low byte is less than 2^31. `h`, the high byte, is
 * signed. Bits that make the numbers' fields such integers are negated first, and what that adds to
 * a number is subtracted from the sum. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_INTEGER_CODE_H
#define GANTRY_DEVICES_HOST_THIN_THIN_INTEGER_CODE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    THIN_INTEGER_TERMS = 32, /* whose products are a sum, at most: of 2^15 * 2^8 each, the sum and
                              * 16 times a sum of 4-bit numbers are less than 2^31 */
    THIN_INTEGER_TILE = 128  /* the most bytes of a row that are multiplied at once */
};

struct thin_integer_pair { /* two terms: the rows of the block they multiply; and integers */
    int16_t row[2], left[2];
};

struct thin_integer_pass { /* over a block */
    const struct thin_integer_pair *pairs;
    int64_t count;
    int32_t total; /* of the integers */
    float unit;
};

/* out[column] += scale[column] * (the sum over passes of unit * (sum - total * bias)
 *                                 - block.total * zero[column]),
 * where sum = that of left * number over the terms of the pass's pairs. From the difference on,
 * each multiplication is one of f32 with an addition, rounded once: so all implementations give the
 * same bits. */
struct thin_integer_block {
    const void *right;
    int64_t right_row, bytes; /* between rows; of columns: a multiple of the tile's */
    const struct thin_integer_pass *passes;
    int count;
    float total; /* the sum over passes of unit * total */
    /* What the caches fetch meanwhile, row by row: rows of the same form; NULL: nothing. */
    const char *ahead;
    uint32_t flip;              /* bits of two words that are negated first */
    int32_t bias[4];            /* that of each column of a word, then */
    bool high_first;            /* the high bits of a byte are the first of two columns */
    const float *zero, *scale;  /* scale is NULL: 1; zero is NULL: 0 */
    const uint16_t *scale_bf16; /* in place of `scale`, unless it is NULL */
    float limit;                /* *exceeds is set if one of these is larger, or none */
    bool *exceeds;
    float *out;
};
typedef void thin_multiply_integers(const struct thin_integer_block *block);

struct thin_integer_code {
    thin_multiply_integers *bytes, *halves; /* of numbers of 8 and of 4 bits */
    int bytes_tile, halves_tile;            /* bytes */
};

/* Each is a source. */
extern const struct thin_integer_code thin_integer_avx2, thin_integer_avxvnni, thin_integer_avx512,
    thin_integer_avx512vnni;

/* The implementation for this processor, static; NULL: it has no such instruction. */
const struct thin_integer_code *thin_integer_code(void);

#endif
