/* padded_sum.h: sums of interleaved padded arrays become one interleave. Each array has zeros at
 * the positions of the others' elements, like the gradient of a function of x[::2] and x[1::2]. The
 * arrays are concatenated as columns; the rows are the result:
 *
 *   pad(x, interior 1) + pad(y, low 1, interior 1)      reshape(concatenate(x, y) + 0)
 *
 * This needs no per-lane select or masked load. The sum with zero preserves the result for -0. Only
 * along the innermost dimension: along others, whole rows are padded. Requires canonical
 * operations; leaves dead ones. */
#ifndef GANTRY_COMPILER_PASSES_MOVES_PADDED_SUM_H
#define GANTRY_COMPILER_PASSES_MOVES_PADDED_SUM_H

#include "compiler/ir/ir.h"

struct target;
struct error *padded_sum_run(struct module *module, const struct target *target);

#endif
