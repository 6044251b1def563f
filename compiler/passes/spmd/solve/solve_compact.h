/* solve_compact.h: makes the memory constraints of a graph smaller without changing which choices
 * fit:
 *
 *   disjoint   the uses of a node that overlap become one for each set of rows
 *   relative   what a node takes with each of its strategies leaves the room of the rows for good
 *   too large  strategies go that do not fit beside the least that all others take
 *   slack      rows go that all nodes together cannot fill
 *   implied    so do rows in which nothing takes more than in the row beside it
 *
 * Returns whether a node has lost strategies or all of its uses, so that reduction may go on. Sets
 * is_infeasible. O(n log n) in uses. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_COMPACT_H
#define GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_COMPACT_H

#include "compiler/passes/spmd/solve/solve_graph.h"

bool solve_compact(struct solve_graph *graph);

#endif
