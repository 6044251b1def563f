/* reduce_split.h: splits a large reduction with few results in two: the first computes enough
 * partial results to occupy all threads, the second reduces those. Examples are a loss over a
 * batch, the norm of a gradient, and the gradient of a bias. Applies to reductions of a single
 * operand by add, multiply, maximum, minimum, and, or, whose identity element is known. This
 * reassociates sums of floats, which the specification allows. Requires canonical reducers. */
#ifndef GANTRY_COMPILER_PASSES_REDUCE_REDUCE_SPLIT_H
#define GANTRY_COMPILER_PASSES_REDUCE_REDUCE_SPLIT_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *reduce_split_run(struct module *module, const struct target *target);

#endif
