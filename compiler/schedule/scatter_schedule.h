/* scatter_schedule.h: the nest over the updates of a scatter, which visits each of them. Updates
 * are applied in order: indices may repeat, so unless they are declared unique, work items divide
 * only the leading dimensions that keep updates apart anyway, as batches do. */
#ifndef GANTRY_COMPILER_SCHEDULE_SCATTER_SCHEDULE_H
#define GANTRY_COMPILER_SCHEDULE_SCATTER_SCHEDULE_H

#include "compiler/schedule/nest_schedule.h"

struct scatter_schedule {
    struct nest nest;
    /* Lanes are along the updates' last dimension, which numbers windows: the indices and updates
     * of a vector are computed together, then applied one after the other. Otherwise lanes are
     * along the innermost dimension of a window, if there are any. */
    bool numbers_windows;
    bool rows_in_windows; /* all elements along the last axis are of one window */
};

/* `is_alone`: the kernel stores nothing but the scatter's results. */
struct scatter_schedule scatter_schedule(const struct target *target, const struct op *scatter,
                                         bool is_alone);

#endif
