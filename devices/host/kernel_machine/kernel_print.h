/* kernel_print.h: what a kernel prints (pl.debug_print), on stderr when the operation runs:
 *
 *   step 3                      scalars in the place of "$0"; "$x0": hexadecimal
 *   total f32[] 42              or, without placeholders, behind the text with their type
 *   block f32[2,3] {0, 1, 2}    a vector, row by row
 *   {3, 4, 5}
 *
 * Each message is one write, so those of several threads do not mix. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_PRINT_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_PRINT_H

#include "devices/host/kernel_machine/kernel_core.h"

/* tpu.log (scalars) and tpu.log_buffer (a reference). */
struct error *kernel_print_select(const struct kernel_op *op, struct kernel_instr *in);

#endif
