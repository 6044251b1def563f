/* look_up.h: gathers that are look-ups of a table. Pure functions of the IR. */
#ifndef GANTRY_COMPILER_SCHEDULE_LOOK_UP_H
#define GANTRY_COMPILER_SCHEDULE_LOOK_UP_H

#include "compiler/ir/build.h"

/* Whether a gather finds each of its elements in a vector, its first operand, at the index that the
 * second one has in that place, except for dimensions of size 1. */
bool look_up_is(const struct op *op);

/* The numbers of a vector at the indices that an array of s32 has. */
struct value *look_up_build(struct builder *b, struct value *table, struct value *indices);

#endif
