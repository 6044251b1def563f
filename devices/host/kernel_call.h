/* kernel_call.h: the custom call "tpu_custom_call": a Pallas TPU kernel, whose configuration holds
 * its bytecode (compiler/frontend/mosaic/mosaic_config.h). Operands: a scalar s32 for each dynamic
 * bound of the grid, prefetched arrays, inputs; results: outputs. Row-major; a result may have the
 * memory of an operand. The bytes may come from a serialized program, so they are read and verified
 * here, too. Under GANTRY_PALLAS_CHECK=1 executions check the kernel for races and other faults;
 * GANTRY_PALLAS_SEED delays and reorders its DMAs. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_CALL_H
#define GANTRY_DEVICES_HOST_KERNEL_CALL_H

#include "devices/host/custom_call.h"

struct error *kernel_call_instantiate(const void *user, const struct call_spec *spec, void **state);
void kernel_call_drop(void *state); /* accepts NULL */
struct error *kernel_call_run(const void *user, const struct custom_call *call);
/* The devices 0 .. count - 1 run the kernel together, which communicates. */
struct error *kernel_call_run_together(const void *user, const struct custom_call *calls,
                                       int count);

#endif
