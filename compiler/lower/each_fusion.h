/* each_fusion.h: walks the fusions of a program. Internal to compiler/lower. */
#ifndef GANTRY_COMPILER_LOWER_EACH_FUSION_H
#define GANTRY_COMPILER_LOWER_EACH_FUSION_H

#include "compiler/lower/lowerer.h"

/* Calls `visit` for each fusion of the module's entry, in program order; those of the regions of
 * control flow are included, those of lower_step_calls_kernels() are not, nor those that
 * have no step (loop_stack_is_unread). */
void each_fusion(struct lowerer *l, void (*visit)(struct lowerer *l, const struct op *fusion));

#endif
