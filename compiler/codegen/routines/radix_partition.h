/* radix_partition.h: most significant digit first, once, for long rows:
 *
 *   the bits in which any keys differ; the digit is the first 8 of them, or 11
 *   if a bucket of equal digits is longer than the second arrays:
 *       the digit is the first bits of that bucket's range; keys outside are in the outer buckets
 *   buckets, from the operands to the first arrays
 *   for groups of adjacent buckets, as many as fit into a core's caches, or a single one:
 *       least significant digit first (radix_range.h), between the first and the second arrays
 *
 * The second arrays are a third as long as the row. If a bucket is longer nevertheless, it is
 * sorted in parts, and the parts are merged. That groups fit into the caches makes up for the
 * additional pass. */
#ifndef GANTRY_COMPILER_CODEGEN_ROUTINES_RADIX_PARTITION_H
#define GANTRY_COMPILER_CODEGEN_ROUTINES_RADIX_PARTITION_H

#include "compiler/codegen/routines/radix_range.h"

enum { RADIX_PARTITION_MIN_LENGTH = 1 << 18 /* elements; shorter rows fit into the caches */ };

/* The number of elements of a row's second arrays. */
int64_t radix_partition_capacity(int64_t length);
/* Sorts the operands into the row's first arrays, which do not overlap the operands. */
void radix_partition_row(struct radix_range *range, const struct radix_row *row);

#endif
