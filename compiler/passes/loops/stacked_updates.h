/* stacked_updates.h: updates slices of arrays in place that a loop would read, update and stack
 * anew, as a scan does over the caches of a model's layers:
 *
 *   slice = xs[i], new = dynamic_update_slice(slice, part, at), ys[i] = new       i: each in turn
 *       ->  xs = dynamic_update_slice(xs, part, (i, at)), and reads of `new` are those of xs[i]
 *
 * where the ys are as many as the xs, which are from outside the loop. What was written to the ys
 * is in the xs afterwards: only the part is written. If the xs have other uses, buffer assignment
 * copies them once, in front of the loop, which costs less than copies of all slices from and to
 * them did. Requires canonical and simplified operations, before loops are unrolled. Leaves dead
 * operations. No errors of its own. */
#ifndef GANTRY_COMPILER_PASSES_LOOPS_STACKED_UPDATES_H
#define GANTRY_COMPILER_PASSES_LOOPS_STACKED_UPDATES_H

#include "compiler/ir/ir.h"

struct target;
struct error *stacked_updates_run(struct module *module, const struct target *target);

#endif
