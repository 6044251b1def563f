/* auto_fit.h: answers that are faster than what fits the memory, made to fit by savings
 * (auto_savings.h): idle values are computed again or kept in the host's memory, those first whose
 * bytes cost the least time by the planner's rates. Each choice is planned whole, and where it
 * still needs too much, more is saved. What takes less time to compute again than to write and
 * read is tried for the best answer, too, even if it fits. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_FIT_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_FIT_H

#include "compiler/passes/spmd/auto/auto_score.h"

/* `plan` is called with each new answer and returns its cost. `pool`: the answers so far, of which
 * those are changed that are faster than the best that fits. */
void auto_fit_run(struct auto_score *score, int count, const struct auto_scored *pool,
                  struct auto_cost (*plan)(void *context, const struct auto_answer *),
                  void *context);

#endif
