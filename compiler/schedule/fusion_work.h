/* fusion_work.h: the total computation of a program, which counts recomputed values each time. The
 * pipeline compares it before and after every pass (passes/work_bound.h). */
#ifndef GANTRY_COMPILER_SCHEDULE_FUSION_WORK_H
#define GANTRY_COMPILER_SCHEDULE_FUSION_WORK_H

#include "compiler/ir/ir.h"

/* The cost of one execution of a block, in the unit of cost_of_op(). Loops count as often as they
 * run (those of unknown trip count as cost.h says), all branches of a case or if together, so that
 * replacing it by a select adds no work. Each operation of a fusion counts as often as the kernel
 * computes it. Takes time linear in the size of the block. Overwrites op->note inside fusions. */
double fusion_work_of_block(struct arena *arena, const struct block *block);

/* Whether each operation of a fusion is computed at evaluation points (eval_point.h): loops and
 * updates in place. */
bool fusion_work_has_points(const struct op *fusion);
/* Sets op->note of the operations of such a fusion to their struct eval_points, in the arena. */
void fusion_work_note(struct arena *arena, const struct op *fusion);

#endif
