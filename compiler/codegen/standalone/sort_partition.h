/* sort_partition.h: radix sort of long contiguous rows with little scratch: the row is partitioned
 * by the leading bits of the keys from the operands into the results, and each part is sorted where
 * it is. Stable. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_PARTITION_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_PARTITION_H

#include "compiler/codegen/standalone/sort_row.h"

/* Whether rows are long and contiguous, and sort_radix.h supports them. */
bool sort_partition_supports(const struct op *op);
/* The number of elements of a row's second arrays. */
int64_t sort_partition_capacity(int64_t length);
/* Sorts the row of the operands into its first arrays, which do not overlap the operands. */
struct error *sort_partition_row(struct sort_row *s);

#endif
