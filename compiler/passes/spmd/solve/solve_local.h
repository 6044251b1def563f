/* solve_local.h: improves a choice by changing one node, or two that share an edge: first until it
 * fits the memory, then to less cost within it. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_LOCAL_H
#define GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_LOCAL_H

#include "compiler/passes/spmd/solve/solve_graph.h"

struct solve_local; /* in the graph's arena */

struct solve_local *solve_local_create(struct solve_graph *graph);

struct solve_value {
    int64_t excess; /* bytes above the room, over all rows */
    int64_t cost;   /* with what was eliminated */
};

/* Improves positions (of each remaining node) in place, by at most `rounds` visits of all nodes.
 * With multipliers, costs include memory at their prices. */
struct solve_value solve_local_improve(struct solve_local *local, int *positions,
                                       const double *multipliers, int rounds);

#endif
