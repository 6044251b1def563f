/* radix_merge.h: merges two sorted parts of a row. Stable. */
#ifndef GANTRY_COMPILER_CODEGEN_ROUTINES_RADIX_MERGE_H
#define GANTRY_COMPILER_CODEGEN_ROUTINES_RADIX_MERGE_H

#include "compiler/codegen/routines/radix_block.h"

/* Merges the sorted ranges [low, middle) and [middle, middle + length) of the row's first arrays
 * where they are, unless they are in order. Overwrites `length` elements of the second arrays. */
void radix_merge(const struct radix_row *row, int64_t low, int64_t middle, int64_t length);

#endif
