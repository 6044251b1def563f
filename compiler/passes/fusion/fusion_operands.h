/* fusion_operands.h: operands of fusions that must be stored, and are not: constants become
 * fusions that fill them, what is written in place becomes an operand of its own. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_OPERANDS_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_OPERANDS_H

#include "compiler/ir/ir.h"

/* What an update writes in place, its first `written` operands, is read by no other operand. */
void fusion_operands_update(struct module *module, struct op *op, int written);
/* An operation with a kernel of its own reads its operands from memory, so none but a scalar is a
 * constant inside of it. */
void fusion_operands_single(struct module *module, struct op *op);
/* A large splat that must be stored is filled in by a kernel where it is used, so that it
 * costs no constant memory and an update in place needs no copy of it. */
void fusion_operands_splats(struct module *module, struct block *block);

/* A concatenation of very many operands becomes a tree of concatenations, since the code of one
 * looks for the operand of every element. */
void fusion_operands_concatenate(struct module *module, struct op *op);

#endif
