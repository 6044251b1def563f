/* plan_json.h: the memory plan of a program as JSON for ext_gantry. Thread-safe.
 *
 *   program, device   names
 *   argument_bytes, output_bytes, alias_bytes, temp_bytes, constant_bytes, peak_bytes
 *                     of the device's memory (program_memory.h)
 *   capacity_bytes    of the device's memory; 0: not limited
 *   code_bytes        machine code
 *   fits              whether each peak is within its capacity
 *   memories          an object for each memory kind by its name: the same figures, and peak_step,
 *                     live_bytes: temporaries in use at each step (absent where there are none)
 *   steps             labels, in program order
 *   arguments, results
 *                     index, shape, bytes, memory, alias (the number of the other side; or absent)
 *   collectives       in program order: step, kind (HLO's name), operands and results (dtype and
 *                     dimensions of each, of one participant), groups (lists of participants) or
 *                     pairs (source and target; both are absent beyond 65,536 ids), group_count,
 *                     group_size (of the largest; of a permute the members of the largest cycle or
 *                     chain), reduce, count (1), trips (executions of the enclosing loops; null if
 *                     unknown), bytes (of the operands), sent_bytes (by a participant, in one
 *                     execution of it), operation
 *   buffers           memory, offset, bytes, first, last (steps), contents, operation; result: in
 *                     whose memory it is (absent: in the temporaries' own)
 *
 * Of a program that was compiled for the plan of a modeled accelerator, the figures of the device's
 * memory and the collectives are the model's (model_json.h). Such a program has steps and buffers
 * only if it keeps values in host memory. */
#ifndef GANTRY_REPORT_PLAN_JSON_H
#define GANTRY_REPORT_PLAN_JSON_H

#include <stddef.h>

#include "runtime/executable.h"

/* The text is written row by row, so that it needs memory for itself only. *out is owned:
 * alloc_free; a NUL follows its `size` bytes. RESOURCE_EXHAUSTED. */
struct error *plan_json(const struct executable *executable, char **out, size_t *size);

#endif
