/* canonicalize_convolution.h: the rule of canonicalize for convolutions. Real and complex operands
 * get one type (canonicalize_products.h). A dilated input under a window that is much larger than
 * the result, the gradient of a transposed convolution by its kernel, is rewritten with its
 * operands swapped: the window becomes the input, the input a dilated window, and the result is
 * reversed. Libraries are fast at that form. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_CONVOLUTION_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_CONVOLUTION_H

#include "compiler/ir/ir.h"

struct error *canonicalize_convolution(struct module *module, struct op *op);

#endif
