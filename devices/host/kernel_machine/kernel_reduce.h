/* kernel_reduce.h: reductions, scans and sorts of vectors. Floats are reduced in f32, integers in
 * 64 bits. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_REDUCE_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_REDUCE_H

#include "devices/host/kernel_machine/kernel_core.h"

/* *scratch: bytes of core->scratch that the instruction needs. */
struct error *kernel_reduce_select(struct arena *arena, const struct kernel_op *op,
                                   struct kernel_instr *in, size_t *scratch);

#endif
