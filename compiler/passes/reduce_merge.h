/* reduce_merge.h: sums over outer dimensions that read the same large array become one reduction
 * of several operands, so that the array is read once: the two moments of a batch normalisation,
 * the gradients of scale and bias. (Along rows a second reading finds the row in the cache.)
 * Needs: canonical reducers. */
#ifndef GANTRY_COMPILER_PASSES_REDUCE_MERGE_H
#define GANTRY_COMPILER_PASSES_REDUCE_MERGE_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *reduce_merge_run(struct module *module, const struct target *target);

#endif
