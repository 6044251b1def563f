/* buffer_preassign.h: assignments that the program dictates. Loop-carried values, branch results
 * and in-place updates share memory with their sources; constants, parameters and results have
 * their own allocations. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_PREASSIGN_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_PREASSIGN_H

#include "compiler/passes/buffer/assigner.h"

/* Handles the operations inside a block. */
void buffer_preassign_block(struct assigner *a, struct block *block);
/* Handles the arguments and results of the block being planned. */
void buffer_preassign_boundary(struct assigner *a);
/* Entry only: decides which results reuse the memory of donated parameters (plan->result_alias).
 * Requires that the results' classes have their members. */
void buffer_preassign_donated(struct assigner *a);

#endif
