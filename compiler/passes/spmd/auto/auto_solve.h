/* auto_solve.h: answers by the integer program (auto_program.h), planned whole. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_SOLVE_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_SOLVE_H

#include "compiler/passes/spmd/auto/auto_program.h"
#include "compiler/passes/spmd/auto/auto_score.h"

enum { AUTO_SOLVED = 10 };

struct auto_solved { /* distinct answers */
    int count;
    struct auto_answer at[AUTO_SOLVED];
    int nodes;          /* of the program; 0: not solved */
    double bound, cost; /* of the program within the memory, in seconds; cost 0: no answer found */
};

/* `known`: an answer that was planned with this peak, by which the program's count of memory is
 * scaled. `plan` is called with each new answer and returns its cost: first with one that knows no
 * limit; where another misses the memory, the limit is lowered and the program solved again, up to
 * 3 times. */
struct error *auto_solve_run(struct auto_score *score, const struct auto_answer *known,
                             uint64_t peak_bytes,
                             struct auto_cost (*plan)(void *context, const struct auto_answer *),
                             void *context, struct auto_solved *out);

#endif
