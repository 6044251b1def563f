/* kernel_padding.h: the padding of arrays in HBM. A TPU stores the last two dimensions in tiles,
 * and slices of whole tiles may reach into the last tile's padding (emit_pipeline's blocks do).
 *
 * Arrays that a kernel slices so have, during a run, memory of whole tiles: a copy, from which
 * results are copied back. Other arrays stay where they are. What is read from the padding is 0
 * here and undefined on a TPU. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_PADDING_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_PADDING_H

#include "devices/host/kernel_machine/kernel_core.h"

/* Sets machine->padding; the kernel and the shapes of the machine are set. */
void kernel_padding_find(struct kernel_machine *machine);

/* Gives the arrays of run->launch that need it their padded memory, in run->padded. Frees with
 * kernel_padding_end, also after an error. */
struct error *kernel_padding_begin(struct kernel_run *run);

/* Copies results back and frees the memory. */
void kernel_padding_end(struct kernel_run *run);

/* Makes `view`, of a whole array of this shape with padded memory, one of its elements. */
void kernel_padding_view(const struct shape *shape, struct kernel_buffer *buffer,
                         struct kernel_view *view);

#endif
