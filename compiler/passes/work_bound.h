/* work_bound.h: no pass may add much work to a program. A pass that computes a value again for
 * every user, moves it into a loop or replaces an operation by a costlier one makes programs slow
 * in a way that no test of results notices. The pipeline compares the work (schedule/fusion_work.h)
 * before and after every pass where it verifies states (states.h). */
#ifndef GANTRY_COMPILER_PASSES_WORK_BOUND_H
#define GANTRY_COMPILER_PASSES_WORK_BOUND_H

#include "compiler/ir/ir.h"

enum {
    /* The usual factor by which a pass may multiply the work of a program. Storing a value costs
     * about as much as computing a few operations on it again, so fusion recomputes that many. In
     * 2,800 programs of JAX's libraries the most is 4.7, for scalars in a loop. */
    WORK_BOUND_RATIO = 6,
    /* Work that any pass may add: the time of small programs is that of their launches. */
    WORK_BOUND_FREE = 10000
};

/* The work of one execution of the module's entry, in the unit of cost_of_op(). The module is
 * CANONICAL or FUSED (states.h). Overwrites op->note inside fusions. Takes time linear in the size
 * of the module. */
double work_of_module(const struct module *module);

/* Returns an INTERNAL error with both figures unless `after` is within the bound: `ratio` times
 * `before` and WORK_BOUND_FREE. */
struct error *work_bound_check(double before, double after, double ratio);

#endif
