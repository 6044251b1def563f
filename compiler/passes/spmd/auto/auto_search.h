/* auto_search.h: looks for the best answer: first the ones that experts would try (all devices
 * along one class of dimensions, parameters sharded along others, two classes along two sets of
 * axes), then, from the best of them, single changes of an order, for as long as one is an
 * improvement and the budget lasts. Deterministic. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_SEARCH_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_SEARCH_H

#include "compiler/passes/spmd/auto/auto_score.h"

enum { AUTO_POOL = 64 };

struct auto_pool { /* distinct answers, the best first */
    int count;
    struct auto_scored at[AUTO_POOL];
    struct auto_scored replicated; /* also where the pool has better ones only */
    /* of the integer program (auto_solve.h); nodes 0: it was not solved */
    int program_nodes;
    double program_seconds, bound_seconds;
};

/* Fills the pool. Its first answer is replicated or better. */
void auto_search_run(struct auto_score *score, struct auto_pool *out);

#endif
