/* reduce_split.h: splits a large reduction with few results in two: the first computes enough
 * partial results to occupy all threads, the second reduces those. Examples are a loss over a
 * batch, the norm of a gradient, and the gradient of a bias. The first starts
 * from the identity of the operation if that is known, else, as that of argmax, from the initial
 * values too, which the specification requires to be an identity. It also allows that sums of
 * floats are reassociated. Requires canonical reducers. */
#ifndef GANTRY_COMPILER_PASSES_REDUCE_REDUCE_SPLIT_H
#define GANTRY_COMPILER_PASSES_REDUCE_REDUCE_SPLIT_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *reduce_split_run(struct module *module, const struct target *target);

#endif
