/* mosaic_calls.h: the Pallas TPU kernels of a module: custom calls "tpu_custom_call", whose
 * configuration holds the kernel. They stay custom calls through all passes, with the aliases of
 * their operands; the device runs them (devices/host/kernel_call.h). */
#ifndef GANTRY_COMPILER_PASSES_MOSAIC_MOSAIC_CALLS_H
#define GANTRY_COMPILER_PASSES_MOSAIC_MOSAIC_CALLS_H

#include "compiler/plan/mosaic_call.h"
#include "compiler/target.h"

/* Reads the kernel of each call and verifies it against its operands and results: types, index
 * maps, aliases, memory spaces. Errors name the call's source line and the kernel; UNIMPLEMENTED
 * where the target does not run kernels: one that models no accelerator, without GANTRY_PALLAS=1.
 */
struct error *mosaic_calls_run(struct module *module, const struct target *target);

#endif
