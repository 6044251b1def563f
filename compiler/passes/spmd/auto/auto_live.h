/* auto_live.h: when the values of a program take memory, for the rows of the integer program. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_LIVE_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_LIVE_H

#include "compiler/passes/spmd/auto/auto_groups.h"

struct auto_live { /* memory of the groups, replicated, at the moments at which most is live */
    int row_count;
    int *use_counts;         /* of each group */
    struct solve_use **uses; /* of each group; bytes by strategy */
};

/* In program order, regions of control flow in place. Arguments are live throughout unless they are
 * donated; elementwise results with one user are not stored. Only the AUTO_ROWS moments with most
 * replicated bytes are kept. */
enum { AUTO_ROWS = 96 };
void auto_live_find(struct arena *arena, const struct module *module,
                    const struct auto_classes *classes, const struct auto_groups *groups,
                    struct auto_live *out);

#endif
