/* kernel_matrix.h: tpu.matmul with the rounding of a matrix unit: float operands become bf16 in one
 * pass, or stay f32 with precision fp32; sums are f32. Integers are exact. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_MATRIX_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_MATRIX_H

#include "devices/host/kernel_machine/kernel_core.h"

/* *scratch: bytes of core->scratch that the instruction needs. */
struct error *kernel_matrix_select(struct arena *arena, const struct kernel_op *op,
                                   struct kernel_instr *in, size_t *scratch);

/* The checker's part: elements of the result whose row of the left or column of the right operand
 * has an element that is not defined are poisoned, the others defined. NULL: all are defined. */
size_t kernel_matrix_taint_bytes(const struct kernel_instr *in);
void kernel_matrix_taint(const struct kernel_instr *in, const uint8_t *lhs, const uint8_t *rhs,
                         uint8_t *out, uint8_t *scratch);

#endif
