/* fusion_operands.h: rewrites of operands before fusion: materializes splat constants that must be
 * in memory, copies operands that an update may not share, and splits large concatenations. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_OPERANDS_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_OPERANDS_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

/* Ensures that no other operand of an update equals one of its first `written` operands, which it
 * updates in place; inserts copies. */
void fusion_operands_update(struct module *module, struct op *op, int written);
/* Ensures that all operands of a FUSION_STANDALONE except scalars are in memory. */
void fusion_operands_standalone(struct module *module, struct op *op);
/* Replaces each use of a large splat constant that must be in memory by a kernel that fills it, so
 * that it takes no constant memory and an in-place update needs no copy. */
void fusion_operands_splats(struct module *module, struct block *block);

/* Whether the operands of a concatenation are so many, and long enough or in memory already, that
 * each is stored, and the concatenation is a kernel that copies them (schedule/concatenation.h). */
bool fusion_operands_are_copied(const struct op *op, const struct target *target);
/* Prepares a concatenation: ensures that operands that will be copied are in memory, or splits one
 * of more than 128 operands into a tree of concatenations, because generated code selects the
 * operand of each element by comparisons. */
void fusion_operands_concatenate(struct module *module, struct op *op, const struct target *target);

#endif
