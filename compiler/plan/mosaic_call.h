/* mosaic_call.h: what is known of the Pallas TPU kernel of a custom call (passes/mosaic reads it).
 */
#ifndef GANTRY_COMPILER_PLAN_MOSAIC_CALL_H
#define GANTRY_COMPILER_PLAN_MOSAIC_CALL_H

#include "compiler/frontend/mosaic/mosaic_config.h"
#include "compiler/ir/ir.h"
#include "compiler/kernel_ir/kernel_ir.h"

struct mosaic_call { /* what calls with the same configuration have in common */
    struct mosaic_config config;
    const struct kernel *kernel;
    double cost; /* of running it on the host, as in program.h */
    bool meets;  /* the devices run it together: it communicates, or has a barrier */
};

/* Whether an operation is a custom call "tpu_custom_call". */
bool mosaic_call_is(const struct op *op);

/* The kernel of a call that mosaic_calls_run() has read, or of a clone of it; NULL for other
 * operations. Borrowed from the module's arena. */
const struct mosaic_call *mosaic_call_find(const struct module *module, const struct op *op);

#endif
