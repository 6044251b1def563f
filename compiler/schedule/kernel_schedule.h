/* kernel_schedule.h: the loop nests of a kernel, scheduled: one for the results of each shape, and
 * one for each operand of a concatenation (concat_operands.h), which are one loop if they are parts
 * of the same rows: rows are then stored in the order of memory. */
#ifndef GANTRY_COMPILER_SCHEDULE_KERNEL_SCHEDULE_H
#define GANTRY_COMPILER_SCHEDULE_KERNEL_SCHEDULE_H

#include "base/vec.h"
#include "compiler/schedule/nest_schedule.h"

struct kernel_schedule {
    VEC(struct nest) nests; /* in the order in which they run */
};

/* The nests of a FUSION_LOOP or FUSION_ROWS. All memory is the arena's. */
struct kernel_schedule kernel_schedule(struct arena *arena, const struct target *target,
                                       const struct op *fusion);

/* The nest of results of a FUSION_UPDATE (analysis/update_window.h): that of `first` and of all
 * later ones of its shape that are not among `stored`, to which they are added. It has no elements,
 * or is scheduled. */
struct nest kernel_schedule_windows(struct arena *arena, const struct target *target,
                                    const struct op *fusion, int first, bool *stored);

#endif
