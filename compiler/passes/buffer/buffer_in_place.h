/* buffer_in_place.h: decides which results of a fusion may overwrite which of its operands. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_IN_PLACE_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_IN_PLACE_H

#include "compiler/ir/ir.h"

/* Whether result `result` may reuse the memory of operand `operand` at its last use: every element
 * of the operand is read only to compute the element of the results at the same index, or to reduce
 * the row of trailing dimensions that contains both (softmax, layer normalization); or the result
 * has one element, which is written last; or the fusion updates the operand in place, or is a loop
 * whose initial value it is. Overwrites value->note in the region of a loop fusion. */
bool buffer_in_place(const struct op *fusion, int operand, int result);

#endif
