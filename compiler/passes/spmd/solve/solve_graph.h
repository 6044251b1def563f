/* solve_graph.h: a problem (solve_problem.h) that can be reduced: strategies and nodes are removed,
 * and the choice for what was removed follows from the rest. In an arena; used inside arena_run().
 */
#ifndef GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_GRAPH_H
#define GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_GRAPH_H

#include "base/map.h"
#include "base/vec.h"
#include "compiler/passes/spmd/solve/solve_problem.h"

struct graph_use {
    int first, last;
    int64_t *bytes;
};

struct graph_node {
    int count; /* 0: eliminated */
    int *ids;  /* strategies of the problem's node */
    int64_t *costs;
    VEC(struct graph_use) uses;
    VEC(int) edges; /* some may be gone */
};

struct graph_edge {
    int a, b;
    int64_t *costs; /* costs[s * count of b + t] */
    bool is_gone;
};

struct graph_step {   /* an elimination: the strategy of a node by those of its neighbors */
    int node, a, b;   /* -1: no neighbor */
    const int *table; /* ids of the node's strategies */
    const int *a_rank, *b_rank; /* the position in the table of each of the neighbors' ids */
    int b_count;
};

struct solve_graph {
    struct arena *arena;
    const struct solve_problem *problem;
    struct graph_node *nodes;
    VEC(struct graph_edge) edges;
    struct map *pairs; /* edge index plus 1, by its two nodes */
    VEC(struct graph_step) steps;
    int64_t cost;   /* of what was eliminated */
    int row_count;  /* rows that are left */
    int64_t *room;  /* of each row: bytes that the remaining nodes may take; NULL: no limit */
    int64_t *taken; /* solve_graph_take(): changes of the room from one row to the next */
    bool is_infeasible;
};

struct solve_graph *solve_graph_create(struct arena *arena, const struct solve_problem *problem);

/* The cost of an edge for strategy s of `node`, which is one of its two, and t of the other. */
static inline int64_t *solve_graph_at(const struct solve_graph *graph,
                                      const struct graph_edge *edge, int node, int s, int t)
{
    int width = graph->nodes[edge->b].count;
    return &edge->costs[edge->a == node ? (int64_t)s * width + t : (int64_t)t * width + s];
}

static inline int solve_graph_other(const struct graph_edge *edge, int node)
{
    return edge->a == node ? edge->b : edge->a;
}

/* The edges of a node that are not gone, at most `capacity`; the number of all of them. */
int solve_graph_edges(struct solve_graph *graph, int node, int capacity, int *out);
/* Adds costs of pairs, costs[s * count of b + t], to the edge of two nodes, making it if needed. */
void solve_graph_add_edge(struct solve_graph *graph, int a, int b, const int64_t *costs);
/* Removes the strategies that are not to be kept; at least one is. */
void solve_graph_keep(struct solve_graph *graph, int node, const bool *kept);
/* Removes a node; table: the position of its strategy for each pair of a's and b's positions. */
void solve_graph_eliminate(struct solve_graph *graph, int node, int a, int b, const int *table);

/* Takes bytes of the room of rows first to last for good, O(1). solve_graph_settle() then changes
 * the room, and sets is_infeasible where it is less than 0; linear in rows. */
void solve_graph_take(struct solve_graph *graph, int first, int last, int64_t bytes);
void solve_graph_settle(struct solve_graph *graph);

/* What the nodes take in each row of the choice `positions`; load: row_count + 1 numbers. Linear in
 * uses and rows. */
void solve_graph_load(const struct solve_graph *graph, const int *positions, int64_t *load);

/* The choice of the problem, from a position of each node that remains. */
void solve_graph_expand(const struct solve_graph *graph, const int *positions, int *choice);

#endif
