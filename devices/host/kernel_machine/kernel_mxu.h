/* kernel_mxu.h: matrix units that a kernel drives step by step. A right side is pushed to a staging
 * register, loaded from there by a product, and kept for further ones; products are added to
 * accumulators by address, or queue as results. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_MXU_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_MXU_H

#include "devices/host/kernel_machine/kernel_core.h"

struct error *kernel_mxu_select(const struct kernel_op *op, struct kernel_instr *in);

/* What a kernel must not leave behind: FAILED_PRECONDITION names the operation that put it there.
 */
struct error *kernel_mxu_finish(const struct kernel_core *core);

void kernel_mxu_destroy(struct kernel_mxu *mxu); /* accepts NULL */

#endif
