/* lanes.h: how wide the vectors of a nest are, and how they cover a row. Parts of
 * nest_schedule_choose(), after the axes are known. */
#ifndef GANTRY_COMPILER_SCHEDULE_LANES_H
#define GANTRY_COMPILER_SCHEDULE_LANES_H

#include "compiler/schedule/nest_schedule.h"

/* Whether something holds of any root along an axis. */
bool lanes_any_root(const struct nest *nest, int axis,
                    bool (*holds)(const struct value *value, int dim));
/* The lanes of the last axis. `loop_on_lanes`: the roots' reductions differ along it. */
int lanes_choose(const struct target *target, const struct nest *nest, bool loop_on_lanes);
/* The lanes of a nest without tiles, of which lanes_choose() has set some: twice as many where many
 * results are halves of what they are computed with, as bf16 of f32. */
int lanes_of_halves(const struct nest *nest);
/* How many vectors of a row a work item reduces together, of `vectors`, where the roots' reductions
 * differ along the lanes. One vector after another reads rows in pieces of its size, which are far
 * apart in memory. More than one if much is reduced, and as many as leave work for all threads. */
int64_t lanes_reduced_together(const struct target *target, const struct nest *nest,
                               int64_t vectors);

/* The vectors of a row, in a nest whose lanes are set, that one iteration stores: after so many of
 * them the padding between elements of operands repeats, so that which elements a vector has is
 * known when its code is generated. */
int lanes_vectors_of_step(const struct nest *nest);

#endif
