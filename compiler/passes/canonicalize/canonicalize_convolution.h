/* canonicalize_convolution.h: canonicalizes convolutions. Operands of mixed real and complex types
 * are converted (canonicalize_products.h). A convolution of a dilated input with a window much
 * larger than the result (the gradient of a transposed convolution with respect to its kernel) is
 * rewritten with swapped operands: the window becomes the input, the input becomes a dilated
 * window, and the result is reversed. Libraries are faster for that form. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_CONVOLUTION_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_CONVOLUTION_H

#include "compiler/ir/ir.h"

struct error *canonicalize_convolution(struct module *module, struct op *op);

#endif
