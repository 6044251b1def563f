/* solve_problem.h: the choice of shardings as an integer program. Each *node* takes one of its
 * *strategies*; a strategy has a cost, each pair of strategies along an *edge* another, and
 * strategies take memory while their node is live. Wanted: the choice of least cost whose memory
 * never exceeds the limit. The form is that of the contest on intra-operator parallelism of
 * ASPLOS 2025 (github.com/google/iopddl), but a node may be live several times.
 *
 * Costs are integers, at least 0 (automatic sharding uses picoseconds), memory is in bytes. Moments
 * of time are *rows*, 0 to row_count - 1. All pointers are borrowed. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_PROBLEM_H
#define GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_PROBLEM_H

#include "base/arena.h"
#include "base/error.h"

/* A cost that no choice may have: what is equal to it or greater is forbidden. */
#define SOLVE_FORBIDDEN ((int64_t)1 << 55)

struct solve_use { /* rows first to last, inclusive */
    int first, last;
    const int64_t *bytes; /* of each strategy */
};

struct solve_node {
    int count; /* strategies: at least 1 */
    const int64_t *costs;
    int use_count;
    const struct solve_use *uses;
};

struct solve_edge {
    int a, b;             /* nodes, different */
    const int64_t *costs; /* of strategy s of a and t of b: costs[s * count of b + t] */
};

struct solve_problem {
    int node_count, edge_count, row_count;
    const struct solve_node *nodes;
    const struct solve_edge *edges;
    int64_t limit; /* bytes in each row; -1: none */
};

enum { SOLVE_MAX_STRATEGIES = 1024 }; /* of a node */

/* INVALID_ARGUMENT unless all indices, counts, costs and bytes are as described above. */
struct error *solve_problem_check(const struct solve_problem *problem);

/* The sum of two costs; forbidden if one of them is. */
static inline int64_t solve_add(int64_t a, int64_t b)
{
    return a >= SOLVE_FORBIDDEN || b >= SOLVE_FORBIDDEN || a + b >= SOLVE_FORBIDDEN
               ? SOLVE_FORBIDDEN
               : a + b;
}

/* The cost of a choice (a strategy of each node), and its largest row. Linear. */
int64_t solve_problem_cost(const struct solve_problem *problem, const int *choice);
int64_t solve_problem_peak(struct arena *arena, const struct solve_problem *problem,
                           const int *choice);

struct solve_interval { /* half open; empty if end <= begin */
    int64_t begin, end;
};

/* Numbers the moments at which most is live: after them something ends before anything begins.
 * Other moments have less memory than one of them, whatever is chosen. first[i] to last[i]: the
 * rows of interval i; last[i] < first[i]: none. Returns the number of rows. O(n log n). */
int solve_problem_rows(struct arena *arena, int count, const struct solve_interval *intervals,
                       int *first, int *last);

#endif
