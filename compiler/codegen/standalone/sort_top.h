/* sort_top.h: the first few of each sorted row without sorting it. The best so far are stored in
 * order, as pairs of key and position in 64 bits, so that equal keys stay in their order; a vector
 * of the row is examined further only when one of its keys is ordered before the last of them. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_TOP_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_TOP_H

#include "compiler/codegen/standalone/sort.h"

/* Whether the sort has a key of at most 32 bits and few elements of long rows are returned. Needs
 * no scratch. */
bool sort_top_supports(const struct op *op);
/* From the operands into the results. */
struct error *sort_top_row(struct sort *s);

#endif
