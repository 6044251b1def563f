/* interleave.h: rows of few elements, such as points, colors or small matrices. They leave the
 * lanes to the dimension around them: each lane computes all elements of its row, one after
 * another, and the vectors are stored interleaved, or as periodic_shuffle.h says. */
#ifndef GANTRY_COMPILER_SCHEDULE_INTERLEAVE_H
#define GANTRY_COMPILER_SCHEDULE_INTERLEAVE_H

#include "compiler/ir/ir.h"
#include "compiler/schedule/nest_schedule.h"

/* Removes innermost axes of few elements from the loops of a nest without reductions, if that is
 * faster than lanes along them, and sets the plan's inner, interleave, periodic and record. The
 * axes are set. */
void interleave_plan(const struct target *target, struct nest *nest);

/* The same of a nest with reductions, all of which are over the innermost axis, as in a softmax of
 * rows of three elements: each lane reduces its row without a loop. Sets the plan's reduces_inner,
 * and that the nest has no loops. */
void interleave_plan_rows(struct nest *nest);

/* What is decided so for a kernel that does not exist yet, whose results have a type: whether lanes
 * are across rows, without reductions; and with reductions of rows, with `code` operations for an
 * element. `special`: which operand of a concatenation an element is of is known, or an
 * element takes SHORT_ROW_WORK operations. */
bool interleave_expects(const struct type *root, bool special);
bool interleave_expects_reduced(const struct type *root, double code);

#endif
