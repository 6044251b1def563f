/* thin_step.h: executes products of few rows (struct thin_dot_spec, program.h). Their encoded right
 * side is read once and decoded part by part in a core's L1 cache, so reading it limits the speed.
 * Columns are divided among the threads; the result has the same bits for any number of them. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_STEP_H
#define GANTRY_DEVICES_HOST_THIN_THIN_STEP_H

#include <stdatomic.h>

#include "compiler/program/program.h"

/* `spec` is a supported one (thin_dot_spec.h), `buffers` those of the step's slices. When `stop` is
 * not zero, columns that have not begun are skipped. `threads`: the expected number of threads.
 * Needs a scratch_plan() of the step. Errors: RESOURCE_EXHAUSTED. */
struct error *thin_step_run(const struct thin_dot_spec *spec, void *const *buffers,
                            const atomic_uint *stop, int threads);

#endif
