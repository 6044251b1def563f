/* trip_count.h: how often the bodies of loops execute, as far as it is known at compile time. Pure
 * functions of the IR, before and after fusion. */
#ifndef GANTRY_COMPILER_ANALYSIS_TRIP_COUNT_H
#define GANTRY_COMPILER_ANALYSIS_TRIP_COUNT_H

#include "compiler/ir/ir.h"

/* The number of iterations of a `while` whose counter starts at a constant, increases by a
 * positive constant and is compared (LT) with a constant, if the counter does not wrap around;
 * else -1. Copies hide constants and counters: after buffer assignment the count is that of loops
 * without any, by which kernels' tiers and costs are calibrated. */
int64_t trip_count_of(const struct op *loop);

/* Whether such a number exists, also where buffer assignment has put copies: the loop ends. */
bool trip_count_is_known(const struct op *loop);
/* Whether the trip counts of all loops in the block, nested ones included, are known. */
bool trip_count_is_known_in(const struct block *block);

#endif
