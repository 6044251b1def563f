/* buffer_in_place.h: which results of a fusion may be written over which of its operands. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_IN_PLACE_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_IN_PLACE_H

#include "compiler/ir/ir.h"

/* Whether result `result` may reuse the memory of operand `operand` at its last use: every element
 * of the operand is read only to make the element of the results at the same place; or the fusion
 * updates the operand, or is a loop that starts from it. Writes the notes of values in the region
 * of a loop fusion. */
bool buffer_in_place(const struct op *fusion, int operand, int result);

#endif
