/* sort_top.h: selects the first few elements of each row in sorted order without sorting the row.
 * The best elements so far are stored in order, as 64-bit pairs of key and position, so that equal
 * keys keep their order. A vector of the row is examined further only if one of its keys is ordered
 * before the last of these. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_TOP_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_TOP_H

#include "compiler/codegen/standalone/sort_row.h"

/* Whether the sort has a key of at most 32 bits, long rows, and few elements of each row are
 * returned. Needs no scratch. */
bool sort_top_supports(const struct op *op);
/* Writes the results for the row of the operands. */
struct error *sort_top_row(struct sort_row *s);

#endif
