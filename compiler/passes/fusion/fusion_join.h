/* fusion_join.h: the fusion policy: which operations may be computed in which groups. A value may
 * be recomputed where that costs less than storing and loading it; the total cost of the program
 * stays within a small factor (fusion_work.h). */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_JOIN_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_JOIN_H

#include "compiler/passes/fusion/fusion_group.h"
#include "compiler/target.h"

/* Whether the group of a membership may compute op at the points of the membership. */
bool fusion_join_allowed(const struct op *op, const struct membership *in,
                         const struct target *target);
/* Whether each of several groups may compute its own copy of op. */
bool fusion_join_may_clone(const struct op *op, const struct membership *in, size_t count);

#endif
