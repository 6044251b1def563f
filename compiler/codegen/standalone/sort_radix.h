/* sort_radix.h: radix sort of rows by key (sort_key.h). Stable. Time is linear in the row's
 * length. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_RADIX_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_RADIX_H

#include "compiler/codegen/standalone/sort_row.h"

/* Whether the sort has a key, few operands, and sufficiently long rows. */
bool sort_radix_supports(const struct op *op);
/* Sorts the row of the operands into its first arrays. */
struct error *sort_radix_row(struct sort_row *s);

#endif
