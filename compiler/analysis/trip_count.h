/* trip_count.h: the trip counts of loops that are known at compile time. Pure functions of the IR,
 * before and after fusion. */
#ifndef GANTRY_COMPILER_ANALYSIS_TRIP_COUNT_H
#define GANTRY_COMPILER_ANALYSIS_TRIP_COUNT_H

#include "compiler/ir/ir.h"

/* The trip count of a `while` whose counter starts at a constant, is incremented or decremented by
 * a constant, is compared with a constant and does not wrap around; -1 for other loops. The
 * analysis does not look through copies, so the trip count of a loop whose counter is copied is
 * unknown after buffer assignment. The thresholds of kernels' tiers are calibrated to this. */
int64_t trip_count_of(const struct op *loop);

/* The same, looking through the copies of buffer assignment. */
int64_t trip_count_after_copies(const struct op *loop);
/* Whether trip_count_after_copies() is known: the loop terminates. */
bool trip_count_is_known(const struct op *loop);
/* True when the trip counts of all loops in the block are known, including nested loops. */
bool trip_count_is_known_in(const struct block *block);

#endif
