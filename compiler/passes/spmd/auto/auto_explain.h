/* auto_explain.h: what automatic sharding has compared, for its users. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_EXPLAIN_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_EXPLAIN_H

#include "compiler/passes/spmd/auto/auto_search.h"
#include "compiler/program/auto_plan.h"

/* The best answer, the best one of each way in which the search found some, and what a change of
 * one group of the best answer's arguments would cost: these are planned if the planner explains.
 * The pool has at least one answer. In the module's arena. */
struct auto_plan *auto_explain_make(struct auto_score *score, const struct auto_pool *pool);

#endif
