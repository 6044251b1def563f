/* hoist.h: moves what a loop computes anew in every iteration, although it depends on nothing that
 * the loop changes, in front of the loop: products, convolutions, reductions, sorts, transforms and
 * transcendental functions, together with the cheap operations that only they need, and what is
 * computed from them without more memory. Custom calls without side effects move as well, where the
 * loop is known to iterate (solve() with one matrix factorizes it once). Cheap operations alone
 * stay, because they are fused with what uses them, unless that is a product or convolution. So do
 * those that cost less than a kernel of its own, elementwise results and operands of products that
 * are larger than what they are computed from and than a cache, control flow (it may not end), and
 * what depends on memory other than the device's.
 * A loop without iterations computes more than before. Requires canonical operations, with loop
 * invariants captured (dce.h).
 *
 * Each block is visited once for each loop that its operations leave. */
#ifndef GANTRY_COMPILER_PASSES_LOOPS_HOIST_H
#define GANTRY_COMPILER_PASSES_LOOPS_HOIST_H

#include "compiler/ir/ir.h"

struct target;
struct error *hoist_run(struct module *module, const struct target *target);

#endif
