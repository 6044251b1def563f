/* buffer_ranges.h: records which memory is in use at which position, for reports about the plan. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_RANGES_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_RANGES_H

#include "compiler/passes/buffer/assigner.h"

/* Sets plan->ranges and plan->position_count of the entry. Requires the offsets of all classes. */
void buffer_ranges_list(struct assigner *a);

#endif
