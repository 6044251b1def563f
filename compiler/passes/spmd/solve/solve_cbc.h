/* solve_cbc.h: a reduced problem as a mixed-integer program for COIN-OR CBC 2.10, by its C
 * interface (Cbc_C_Interface.h). The library is opened at the first use; Gantry does not need it.
 *
 * A variable for each strategy, one for each pair of *kinds* of strategies along an edge (those
 * with equal costs but for a constant are of one kind), and rows of memory as needed: those that an
 * answer exceeds are added, and it is solved again. The relaxation is the local polytope, which is
 * as tight as message passing.
 *
 * CBC promises nothing about threads (its command line, which the C interface uses, has static
 * state), so all calls are made under one lock. Without a limit in seconds it is deterministic. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_CBC_H
#define GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_CBC_H

#include "compiler/passes/spmd/solve/solve.h"
#include "compiler/passes/spmd/solve/solve_graph.h"

/* Whether the library can be opened. */
bool solve_cbc_is_there(void);

struct cbc_result {
    bool is_found, is_infeasible;
    int *positions; /* of each remaining node */
    int64_t cost;
    int64_t bound; /* proven */
};

/* positions: a first answer, or NULL. `binding`: rows of memory to begin with. */
struct cbc_result solve_cbc_run(struct solve_graph *graph, const struct solve_options *options,
                                const int *positions, const bool *binding);

#endif
