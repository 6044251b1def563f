/* offload_schedule.h: overlaps copies between memory kinds with computation. Each copy is hoisted
 * towards the definition of its operands, and OP_copy_done, which waits for it, is placed before
 * the first use of its result. The operations between the two take about as long as the copy:
 * starting earlier or waiting later would keep both sides of the copy in memory for longer. No copy
 * moves past a loop or a branch, and no update moves past a reader of the array that it overwrites.
 * Requires that fusion and outline have run. */
#ifndef GANTRY_HOSTOFFLOAD_PASSES_OFFLOAD_SCHEDULE_H
#define GANTRY_HOSTOFFLOAD_PASSES_OFFLOAD_SCHEDULE_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *offload_schedule_run(struct module *module, const struct target *target);

#endif
