/* reduce_merge.h: merges sums over outer dimensions that read the same large array into one
 * variadic reduction, so that the array is loaded once: e.g. the mean and variance of a batch
 * normalization, or the gradients of scale and bias. Sums over the innermost dimension are not
 * merged, because the second one reads the row from the cache. Requires canonical reducers. */
#ifndef GANTRY_COMPILER_PASSES_REDUCE_REDUCE_MERGE_H
#define GANTRY_COMPILER_PASSES_REDUCE_REDUCE_MERGE_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *reduce_merge_run(struct module *module, const struct target *target);

#endif
