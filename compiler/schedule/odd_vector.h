/* odd_vector.h: rows of a few elements that are adjacent wherever they are read, but not beside the
 * rows around them: the pixels of a transposed image, rows that a gather finds. Each is a vector of
 * just its length, which need not be a power of two, so that it is loaded and stored at once and no
 * lane is masked. */
#ifndef GANTRY_COMPILER_SCHEDULE_ODD_VECTOR_H
#define GANTRY_COMPILER_SCHEDULE_ODD_VECTOR_H

#include "compiler/schedule/nest_schedule.h"

/* Whether lanes along the last axis of a nest, whose axes are set, read adjacent elements of every
 * operand under no condition and compute little with them, and the axis has as few elements as a
 * register or two. */
bool odd_vector_fits(const struct nest *nest);

#endif
