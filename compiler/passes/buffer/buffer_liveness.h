/* buffer_liveness.h: live ranges. All operations are numbered. A value is live from its definition
 * to its last use. A value that a loop reads but does not define is live throughout the loop. Of
 * the branches of an operation one is executed: a value that is not used after it is live in each
 * branch to its last use there, and not at all in branches that do not use it. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_LIVENESS_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_LIVENESS_H

#include "compiler/passes/buffer/assigner.h"

/* Creates an item in its own class for every value of the block and of the control flow inside it,
 * and a class for the scratch of every fusion that needs some. Lists the copies. Requires the plans
 * of regions. */
void buffer_liveness_run(struct assigner *a);

#endif
