/* fusion_join.h: the fusion policy: which operations may be computed in which groups. A value may
 * be recomputed where that costs less than storing and loading it; the total cost of the program
 * stays within a small factor (fusion_work.h). */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_JOIN_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_JOIN_H

#include "compiler/passes/fusion/fusion_group.h"
#include "compiler/target.h"

/* join_cost_parts_rows() of an operation that joins the group. */
bool fusion_join_parts_rows(const struct op *op, const struct membership *in);
/* Whether the group of a membership computes each element of op at most once, in vectors: it takes
 * no more than to store them. */
bool fusion_join_is_once(const struct op *op, const struct membership *in);
/* Whether the group of a membership may compute op at the points of the membership. */
bool fusion_join_allowed(const struct op *op, const struct membership *in,
                         const struct target *target);
/* Whether each of several groups may compute its own copy of op. is_output: one of them can store
 * it, for which no other kernel is launched. */
bool fusion_join_may_clone(const struct op *op, const struct membership *in, size_t count,
                           bool is_output);

#endif
