/* kernel_align.h: alignment to tiles, which the TPU's compiler demands: slices of tiled memory in
 * HBM, and loads and stores at indices that are known only when the kernel runs. An index is
 * refused only where no rule of that compiler could prove that it is aligned: where it comes from
 * constants, from the grid, or from memory by sums, products and shifts alone. */
#ifndef GANTRY_COMPILER_KERNEL_IR_KERNEL_ALIGN_H
#define GANTRY_COMPILER_KERNEL_IR_KERNEL_ALIGN_H

#include "compiler/kernel_ir/kernel_ir.h"

/* Of a verified kernel. INVALID_ARGUMENT in the words of libtpu, with the operation and its source
 * location. */
struct error *kernel_align_check(struct arena *arena, const struct kernel *kernel);

#endif
