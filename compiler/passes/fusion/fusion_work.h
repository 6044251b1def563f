/* fusion_work.h: the arithmetic that a program does, where a value that is computed several times
 * counts each time. Tests compare it before and after fusion. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_WORK_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_WORK_H

#include "compiler/ir/ir.h"

/* Operations on elements, weighted as cost_of_element() does, of one execution of a block; the
 * regions of control flow count once. A fusion counts each of its operations as often as its
 * kernel computes it. Linear in the size of the block. Overwrites notes inside fusions. */
double fusion_work_of_block(struct arena *arena, const struct block *block);

#endif
