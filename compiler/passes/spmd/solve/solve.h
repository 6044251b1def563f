/* solve.h: solves a problem (solve_problem.h): reduces it, finds a first answer by messages, memory
 * multipliers and local search, and, if the library CBC is on the machine, improves that answer and
 * proves that there is none better. All limits are counts of work, never seconds, so that equal
 * problems have equal answers. Thread-safe: CBC runs in one thread at a time. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_H
#define GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_H

#include "compiler/passes/spmd/solve/solve_problem.h"

struct solve_progress {
    const char *stage; /* "reduced", "answer" (before CBC) */
    int nodes_left;    /* by the reduction */
    int64_t cost;      /* of the best answer so far; SOLVE_FORBIDDEN: none */
    double bound;      /* of any answer that fits, so far */
};

struct solve_options {
    int rounds;          /* of the first answer: multipliers that are tried, at least 1 */
    bool uses_cbc;       /* if it is installed */
    int cbc_nodes;       /* of its search tree */
    int64_t cbc_entries; /* of its matrix: larger problems are not given to it */
    /* Called in solve_run()'s thread after the reduction and for each better answer. NULL: not. */
    void (*report)(void *context, const struct solve_progress *);
    void *context; /* of report */
};

#define SOLVE_OPTIONS_DEFAULT                                                                      \
    ((struct solve_options){                                                                       \
        .rounds = 200, .uses_cbc = true, .cbc_nodes = 2000, .cbc_entries = 4000000})

struct solve_answer {
    bool is_found;            /* a choice that fits and has no forbidden pair */
    bool is_optimal;          /* proven: bound == cost */
    bool is_infeasible;       /* proven: no choice fits */
    int *choice;              /* a strategy of each node */
    int64_t cost, first_cost; /* first_cost: before CBC; SOLVE_FORBIDDEN: none found */
    int64_t bound;            /* no choice that fits costs less */
    int nodes_left;           /* by the reduction */
};

/* `out` is in the arena. Errors: those of solve_problem_check(). */
struct error *solve_run(struct arena *arena, const struct solve_problem *problem,
                        const struct solve_options *options, struct solve_answer *out);

#endif
