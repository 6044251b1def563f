/* reduce_split.h: a large reduction to few results becomes two: one to enough partial results for
 * all threads, and one of those. Examples are the loss of a function over a batch, a norm of a
 * gradient, a bias gradient. Only for sums, products, extremes and bits of a single operand, whose
 * identity element is known; sums of floats associate differently, as the specification allows.
 * Needs: canonical reducers. */
#ifndef GANTRY_COMPILER_PASSES_REDUCE_SPLIT_H
#define GANTRY_COMPILER_PASSES_REDUCE_SPLIT_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *reduce_split_run(struct module *module, const struct target *target);

#endif
