/* kernel_verify.h: what must hold of a kernel before it runs or is priced. */
#ifndef GANTRY_COMPILER_KERNEL_IR_KERNEL_VERIFY_H
#define GANTRY_COMPILER_KERNEL_IR_KERNEL_VERIFY_H

#include "compiler/kernel_ir/kernel_ir.h"

/* Operand and result types, shapes, attributes and regions of all operations; arguments, windows
 * and index maps. INVALID_ARGUMENT names the kernel, the operation and its source line. Linear in
 * the size of the kernel. */
struct error *kernel_verify(const struct kernel *kernel);

/* A verified kernel against the arrays of its call: first the operands (a scalar s32 for each
 * dynamic bound of the grid, the prefetched arrays, the inputs), then the results. */
struct error *kernel_verify_call(const struct kernel *kernel, int operand_count,
                                 const struct shape *operands, int result_count,
                                 const struct shape *results);

/* The number of dynamic bounds of the grid. */
int kernel_dynamic_bounds(const struct kernel *kernel);

#endif
