/* auto_program.h: the choice of shardings as an integer program (solve/solve_problem.h).
 *
 *   nodes     a group of values each, with its placements; and each operation with a sum (products,
 *             reductions), with the factors that axes divide. An operation without sums is divided
 *             as its result is. Operations of equal groups, as in repeated layers, are one node.
 *   costs     picoseconds of computing, by the planner's rates, times the trip counts of loops
 *   edges     picoseconds to bring a value from its placement to the one that an operation reads,
 *             or from that in which it is computed to its own (auto_links.h)
 *   memory    auto_live.h
 *
 * It knows nothing of fusion and overlap, so its best answers are planned whole (auto_score.h). */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_PROGRAM_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_PROGRAM_H

#include "compiler/passes/spmd/auto/auto_groups.h"
#include "compiler/passes/spmd/auto/auto_links.h"
#include "compiler/passes/spmd/solve/solve_problem.h"

struct auto_prices {
    struct auto_links links;
    double multiply_adds, bytes; /* of a device, in a second */
    double host_bytes;           /* copied between a device and the host; 0: it cannot */
};

struct auto_program {
    struct auto_groups groups;
    struct solve_problem problem; /* node i is group i; operations follow */
};

/* In the arena. Linear in the program, but for sorting. */
void auto_program_build(struct arena *arena, const struct module *module,
                        const struct auto_classes *classes, const struct mesh *mesh,
                        const struct auto_prices *prices, struct auto_program *out);

/* The problem with costs of edges multiplied by `weight`, and this limit. */
struct solve_problem auto_program_weigh(struct arena *arena, const struct solve_problem *problem,
                                        double weight, int64_t limit);

/* The answer that a choice is. */
struct auto_answer auto_program_answer(struct arena *arena, const struct auto_classes *classes,
                                       const struct auto_program *program, const int *choice);

/* The memory of an answer by the program's own count, in bytes; -1 if it has a placement that is no
 * strategy. */
int64_t auto_program_peak(struct arena *arena, const struct auto_classes *classes,
                          const struct mesh *mesh, const struct auto_program *program,
                          const struct auto_answer *answer);

#endif
