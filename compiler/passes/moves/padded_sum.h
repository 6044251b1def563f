/* padded_sum.h: sums of arrays that have zeros between their elements, each where another has its
 * own, as the gradient of a function of x[::2] and x[1::2] is. They become one concatenation of the
 * arrays as columns, whose rows are the result:
 *
 *   pad(x, interior 1) + pad(y, low 1, interior 1)      reshape(concatenate(x, y) + 0)
 *
 * So no lane asks whose element is its own, and none is loaded in vain. The sum with zero keeps
 * what becomes of -0. Only along the innermost dimension: along others, whole rows are padded.
 * Requires canonical operations; leaves dead ones.
 */
#ifndef GANTRY_COMPILER_PASSES_MOVES_PADDED_SUM_H
#define GANTRY_COMPILER_PASSES_MOVES_PADDED_SUM_H

#include "compiler/ir/ir.h"

struct target;
struct error *padded_sum_run(struct module *module, const struct target *target);

#endif
