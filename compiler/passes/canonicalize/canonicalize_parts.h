/* canonicalize_parts.h: reductions of stacked arrays, such as the mean of the shifted copies of an
 * array: over the dimension along which a concatenation has an array for each element. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_PARTS_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_PARTS_H

#include "compiler/ir/ir.h"

/* Combines the arrays by pairs, pairs of pairs and so on with the body of the reduction `op`, whose
 * body has no branches, and the result with the initial value, if the operands are concatenations
 * of few arrays or elementwise functions of them that only reductions use: then nothing is
 * stacked. */
struct error *canonicalize_parts_reduce(struct module *module, struct op *op);

#endif
