/* memory_copy.h: which operations move values from one memory kind to another, without computing. A
 * device does them with its copy engine: they are steps of their own, never part of a kernel. */
#ifndef GANTRY_COMPILER_ANALYSIS_MEMORY_COPY_H
#define GANTRY_COMPILER_ANALYSIS_MEMORY_COPY_H

#include "compiler/ir/ir.h"

/* Whether `op` is a copy of a whole value, of a slice (slice with strides of 1, dynamic_slice) or
 * into a slice (dynamic_update_slice) whose source has another memory kind than its result. */
bool memory_copy_is(const struct op *op);
/* Of such an operation: the operand whose bytes move. */
int memory_copy_source(const struct op *op);
/* The operation that waits until such an operation is complete, or NULL: it is complete when the
 * next one begins (hostoffload/passes/offload_schedule.h). */
const struct op *memory_copy_done(const struct op *op);
/* Whether the block, or a block inside it, has such an operation. */
bool memory_copy_is_in(const struct block *block);

#endif
