/* kernel_reduce.h: reductions, scans and sorts of vectors. Floats are reduced in f32, integers in
 * 64 bits. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_REDUCE_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_REDUCE_H

#include "devices/host/kernel_machine/kernel_core.h"

/* *scratch: bytes of core->scratch that the instruction needs. */
struct error *kernel_reduce_select(struct arena *arena, const struct kernel_op *op,
                                   struct kernel_instr *in, size_t *scratch);

/* The checker's part: result elements of which a reduced element is not defined are poisoned.
 * scratch: a byte for each element of the operand. */
void kernel_reduce_taint(const struct kernel_instr *in, const uint8_t *states, uint8_t *out,
                         uint8_t *scratch);

#endif
