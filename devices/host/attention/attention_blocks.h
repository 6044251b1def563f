/* attention_blocks.h: executes attention steps (struct attention_spec, program.h): the keys and
 * values of a batch are packed once, then each block of its rows is computed in a core's cache.
 * Batches and blocks are divided among the threads; the result has the same bits for any number of
 * them. */
#ifndef GANTRY_DEVICES_HOST_ATTENTION_ATTENTION_BLOCKS_H
#define GANTRY_DEVICES_HOST_ATTENTION_ATTENTION_BLOCKS_H

#include "base/error.h"
#include "compiler/program/program.h"

struct attention_call {
    const struct attention_spec *spec; /* a supported one (attention_spec.h) */
    kernel_function *kernel;
    void *const *buffers;         /* of the step's slices */
    struct kernel_limits *limits; /* when it is stopped, the rest is not computed */
};

/* `threads`: how many are expected to share the work. Needs a scratch_plan(). Errors:
 * RESOURCE_EXHAUSTED. */
struct error *attention_blocks_run(const struct attention_call *call, int threads);

#endif
