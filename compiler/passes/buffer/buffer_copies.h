/* buffer_copies.h: puts an OP_copy wherever a value must move to a certain place: into a while's
 * carried slot before the loop and at the end of its body, into a branch's result, before an
 * update in place, and into the results of the program. With all of them a plan is trivially
 * correct; buffer_assign then lets the two sides of as many of them as possible share memory,
 * and such a copy does nothing. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_COPIES_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_COPIES_H

#include "compiler/ir/ir.h"

/* In `block` and the control flow inside it. `results`: the block's return leads to result
 * allocations. */
void buffer_copies_insert(struct module *module, struct block *block, bool results);

/* The argument of an update fusion's region that result `i` is written over. */
int buffer_copies_updated_operand(const struct op *fusion, int i);

/* The operand of a custom call whose memory result `i` takes, or -1 (output_operand_aliases). */
int buffer_copies_aliased_operand(const struct op *call, int i);

#endif
