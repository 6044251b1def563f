/* canonicalize_repeated.h: reductions of values that do not change along a reduced dimension, as in
 * the gradient of a broadcast. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_REPEATED_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_REPEATED_H

#include "compiler/ir/ir.h"

/* A sum over n equal terms, which elementwise functions of broadcasts are, becomes a product by n,
 * a maximum or minimum of them the term; so each is computed once. Other reduced dimensions stay
 * reduced. Sums of floats of 16 bits are f32 and rounded once. Not for complex numbers (n * inf
 * has a part that is NaN), sums of floats that start with another number than 0, nor where the
 * type of the sum does not have n as a number. */
struct error *canonicalize_repeated_reduce(struct module *module, struct op *op);

#endif
