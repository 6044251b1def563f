/* sort_merge.h: stable merge sort of rows with any comparator: merges adjacent runs of 1, 2, 4 ...
 * elements, alternating between the two arrays of each operand. Time is O(n log n) in the row's
 * length. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_MERGE_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_MERGE_H

#include "compiler/codegen/standalone/sort_row.h"

/* Sorts the row of the operands into its first arrays. */
struct error *sort_merge_row(struct sort_row *s);

#endif
