/* attention_backward_blocks.h: executes steps for the gradient of attention (struct
 * attention_backward_spec, program.h). Of each block of rows, in a core's cache:
 *
 *   scores     [rows, n]  = queries * packed keys, then the weights in their place
 *   change     [rows, n]  = given * packed values, then the gradient of the scores in its place
 *   to_queries [rows, k]  = gradient * packed keys
 *   to_values  [n, v]    += weights^T * given        in scratch, for all blocks of a part
 *   to_keys    [n, k]    += gradient^T * queries
 *
 * While a block is computed, the operands and results of the next one are prefetched.
 *
 * The rows of a batch are divided into parts, where there are few batches: sums of the parts are
 * added in their order. The number of parts depends only on the sizes, so the bits of results do
 * not depend on the number of threads. These divide the batches among them, so that the sums stay
 * in a core's cache, or the parts, where that balances the work better. */
#ifndef GANTRY_DEVICES_HOST_ATTENTION_ATTENTION_BACKWARD_BLOCKS_H
#define GANTRY_DEVICES_HOST_ATTENTION_ATTENTION_BACKWARD_BLOCKS_H

#include "base/error.h"
#include "compiler/program/program.h"

struct attention_backward_call {
    const struct attention_backward_spec *spec; /* a supported one (attention_backward_spec.h) */
    kernel_function *weights_kernel, *gradient_kernel;
    void *const *buffers;         /* of the step's slices */
    struct kernel_limits *limits; /* when it is stopped, the rest is not computed */
};

/* `threads`: how many are expected to share the work. Needs a plan of attention_blocks.h, or
 * another user of scratch.h. Errors: RESOURCE_EXHAUSTED. */
struct error *attention_backward_blocks_run(const struct attention_backward_call *call,
                                            int threads);

#endif
