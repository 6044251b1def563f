/* solve_reduce.h: makes a problem smaller without changing the cost of its best choice:
 *
 *   forbidden    strategies without a partner along an edge go
 *   dominated    so do those that another one is never worse than, in cost and in every row
 *   separable    an edge whose costs are a sum of one term for each side becomes costs of the nodes
 *   decided      a node with one strategy, or one that a neighbor's strategy decides, joins its
 *                neighbors
 *   degree <= 2  a node that takes equal memory with all strategies joins its neighbors
 *
 * until nothing changes, then the memory (solve_compact.h), and again while that helps. Sets
 * is_infeasible where a node is left without strategies or a row with too little room.
 * Deterministic. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_REDUCE_H
#define GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_REDUCE_H

#include "compiler/passes/spmd/solve/solve_graph.h"

void solve_reduce(struct solve_graph *graph);

#endif
