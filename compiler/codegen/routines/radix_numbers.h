/* radix_numbers.h: rows of one operand whose elements follow from their keys, as integers do, and
 * mostly floats. Their keys are sorted as numbers (vector_sort.h), which is faster than moving
 * elements by digits; that equal keys do not keep their order does not matter, since their elements
 * are the same. */
#ifndef GANTRY_COMPILER_CODEGEN_ROUTINES_RADIX_NUMBERS_H
#define GANTRY_COMPILER_CODEGEN_ROUTINES_RADIX_NUMBERS_H

#include "compiler/codegen/routines/radix_block.h"

/* Sorts the row into the first array, and returns true; or returns false, and leaves the operand as
 * it is: if this processor has no such instructions, or an element does not follow from its key,
 * as -0 where its key is that of 0. Overwrites the second array unless the row is partitioned. */
bool radix_numbers_row(const struct radix_row *row);

#endif
