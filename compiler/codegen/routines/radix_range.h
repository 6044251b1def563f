/* radix_range.h: least significant digit first. One pass over the elements counts the values of
 * every digit. Then, for every digit in which keys differ, elements move to the positions given by
 * the counts. Keys are recomputed in each pass, which is faster than moving them along. */
#ifndef GANTRY_COMPILER_CODEGEN_ROUTINES_RADIX_RANGE_H
#define GANTRY_COMPILER_CODEGEN_ROUTINES_RADIX_RANGE_H

#include "compiler/codegen/routines/radix_block.h"

enum { RADIX_RANGE_MAX_COUNTS = 12288 }; /* digits << bits, at most */

/* By which digits, and room for the work. */
struct radix_range {
    int bits, digits; /* of a digit; of a key */
    uint64_t first_key;
    struct radix_block block;
    _Alignas(64) uint32_t counts[RADIX_RANGE_MAX_COUNTS]; /* [digits][1 << bits] */
};

/* The bits of digits for a row's keys: 8, or `long_bits` if the row is long enough to repay the
 * larger tables. */
int radix_range_bits(const struct radix_sort *sort, int long_bits);
/* Sorts the first `length` elements (at least 1) of `arrays` where they are; overwrites as many of
 * `other`. The elements agree in all bits of their keys above `digits` digits. */
void radix_range_sort(struct radix_range *range, const struct radix_row *row, void *const *arrays,
                      void *const *other, int64_t length);
/* Sorts the operands into the row's first arrays. */
void radix_range_row(const struct radix_row *row);

#endif
