/* canonicalize_nested.h: reductions of reductions, as in the gradient of an image whose rows and
 * then columns were repeated. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_NESTED_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_NESTED_H

#include "compiler/ir/ir.h"

/* Makes the reduction `op` of another, perhaps of a reshape of it, one of the dimensions of both,
 * if both are sums, maxima or minima, each result has few terms, and nothing else uses the inner
 * one: a reshape between two reductions is seldom the same loop as theirs. */
struct error *canonicalize_nested_reduce(struct module *module, struct op *op);

#endif
