/* model_sort.h: sorts on a modeled accelerator: a bitonic network of compare-and-exchange stages
 * over vectors. In the compiler's schedules a stage needs about the same instructions of every
 * vector, whatever its type: comparisons and selections of the keys, the positions of a stable sort
 * and other operands, and shuffles where the sorted elements are in one vector's lanes. Pure
 * functions. */
#ifndef GANTRY_COMPILER_MODEL_UNITS_MODEL_SORT_H
#define GANTRY_COMPILER_MODEL_UNITS_MODEL_SORT_H

#include "compiler/accelerator.h"
#include "compiler/ir/ir.h"

/* The dimension that is minor where an operand of the OP_sort is sorted: another one than the
 * sorted dimension, unless the array has only that, or the order with the other one as the minor
 * dimension pads more. `bytes` becomes the size of a copy in that order; 0: the default layout has
 * it. */
bool model_sort_is_along_lanes(const struct accelerator *accelerator, const struct op *sort,
                               const struct value *operand, uint64_t *bytes);

/* Seconds of an OP_sort. If only the first elements of its results are used, it keeps no others: it
 * sorts lists of so many, and merges them. */
double model_sort_seconds(const struct accelerator *accelerator, const struct op *sort);

#endif
