/* sort_radix.h: rows sorted by the bytes of a key. A comparator that compares the same expression
 * of both sides with LT or GT (what sorting, argsort and top-k become) has a key: that expression's
 * value as an unsigned integer of the same order. Stable; time is linear in the row's length. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_RADIX_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_RADIX_H

#include "compiler/codegen/standalone/sort.h"

/* Whether a sort has a key, few operands, and rows long enough. */
bool sort_radix_supports(const struct op *op);
/* Bytes of scratch behind the operands' arrays; 0 when unsupported. */
uint64_t sort_radix_scratch(const struct op *op);
/* Sorts the row from the operands into the results. */
struct error *sort_radix_row(struct sort *s);

#endif
