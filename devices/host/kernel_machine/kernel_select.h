/* kernel_select.h: which step an operation is executed by. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_SELECT_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_SELECT_H

#include "devices/host/kernel_machine/kernel_core.h"

/* Whether the result has the operand's bits in the same order: it takes no instruction. */
bool kernel_select_is_same(const struct kernel_op *op);

/* Sets everything of *in but operands and result, and reserves scratch memory of the machine.
 * UNIMPLEMENTED names the operation and its source line. */
struct error *kernel_select(struct arena *arena, struct kernel_machine *machine,
                            const struct kernel_op *op, struct kernel_instr *in);

/* UNIMPLEMENTED "tpu.x at … : is not executed". */
struct error *kernel_select_unsupported(const struct kernel_op *op);

#endif
