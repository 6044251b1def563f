/* carried_order.h: in the body of a loop, what computes the next value of a carried array comes
 * after all that reads the value before, so that it may be written over that. Otherwise it is
 * stored elsewhere and copied at the end of each iteration. Moves the operation down past readers
 * that do not need it, or these up. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_CARRIED_ORDER_H
#define GANTRY_COMPILER_PASSES_BUFFER_CARRIED_ORDER_H

#include "compiler/ir/ir.h"

/* For all loops in the block, also in kernels that are loops. Overwrites the notes of operations
 * and of values in fusions. Moves for at most 64 carried values of a loop, so that it is linear. */
void carried_order(struct block *block);

#endif
