/* kernel_elementwise.h: instructions whose element i depends on element i of the operands. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_ELEMENTWISE_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_ELEMENTWISE_H

#include "devices/host/kernel_machine/kernel_core.h"

/* Chooses step, loop and conversions; operands and result of *in are set. UNIMPLEMENTED. */
struct error *kernel_elementwise_select(const struct kernel_op *op, struct kernel_instr *in);

#endif
