/* canonicalize_gather.h: gathers of few elements of a transposed array. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_GATHER_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_GATHER_H

#include "compiler/ir/ir.h"

/* The same elements, gathered from the operand of the transpose that a gather reads, so that the
 * array is not transposed for a small part of it; NULL where that is not so, where the slices would
 * be of another order, or in a loop, in front of which the array may be transposed. */
struct value *canonicalize_gather_untransposed(struct module *module, const struct op *op);

#endif
