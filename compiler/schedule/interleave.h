/* interleave.h: rows of few elements, such as points, colors or small matrices. They leave the
 * lanes to the dimension around them: each lane computes all elements of its row, one after
 * another, and the vectors are stored interleaved, or as periodic_shuffle.h says. */
#ifndef GANTRY_COMPILER_SCHEDULE_INTERLEAVE_H
#define GANTRY_COMPILER_SCHEDULE_INTERLEAVE_H

#include "compiler/schedule/nest_schedule.h"

/* Removes innermost axes of few elements from the loops of a nest without reductions, if that is
 * faster than lanes along them, and sets the plan's inner, interleave, periodic and record. The
 * axes are set. */
void interleave_plan(const struct target *target, struct nest *nest);

/* The same of a nest with reductions, all of which are over the innermost axis, as in a softmax of
 * rows of three elements: each lane reduces its row without a loop. Sets the plan's reduces_inner,
 * and that the nest has no loops. */
void interleave_plan_rows(struct nest *nest);

#endif
