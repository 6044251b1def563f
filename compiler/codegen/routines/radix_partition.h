/* radix_partition.h: most significant digit first, once, for long rows:
 *
 *   the bits in which any keys differ; the digit is the first 8 of them, or 11
 *   if a bucket of equal digits is longer than the second arrays:
 *       the digit is the first bits of that bucket's range; keys outside are in the outer buckets
 *   buckets, from the operands to the first arrays
 *   groups of adjacent buckets, by the other bits (radix_groups.h)
 *
 * All threads of the pool work on a row: each counts the buckets of some parts of it, then moves
 * the elements of parts to the places that follow from the counts of all. The order of elements in
 * a bucket is that of the row, however many parts there are. */
#ifndef GANTRY_COMPILER_CODEGEN_ROUTINES_RADIX_PARTITION_H
#define GANTRY_COMPILER_CODEGEN_ROUTINES_RADIX_PARTITION_H

#include "compiler/codegen/routines/radix_block.h"

enum { RADIX_PARTITION_MIN_LENGTH = 1 << 18 /* elements; shorter rows fit into the caches */ };

/* The number of elements of a row's second arrays. */
int64_t radix_partition_capacity(int64_t length);
/* Sorts the operands into the row's first arrays, which do not overlap the operands. */
void radix_partition_row(const struct radix_row *row);

#endif
