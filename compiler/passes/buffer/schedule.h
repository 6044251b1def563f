/* schedule.h: the order of steps. Compares several orders of each block's operations, among them
 * the given one, by their peak memory, and replaces the given order if another one needs clearly
 * less. Before that, it orders what computes carried values of loops (carried_order.h).
 * Deterministic; O(n log n) in a block's operations and their operands. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_SCHEDULE_H
#define GANTRY_COMPILER_PASSES_BUFFER_SCHEDULE_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

/* Requires that fusion has run. */
struct error *schedule_run(struct module *module, const struct target *target);

#endif
