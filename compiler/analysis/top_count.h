/* top_count.h: top-k: sorts of which only the first elements of each row are used. */
#ifndef GANTRY_COMPILER_ANALYSIS_TOP_COUNT_H
#define GANTRY_COMPILER_ANALYSIS_TOP_COUNT_H

#include "compiler/ir/ir.h"

/* The largest number of elements per row that the slices of a sort select; 0 if the sort has other
 * users. */
int64_t top_count(const struct op *sort);

#endif
