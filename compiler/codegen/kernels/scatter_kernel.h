/* scatter_kernel.h: scatter in place, part of an update kernel. */
#ifndef GANTRY_COMPILER_CODEGEN_KERNELS_SCATTER_KERNEL_H
#define GANTRY_COMPILER_CODEGEN_KERNELS_SCATTER_KERNEL_H

#include "compiler/codegen/kernels/kernel.h"

/* Applies the updates of a scatter, all of whose results are results of the kernel, in their
 * memory, which holds the operands. *work: the work items that divide the updates; 1: each call of
 * the kernel applies all; 0: there is nothing to do. */
struct error *scatter_kernel_emit(struct kernel *k, const struct op *op, int64_t *work);

#endif
