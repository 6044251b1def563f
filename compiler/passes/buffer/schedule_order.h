/* schedule_order.h: an order of a graph's nodes that needs little memory. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_SCHEDULE_ORDER_H
#define GANTRY_COMPILER_PASSES_BUFFER_SCHEDULE_ORDER_H

#include "compiler/passes/buffer/schedule_graph.h"

/* Compares several orders, among them that of the nodes' numbers, by their peak memory, and returns
 * that one unless another needs clearly less: the node at each position, in the arena. *peak: the
 * peak bytes of the values. Reads everything of the graph but the nodes' operations. Deterministic;
 * O(n log n) in nodes and uses. */
const int *schedule_order(struct arena *arena, const struct schedule_graph *graph, uint64_t *peak);

#endif
