/* canonicalize_scatter.h: scatters that choose one element of each row. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_SCATTER_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_SCATTER_H

#include "compiler/ir/ir.h"

/* A scatter of one update for each row of an array of equal numbers,
 *
 *   scatter(splat, positions, updates)[row, i] = body(splat, updates[row])   at i = positions[row]
 *                                                splat                       elsewhere
 *
 * as a selection by comparing i with the row's position: the gradient of taking one element of each
 * row, as a loss does with the logarithms of probabilities. Other operations may compute it with
 * them, so that an array that has almost only zeros is not in memory. Rows may have several
 * dimensions: batching dimensions, and those of whole windows. Positions out of bounds are none.
 * Sets *out to NULL for other scatters, and where the array itself is needed: zeros in memory, of
 * which few change, cost less than comparisons. */
struct error *canonicalize_scatter_one_of_each_row(struct module *module, struct op *op,
                                                   struct value **out);

#endif
