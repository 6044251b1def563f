/* stencil.h: recognizes convolutions of images or signals with one feature each, and depthwise ones
 * whose rows are adjacent (NCHW). A library has features in its vectors, and spends most of them on
 * padding; a generated loop has positions of a row in them, and is up to 6 times as fast. Pure
 * functions. */
#ifndef GANTRY_COMPILER_ANALYSIS_STENCIL_H
#define GANTRY_COMPILER_ANALYSIS_STENCIL_H

#include "compiler/ir/ir.h"

/* Whether a convolution is one that a generated loop computes faster than a library. */
bool stencil_is(const struct op *op);

#endif
