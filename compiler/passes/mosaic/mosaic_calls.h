/* mosaic_calls.h: the Pallas TPU kernels of a module: custom calls "tpu_custom_call", whose
 * configuration holds the kernel. They stay custom calls through all passes, with the aliases of
 * their operands; the device runs them (devices/host/kernel_call.h). */
#ifndef GANTRY_COMPILER_PASSES_MOSAIC_MOSAIC_CALLS_H
#define GANTRY_COMPILER_PASSES_MOSAIC_MOSAIC_CALLS_H

#include "compiler/frontend/mosaic/mosaic_config.h"
#include "compiler/ir/ir.h"
#include "compiler/kernel_ir/kernel_ir.h"
#include "compiler/target.h"

struct mosaic_call { /* what calls with the same configuration have in common */
    struct mosaic_config config;
    const struct kernel *kernel;
    double cost; /* of running it on the host, as in program.h */
    bool meets;  /* the devices run it together: it communicates, or has a barrier */
};

bool mosaic_calls_is(const struct op *op);

/* Reads the kernel of each call and verifies it against its operands and results: types, index
 * maps, aliases, memory spaces. Errors name the call's source line and the kernel; UNIMPLEMENTED
 * where the target does not run kernels: one that models no accelerator, without GANTRY_PALLAS=1.
 */
struct error *mosaic_calls_run(struct module *module, const struct target *target);

/* The kernel of a call that mosaic_calls_run() has read, or of a clone of it; NULL for other
 * operations. Borrowed from the module's arena. */
const struct mosaic_call *mosaic_calls_find(const struct module *module, const struct op *op);

#endif
