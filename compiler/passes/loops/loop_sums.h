/* loop_sums.h: computes sums of products that a loop accumulates as one product after the loop, as
 * gradients of weights in a recurrence:
 *
 *   loop: g = ...; s = s + x[i]^T g      becomes      loop: gs[i] = g;  s = s + xs^T gs
 *
 * The product after the loop sums over the iterations, too: it reads and writes the sum once, and
 * many terms at a time are faster. One factor is a slice of an array of which every iteration takes
 * another element; the other is computed in the loop, and stored for all iterations.
 *
 * Applies to loops with a known trip count, to sums of f32 and f64 that nothing in the loop reads,
 * and while the stored factor is smaller than the sum and takes little memory: at most four times
 * that of the other factor and the sum, 32 MiB, and 64 MiB for all of a module. The order of the
 * additions changes. Requires canonical operations, with loop invariants captured (dce.h); leaves
 * unused operations. */
#ifndef GANTRY_COMPILER_PASSES_LOOPS_LOOP_SUMS_H
#define GANTRY_COMPILER_PASSES_LOOPS_LOOP_SUMS_H

#include "compiler/ir/ir.h"

struct target;
struct error *loop_sums_run(struct module *module, const struct target *target);

#endif
