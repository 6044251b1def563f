/* periodic_shuffle.h: rows of a few elements, such as the channels of an image, stored as vectors
 * of adjacent elements. As many vectors as a row has elements make whole rows; which element of
 * which row a lane has is a pattern (pattern.h), so that what is contiguous in the operands is
 * loaded as it is, and a value for each element of a row is a vector that does not change. */
#ifndef GANTRY_COMPILER_SCHEDULE_PERIODIC_SHUFFLE_H
#define GANTRY_COMPILER_SCHEDULE_PERIODIC_SHUFFLE_H

#include "compiler/schedule/nest_schedule.h"

/* Whether the expression reads no operand in an order that would need a gather, and computes
 * nothing expensive once for each row. axes[0] counts rows; the other `count` - 1 axes, innermost
 * last, have the elements of a row. *moves is set if lanes along the
 * innermost dimension alone would not read adjacent elements of an operand. */
bool periodic_shuffle_fits(const struct value *value, const struct axis *axes, int count,
                           bool *moves);

#endif
