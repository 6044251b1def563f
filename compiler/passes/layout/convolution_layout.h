/* convolution_layout.h: the layouts of operands of convolutions that no library computes. Generated
 * code has the innermost dimension of the result in its lanes, so that dimension is made the
 * innermost one of the operand that has it: the kernel, for output features, else the input. Where
 * a library computes the convolution once the input has its features last, it gets them there. The
 * transposes read each element once, which is little if many products have it.
 *
 *   convolution(x[N, C, H, W], k[O, I, H, W]) -> [N, H, W, O]
 *
 * becomes a convolution of x and transpose(k)[I, H, W, O]. */
#ifndef GANTRY_COMPILER_PASSES_LAYOUT_CONVOLUTION_LAYOUT_H
#define GANTRY_COMPILER_PASSES_LAYOUT_CONVOLUTION_LAYOUT_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

/* Leaves other convolutions, and small ones, as they are. */
void convolution_layout_arrange(struct module *module, const struct target *target,
                                struct op *convolution);

#endif
