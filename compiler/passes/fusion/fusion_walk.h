/* fusion_walk.h: what the operands of an element take if a group computes the element: the time of
 * all operations before it that would be computed with it, each once, down to arrays in memory, and
 * that of reading these. Operations have nodes (fusion_node.h). Takes bounded time: what is further
 * away, or comes after join_cost_decisive(), counts as if it were free. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_WALK_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_WALK_H

#include "compiler/passes/fusion/fusion_node.h"

/* Without what the group computes or reads anyway. NULL: a kernel of its own. `number` is another
 * one for each walk of a block. */
struct join_operands fusion_walk_operands(const struct op *op, const struct group *group,
                                          bool in_region, int number);

/* Whether a user of the result that is not part of a loop needs it in memory. The nodes of
 * the block have roles. */
bool fusion_walk_is_stored(const struct op *op);

#endif
