/* canonicalize_convolution.h: the rule of canonicalize for convolutions. Real and complex operands
 * are brought together (canonicalize_products.h). A dilated input under a window that is much
 * larger than the result, the gradient of a transposed convolution by its kernel, is written the
 * other way round: the window becomes the input, the input a dilated window, and the result is
 * reversed; that form libraries are fast at. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_CONVOLUTION_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_CONVOLUTION_H

#include "compiler/ir/ir.h"

struct error *canonicalize_convolution(struct module *module, struct op *op);

#endif
