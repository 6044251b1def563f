/* schedule_graph.h: the operations of a block as a dependency graph, with the size and users of
 * every value. The block's `return` is not part of it. All memory comes from the arena. Nodes and
 * values are numbered in the order of the block. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_SCHEDULE_GRAPH_H
#define GANTRY_COMPILER_PASSES_BUFFER_SCHEDULE_GRAPH_H

#include "compiler/ir/ir.h"

struct schedule_list { /* of numbers */
    int count;
    int *at;
};

struct schedule_value {         /* the bytes of a value and of its aliases by reshapes */
    uint64_t bytes;             /* a multiple of the alignment */
    bool live_out;              /* returned, so it stays live until the block ends */
    struct schedule_list users; /* each once, in order */
};

struct schedule_node {
    struct op *op;
    struct schedule_list before, after; /* nodes; one may be listed more than once */
    struct schedule_list uses;          /* values read, each once */
    int first_value, value_count;       /* the values that it defines */
    int *overwrites;      /* per defined value: the value that it may overwrite, or -1 */
    uint64_t region_peak; /* peak bytes of the blocks inside it */
};

struct schedule_graph {
    int node_count, value_count;
    struct schedule_node *nodes;
    struct schedule_value *values;
};

/* Linear in the block's operations and operands, including those in control flow inside it.
 * Overwrites the notes of the block's operations and values. Sets `region_peak` of the nodes to 0.
 *
 * Operations with side effects keep their order. An operation that overwrites a value in place (an
 * update, a loop that carries it, a result in the memory of a donated parameter) stays after all
 * other readers of that value if it was after them before, so that no copy becomes necessary. */
struct schedule_graph *schedule_graph_make(struct arena *arena, uint64_t alignment,
                                           const struct block *block);

#endif
