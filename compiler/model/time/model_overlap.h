/* model_overlap.h: which operations run at the same time. Copies to and from the host and
 * asynchronous collectives begin when what they read is there, one after the other on each
 * resource, while kernels that do not wait for them run: of those that are ready the first of the
 * order, at most 32 groups ahead of the first that is not done. A loop or branch is one kernel, in
 * which the same holds; nothing runs beside it across its iterations. The groups of one kernel
 * share its units: together they take as long as the busiest one, each its part of it. A kernel
 * waits for its operands' copies to vector memory, which are made one after another, unless its
 * block has asynchronous groups. */
#ifndef GANTRY_COMPILER_MODEL_TIME_MODEL_OVERLAP_H
#define GANTRY_COMPILER_MODEL_TIME_MODEL_OVERLAP_H

#include "compiler/model/model_graph.h"
#include "compiler/program/model_plan.h"

/* Sets cost, start, hidden and waited of all groups, and of the plan the seconds of one execution:
 * as it runs, if nothing overlapped (serial_seconds), and if all that is asynchronous overlapped
 * (ideal_seconds: in each block the busiest resource). model_kernels() has run. O(n log n). */
void model_overlap(struct model *model, struct model_plan *plan);

#endif
