/* update_sum.h: a sum with zeros of which a window is updated becomes an update of the other term.
 * The gradient of reading one row of an array in a loop is such a sum:
 *
 *   x + dynamic_update_slice(zeros, u, i)
 *                    dynamic_update_slice(x + 0, dynamic_slice(x, i) + u, i)
 *   x + scatter(zeros, u, i) {add}, of one window or of unique ones
 *                    scatter(x + 0, u, i) {add}
 *
 * Where x is -0 outside of the window, the sum is +0. x itself takes the place of x + 0 where it
 * has no -0: integers, and floats by analysis/minus_zero.h, as those that a loop accumulates from
 * zeros. There an iteration updates the window in place, and visits nothing else. Leaves dead
 * operations. */
#ifndef GANTRY_COMPILER_PASSES_MOVES_UPDATE_SUM_H
#define GANTRY_COMPILER_PASSES_MOVES_UPDATE_SUM_H

#include "compiler/ir/ir.h"

struct target;
struct error *update_sum_run(struct module *module, const struct target *target);

#endif
