/* copy_kernel.h: a kernel that copies runs of adjacent bytes: a concatenation of arrays in memory.
 * The runs are a table, so that the kernel's code does not grow with their number. */
#ifndef GANTRY_COMPILER_CODEGEN_KERNELS_COPY_KERNEL_H
#define GANTRY_COMPILER_CODEGEN_KERNELS_COPY_KERNEL_H

#include "compiler/codegen/kernels/kernel.h"

/* Whether the fusion's only result is such a concatenation (schedule/concatenation.h). */
bool copy_kernel_is(const struct op *fusion);
/* Emits it, and sets the kernel's work. */
void copy_kernel_emit(struct kernel *k);

#endif
