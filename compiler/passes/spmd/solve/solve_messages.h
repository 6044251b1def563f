/* solve_messages.h: min-sum message passing over a reduced problem, with a multiplier for each row
 * of memory (a price of its bytes): sequential tree-reweighted messages (Kolmogorov, "Convergent
 * tree-reweighted message passing for energy minimization", 2006). Any messages and multipliers
 * give a lower bound of the cost; good ones also show which strategies to take.
 *
 * Single-threaded and without a clock: equal problems have equal results. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_MESSAGES_H
#define GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_MESSAGES_H

#include "compiler/passes/spmd/solve/solve_graph.h"

struct solve_messages; /* in the graph's arena */

/* Nodes are visited in order of their numbers. The graph must not change afterwards. */
struct solve_messages *solve_messages_create(struct solve_graph *graph);
/* Sets the multipliers of all rows (at least 0; NULL: all 0). Messages stay. */
void solve_messages_price(struct solve_messages *messages, const double *multipliers);
/* Passes messages along all edges, forth and back, and returns a bound: no choice that fits costs
 * less (but for rounding, 1e-9 of it). Time: the number of pairs of strategies. */
double solve_messages_sweep(struct solve_messages *messages);
/* A strategy (its position) of each remaining node, by the messages. */
void solve_messages_decode(const struct solve_messages *messages, int *positions);

#endif
