/* fusion_join.h: the policy: which operations may be computed in which groups. A value may be
 * computed several times where that costs less than storing and reading it; the work of the program
 * stays within a small multiple (fusion_work.h). */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_JOIN_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_JOIN_H

#include "compiler/passes/fusion/fusion_group.h"
#include "compiler/target.h"

/* Whether a group may compute an operation at the points of a membership. */
bool fusion_join_allowed(const struct op *op, const struct membership *in,
                         const struct target *target);
/* Whether all of several groups may compute it, each for itself. */
bool fusion_join_may_clone(const struct op *op, const struct membership *in, size_t count);

#endif
