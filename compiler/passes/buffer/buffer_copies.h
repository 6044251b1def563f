/* buffer_copies.h: inserts an OP_copy wherever a value must move to given memory: into a while's
 * carried slot before the loop and at the end of its body, into a branch's result, before an
 * in-place update, and into the results of the program. With all these copies every plan is
 * correct. buffer_assign then removes as many as possible by assigning the same memory to both
 * sides; such a copy does nothing. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_COPIES_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_COPIES_H

#include "compiler/ir/ir.h"

/* Handles `block` and the control flow inside it. `results`: the operands of the block's return are
 * stored in result allocations. */
void buffer_copies_insert(struct module *module, struct block *block, bool results);

/* The index of the region argument of an update fusion that result `i` overwrites, or -1. */
int buffer_copies_updated_operand(const struct op *fusion, int i);

/* The operand of a custom call whose memory result `i` reuses, or -1 (output_operand_aliases). */
int buffer_copies_aliased_operand(const struct op *call, int i);

#endif
